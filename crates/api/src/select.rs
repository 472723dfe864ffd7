//! Which attributes Query and Scan return.

use crate::choice::choices;
use crate::{Error, wording};
use monotable_expr::Projection;

choices! {
    /// What a request says about the attributes.
    pub enum Select {
        /// Those of the projection expression.
        SpecificAttributes = "SPECIFIC_ATTRIBUTES",
        /// None; only how many items there are.
        Count = "COUNT",
        /// All of the item, fetched from the table if the index lacks some.
        AllAttributes = "ALL_ATTRIBUTES",
        /// All that the index holds.
        AllProjectedAttributes = "ALL_PROJECTED_ATTRIBUTES",
    }
}

/// What a request says about the attributes, checked, with the default filled in.
#[derive(Clone, Debug)]
pub enum Selection {
    /// All of the item, fetched from the table if the index lacks some.
    AllAttributes,
    /// All that the index holds.
    AllProjectedAttributes,
    /// Those of the projection expression.
    Specific(Projection),
    /// None; only how many items there are.
    Count,
}

/// AWS wraps the rules about `Select` differently in Query and Scan.
#[derive(Clone, Copy)]
pub(crate) enum SelectRules {
    Query,
    Scan,
}

impl SelectRules {
    /// Checks what a request says about attributes, before its expressions are looked at.
    pub(crate) fn check(
        self,
        select: Option<Select>,
        has_projection: bool,
        has_index: bool,
    ) -> Result<(), Error> {
        match select {
            Some(Select::SpecificAttributes) if !has_projection => {
                Err(self.refuse(wording::SPECIFIC_WITHOUT_PROJECTION))
            }
            Some(Select::AllAttributes) if has_projection => {
                Err(self.refuse(wording::PROJECTION_WITH_ALL))
            }
            Some(Select::AllProjectedAttributes) if has_projection => {
                Err(self.refuse(wording::PROJECTION_WITH_ALL_PROJECTED))
            }
            Some(Select::Count) if has_projection => {
                Err(self.refuse(wording::PROJECTION_WITH_COUNT))
            }
            Some(Select::AllProjectedAttributes) if !has_index => {
                Err(self.refuse(wording::ALL_PROJECTED_WITHOUT_INDEX))
            }
            None
            | Some(
                Select::SpecificAttributes
                | Select::AllAttributes
                | Select::AllProjectedAttributes
                | Select::Count,
            ) => Ok(()),
        }
    }

    fn refuse(self, rule: &str) -> Error {
        match self {
            Self::Query => Error::validation(wording::one_detected(rule)),
            Self::Scan => Error::validation(rule),
        }
    }
}

impl Selection {
    /// What a request means that passed [`SelectRules::check`].
    pub(crate) fn new(
        select: Option<Select>,
        projection: Option<Projection>,
        has_index: bool,
    ) -> Self {
        match (select, projection) {
            (Some(Select::Count), _) => Self::Count,
            (_, Some(projection)) => Self::Specific(projection),
            (Some(Select::AllAttributes), None) => Self::AllAttributes,
            (Some(Select::AllProjectedAttributes), None) => Self::AllProjectedAttributes,
            (Some(Select::SpecificAttributes) | None, None) if has_index => {
                Self::AllProjectedAttributes
            }
            (Some(Select::SpecificAttributes) | None, None) => Self::AllAttributes,
        }
    }
}
