//! UpdateTimeToLive: says which attribute of a table's items holds the time at which they go.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, TableName};

/// The longest name of the attribute, in characters.
const NAME_CHARS: std::ops::RangeInclusive<usize> = 1..=255;

structure! {
    /// An UpdateTimeToLive request.
    pub struct UpdateTimeToLiveInput {
        /// The table, by name or ARN.
        table_name: String,
        /// The attribute, and whether items go by it.
        time_to_live_specification: TimeToLiveSpecification,
    }

    /// Whether items of a table go by themselves, and when.
    pub struct TimeToLiveSpecification {
        /// Whether they go.
        enabled: bool,
        /// The attribute that holds the time, in seconds since 1970.
        attribute_name: String,
    }

    /// An UpdateTimeToLive answer.
    pub struct UpdateTimeToLiveOutput {
        /// What was asked for.
        time_to_live_specification: TimeToLiveSpecification,
    }
}

/// An UpdateTimeToLive request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidUpdateTimeToLive {
    /// The table.
    pub table: TableName,
    /// Whether items go by themselves.
    pub enabled: bool,
    /// The attribute that holds the time.
    pub attribute: String,
}

impl UpdateTimeToLiveInput {
    /// Lets items of this table go at the time that this attribute holds.
    pub fn enable(table: impl Into<String>, attribute: impl Into<String>) -> Self {
        Self::new(table, attribute, true)
    }

    /// Lets them stay.
    pub fn disable(table: impl Into<String>, attribute: impl Into<String>) -> Self {
        Self::new(table, attribute, false)
    }

    fn new(table: impl Into<String>, attribute: impl Into<String>, enabled: bool) -> Self {
        Self {
            table_name: Some(table.into()),
            time_to_live_specification: Some(TimeToLiveSpecification {
                enabled: Some(enabled),
                attribute_name: Some(attribute.into()),
            }),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidUpdateTimeToLive, Error> {
        let table = TableName::of_table_operation(&self.table_name)?;
        let mut constraints = Constraints::default();
        let path = Path::Root("timeToLiveSpecification");
        let specification = constraints.required(path, &self.time_to_live_specification);
        let given = specification.and_then(|specification| {
            let enabled = path.field("enabled");
            let enabled = constraints.required(enabled, &specification.enabled);
            let name = path.field("attributeName");
            let attribute = constraints.required(name, &specification.attribute_name);
            if let Some(attribute) = attribute {
                constraints.text_length(name, attribute, NAME_CHARS);
            }
            Some((*enabled?, attribute?.clone()))
        });
        let (enabled, attribute) = constraints.finish(given)?;
        Ok(ValidUpdateTimeToLive {
            table,
            enabled,
            attribute,
        })
    }
}
