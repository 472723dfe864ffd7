//! What two revisions differ in.

use crate::row::Row;
use serde::Serialize;

/// What two revisions differ in.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Differences {
    /// The one.
    pub from: String,
    /// The other.
    pub to: String,
    /// Rows that are not the same in both.
    pub rows: Vec<Difference>,
}

/// A row that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Difference {
    /// Only the second has it.
    Added(Row),
    /// Only the first has it.
    Removed(Row),
    /// It stands elsewhere in its order, and nothing else is different.
    Moved {
        /// As it was.
        before: Row,
        /// As it is.
        after: Row,
    },
    /// It says something else.
    Changed {
        /// As it was.
        before: Row,
        /// As it is.
        after: Row,
        /// The attributes that differ.
        attributes: Vec<String>,
    },
}
