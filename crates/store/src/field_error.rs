//! What is wrong with a value: which attribute, and why.

use crate::host::NoEntropy;
use std::fmt;

/// An attribute and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The attribute, as the model calls it.
    pub attribute: String,
    /// What is wrong.
    pub problem: Problem,
    /// The row, where one call gives several.
    pub row: Option<String>,
}

/// Why a value is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The model does not know the attribute.
    Unknown,
    /// The store sets it; a caller cannot.
    NotGiven,
    /// It never changes.
    Immutable,
    /// It must be there.
    Missing,
    /// It must not be there.
    Forbidden,
    /// It is not what the model says.
    Wrong {
        /// What it must be.
        wanted: String,
    },
    /// A rule of the entity does not hold.
    Rule {
        /// The rule's name.
        name: String,
    },
    /// A key made of it is refused.
    Key {
        /// Why.
        why: String,
    },
    /// It is made of random bytes, and there are none to be had.
    NoEntropy,
}

impl FieldError {
    pub(crate) fn new(attribute: impl Into<String>, problem: Problem) -> Self {
        Self {
            attribute: attribute.into(),
            problem,
            row: None,
        }
    }

    /// The same of one row of several.
    pub(crate) fn in_row(mut self, row: &str) -> Self {
        self.row = Some(row.to_owned());
        self
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            attribute,
            problem,
            row,
        } = self;
        if let Some(row) = row {
            write!(f, "{row}: ")?;
        }
        match problem {
            Problem::Unknown => write!(f, "`{attribute}` is no attribute of it"),
            Problem::NotGiven => write!(f, "`{attribute}` is set by the store"),
            Problem::Immutable => write!(f, "`{attribute}` never changes"),
            Problem::Missing => write!(f, "`{attribute}` is required"),
            Problem::Forbidden => write!(f, "`{attribute}` must not be given here"),
            Problem::Wrong { wanted } => write!(f, "`{attribute}` must be {wanted}"),
            Problem::Rule { name } => write!(f, "the rule `{name}` does not hold"),
            Problem::Key { why } => write!(f, "`{attribute}` is refused in a key: {why}"),
            Problem::NoEntropy => write!(f, "`{attribute}` cannot be made: {NoEntropy}"),
        }
    }
}

impl std::error::Error for FieldError {}
