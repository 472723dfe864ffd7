//! What a purge tells: the partitions that go, and how they were found.

use crate::wire;
use monotable_item::Item;
use serde::Serialize;
use std::fmt;

/// What a purge deleted; of a dry run, what it would delete.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PurgeReport {
    /// Whose partitions: attributes of the model's principal.
    #[serde(serialize_with = "wire::item::serialize")]
    pub owner: Item,
    /// The partitions, in the order in which they were deleted.
    pub partitions: Vec<PurgedPartition>,
}

/// A partition that a purge deletes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PurgedPartition {
    /// The table, by its name in the model.
    pub table: String,
    /// The partition key.
    pub partition: String,
    /// The revision whose snapshot it is; none if it is no snapshot.
    pub revision: Option<String>,
    /// How many items it has.
    pub items: u64,
    /// How it was found.
    pub reason: PurgeReason,
}

/// How a purge found a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PurgeReason {
    /// The isolation of the model gives it to the owner as a whole.
    Own,
    /// Its key follows from rows of the owner: a revision in a log, a day.
    Rendered,
    /// No row leads there; it was met in a scan of the whole table.
    Scanned,
}

impl PurgeReport {
    /// How many items go.
    #[must_use]
    pub fn items(&self) -> u64 {
        self.partitions
            .iter()
            .map(|partition| partition.items)
            .sum()
    }

    /// A partition that others write to while it is purged is met again; it is told once.
    pub(crate) fn add(&mut self, partition: PurgedPartition) {
        let known = self
            .partitions
            .iter_mut()
            .find(|known| known.table == partition.table && known.partition == partition.partition);
        match known {
            Some(known) => known.items += partition.items,
            None => self.partitions.push(partition),
        }
    }
}

impl fmt::Display for PurgeReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Own => "the isolation of the model gives it to the owner",
            Self::Rendered => "its key follows from a row of the owner",
            Self::Scanned => "its key is one of the owner's, and no row leads there",
        })
    }
}
