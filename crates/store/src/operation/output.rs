//! What operations answer.

use crate::operation::{Committed, Differences, PurgeReport, Snapshot, SweepReport};
use crate::row::Row;
use crate::wire;
use monotable_item::Item;
use serde::Serialize;
use std::collections::BTreeMap;

/// What came of an operation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AnyOutput {
    /// A row: as it is, or was before it was deleted.
    Row(Row),
    /// A page of rows.
    Page(Page),
    /// One row for each operation of a transaction.
    Rows(Vec<Row>),
    /// Yes or no.
    Flag(bool),
    /// New revisions.
    Committed(Committed),
    /// The rows of a revision.
    Snapshot(Snapshot),
    /// What two revisions differ in.
    Differences(Differences),
    /// What a sweep found.
    SweepReport(SweepReport),
    /// What a purge deleted.
    PurgeReport(PurgeReport),
}

/// Rows of an access pattern.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Page {
    /// The rows.
    pub rows: Vec<Row>,
    /// Rows that the pattern's `follow` brought along, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub followed: Vec<Row>,
    /// Items that the model does not know, of a pattern whose rows some row owns.
    #[serde(
        serialize_with = "wire::serialize_items",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub unknown: Vec<Item>,
    /// Rows that are referred to and not there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dangling: Vec<String>,
    /// How many rows were read that the caller may not see.
    pub hidden: usize,
    /// Where the next page begins; none if there is nothing more.
    #[serde(rename = "after", skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
}

impl Page {
    /// The rows of a mixed collection, by the names of their entities.
    #[must_use]
    pub fn by_entity(&self) -> BTreeMap<&str, Vec<&Row>> {
        let mut groups: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        for row in &self.rows {
            groups.entry(row.entity.as_str()).or_default().push(row);
        }
        groups
    }
}
