//! Tables and their indexes.

use super::{Further, KeyPlace, Notes};
use crate::span::{Name, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// Whether DynamoDB refuses to delete it; none leaves it as it is.
    pub deletion_protection: Option<bool>,
    /// How it is paid for; none leaves a table as it is, and makes a new one that is paid by use.
    pub billing: Option<Billing>,
    /// Tags that it has.
    pub tags: BTreeMap<String, String>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

/// How a table is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Billing {
    /// By use.
    OnDemand,
    /// Ahead, in units per second; each global index has as many of its own.
    Provisioned {
        /// Strongly consistent reads of 4 KB.
        read: u32,
        /// Writes of 1 KB.
        write: u32,
    },
}

/// A secondary index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Index {
    /// Its name in the model.
    pub name: Name,
    /// Its name in DynamoDB.
    pub physical: String,
    /// The partition key's attribute; of several, the first.
    pub hash: Name,
    /// The sort key's attribute; of several, the first.
    pub range: Option<Name>,
    /// The other attributes of its key.
    pub further: Further<Name>,
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

impl Table {
    /// The index of a place; none for the table's own key.
    #[must_use]
    pub fn index_at(&self, place: KeyPlace) -> Option<&Index> {
        match place {
            KeyPlace::Primary => None,
            KeyPlace::Index(position) => self.indexes.get(position),
        }
    }

    /// The attributes of the partition key of a place.
    pub fn partition_attributes(&self, place: KeyPlace) -> impl Iterator<Item = &Name> {
        let index = self.index_at(place);
        let further = index.map_or(&[][..], |index| &index.further.hash);
        std::iter::once(index.map_or(&self.hash, |index| &index.hash)).chain(further)
    }

    /// The attributes of the sort key of a place.
    pub fn sort_attributes(&self, place: KeyPlace) -> impl Iterator<Item = &Name> {
        let index = self.index_at(place);
        let further = index.map_or(&[][..], |index| &index.further.range);
        let first = index.map_or(&self.range, |index| &index.range);
        first.iter().chain(further)
    }

    /// The attributes of the keys of all indexes. One that several indexes have comes several times.
    pub fn index_attributes(&self) -> impl Iterator<Item = &Name> {
        self.indexes.iter().flat_map(Index::attributes)
    }
}

impl Index {
    /// The most attributes of a partition key, and of a sort key.
    pub const MOST_ATTRIBUTES: usize = 4;

    /// The attributes of its key: those of the partition key, then those of the sort key.
    pub fn attributes(&self) -> impl Iterator<Item = &Name> {
        let partition = std::iter::once(&self.hash).chain(&self.further.hash);
        partition.chain(&self.range).chain(&self.further.range)
    }
}
