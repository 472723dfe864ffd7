//! Tables and their indexes.

use super::Notes;
use crate::span::{Name, Span};
use serde::{Deserialize, Serialize};

/// A table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Table {
    /// Its name in the model.
    pub name: Name,
    /// What it is.
    pub notes: Notes,
    /// Its name in DynamoDB.
    pub physical: String,
    /// The partition key's attribute.
    pub hash: Name,
    /// The sort key's attribute.
    pub range: Option<Name>,
    /// Its indexes.
    pub indexes: Vec<Index>,
    /// The attribute that says when a row expires, in seconds since 1970.
    pub ttl: Option<Name>,
    /// Whether it can be restored to any moment.
    pub pitr: bool,
    /// What its stream shows.
    pub stream: Option<Stream>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// A secondary index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Index {
    /// Its name in the model.
    pub name: Name,
    /// Its name in DynamoDB.
    pub physical: String,
    /// The partition key's attribute.
    pub hash: Name,
    /// The sort key's attribute.
    pub range: Option<Name>,
    /// Which attributes it holds.
    pub projection: Projection,
    /// Whether it shares the table's partition key.
    pub local: bool,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// Which attributes an index holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Projection {
    /// All.
    All,
    /// Only keys.
    Keys,
    /// Keys and these.
    Include(Vec<String>),
}

/// What a stream shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stream {
    /// The item before and after.
    NewAndOld,
    /// The item after.
    New,
    /// The item before.
    Old,
    /// Only its key.
    Keys,
}

impl Table {
    /// Whether an attribute is one of the primary key's.
    #[must_use]
    pub fn is_key(&self, attribute: &str) -> bool {
        self.hash.value == attribute
            || self
                .range
                .as_ref()
                .is_some_and(|range| range.value == attribute)
    }
}
