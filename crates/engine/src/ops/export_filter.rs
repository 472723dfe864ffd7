//! Which items an export has, and what of them: the rules of Query with a key condition, and those of Scan without.

use super::paged::Relation;
use super::query;
use crate::catalog::{RelationId, Table};
use crate::schema;
use crate::store::KeyRange;
use monotable_api::{Error, FilterParameter, FilterSpecification};
use monotable_expr::{Condition, Projection};
use monotable_item::{EncodedItem, ItemView};

/// A filter that fits a table.
pub(crate) struct ExportFilter {
    /// The rows of the table that may be exported.
    pub(crate) range: KeyRange,
    filter: Option<Condition>,
    projection: Option<Projection>,
}

impl ExportFilter {
    /// Checks a filter against the table.
    pub(crate) fn new(table: &Table, given: Option<&FilterSpecification>) -> Result<Self, Error> {
        let valid = given.map(FilterSpecification::validate).transpose()?;
        let valid = valid.unwrap_or_default();
        let relation = Relation { table, index: None };
        let filter = valid.filter.as_ref();
        let range = match &valid.key_condition {
            None => KeyRange::prefix(&RelationId::from(table.id).to_bytes()),
            Some(condition) => {
                let range = query::key_range(relation, condition)?;
                query::check_filter(relation, filter, FilterParameter::Expression)?;
                range
            }
        };
        let projection = valid.projection.as_ref();
        schema::check_paths(table, projection.iter().flat_map(|given| given.paths()))?;
        schema::check_paths(table, filter.iter().flat_map(|given| given.paths()))?;
        Ok(Self {
            range,
            filter: valid.filter,
            projection: valid.projection,
        })
    }

    /// Whether an item of the range is exported.
    pub(crate) fn takes(&self, item: ItemView<'_>) -> bool {
        let filter = self.filter.as_ref();
        filter.is_none_or(|filter| filter.matches(item))
    }

    /// What is exported of an item.
    pub(crate) fn project(&self, item: EncodedItem) -> EncodedItem {
        match &self.projection {
            Some(projection) => projection.project(item.view()),
            None => item,
        }
    }
}
