//! Which attributes Query and Scan return.

use crate::choice::{Choice as _, choices};
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

/// The parameter that says which attributes to return.
#[derive(Clone, Copy)]
pub(crate) enum ProjectionParameter {
    AttributesToGet,
    ProjectionExpression,
}

impl ProjectionParameter {
    /// The one of the two that a request has; that it does not have both was checked before.
    pub(crate) const fn of(
        attributes_to_get: &Option<Vec<String>>,
        projection_expression: &Option<String>,
    ) -> Option<Self> {
        match (attributes_to_get, projection_expression) {
            (_, Some(_)) => Some(Self::ProjectionExpression),
            (Some(_), None) => Some(Self::AttributesToGet),
            (None, None) => None,
        }
    }
}

impl SelectRules {
    /// Checks what a request says about attributes, before its expressions are looked at.
    pub(crate) fn check(
        self,
        select: Option<Select>,
        projection: Option<ProjectionParameter>,
        has_index: bool,
    ) -> Result<(), Error> {
        match (select, projection) {
            (Some(Select::SpecificAttributes), None) => {
                Err(self.refuse(wording::SPECIFIC_WITHOUT_PROJECTION))
            }
            (Some(select @ (Select::AllAttributes | Select::AllProjectedAttributes)), Some(by)) => {
                Err(self.refuse(&wording::projection_with(by, select.as_str())))
            }
            (Some(Select::Count), Some(by)) => {
                Err(self.refuse(&wording::projection_with(by, "only the Count")))
            }
            (Some(Select::AllProjectedAttributes), None) if !has_index => {
                Err(self.refuse(wording::ALL_PROJECTED_WITHOUT_INDEX))
            }
            (None, _)
            | (Some(Select::SpecificAttributes), Some(_))
            | (
                Some(Select::AllAttributes | Select::AllProjectedAttributes | Select::Count),
                None,
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
