//! What is not the same.

use std::fmt;

/// One difference between `api` and the description.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// An operation, or a member of a structure as the description names both:
    /// `PutItemInput.Expected`.
    pub place: String,
    /// What differs.
    pub what: String,
}

impl Difference {
    pub(crate) fn new(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            place: place.into(),
            what: what.into(),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}
