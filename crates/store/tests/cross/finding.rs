//! What a cell finds wrong.

use std::fmt;

/// One thing that is wrong: a class without keys and ids, by which cells are compared, and the details.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) class: String,
    pub(crate) detail: String,
}

impl Finding {
    pub(crate) fn new(class: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            class: class.into(),
            detail: detail.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class, self.detail)
    }
}
