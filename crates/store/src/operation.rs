//! What a store can be asked to do.

use crate::record::Change;
use crate::repository::{Commit, Committed, Differences, PurgeReport, Snapshot, SweepReport, Task};
use crate::row::Row;
use monotable_item::Item;
use std::collections::BTreeMap;

/// An operation on the rows of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// A new row.
    Create {
        /// Its entity.
        entity: String,
        /// Its attributes.
        values: Item,
    },
    /// The row with a key.
    Get {
        /// Its entity.
        entity: String,
        /// The attributes of its key.
        key: Item,
    },
    /// Some attributes changed.
    Update {
        /// Its entity.
        entity: String,
        /// The attributes of its key.
        key: Item,
        /// What changes.
        change: Change,
    },
    /// A new row, or the row there is made equal to it.
    Put {
        /// Its entity.
        entity: String,
        /// Its attributes.
        values: Item,
    },
    /// A row deleted, with everything that goes with it.
    Delete {
        /// Its entity.
        entity: String,
        /// The attributes of its key.
        key: Item,
    },
    /// Two rows related: a new row that refers to both.
    Attach {
        /// The entity of the relation.
        entity: String,
        /// Its attributes.
        values: Item,
    },
    /// Two rows no longer related.
    Detach {
        /// The entity of the relation.
        entity: String,
        /// The attributes of its key.
        key: Item,
    },
    /// A move that the model declares: the row and what goes with it come to stand elsewhere.
    Move {
        /// The move.
        name: String,
        /// The attributes of the row's key.
        key: Item,
        /// The new values.
        set: Item,
    },
    /// The rows of an access pattern.
    Query(Query),
    /// Whether a text is the one that a hashed attribute was made of.
    CheckSecret {
        /// The entity.
        entity: String,
        /// The attributes of the row's key.
        key: Item,
        /// The hashed attribute.
        attribute: String,
        /// The text.
        text: String,
    },
    /// Several writes, all or none.
    Transact(Vec<Operation>),
    /// New revisions of repositories, all or none.
    Commit(Vec<Commit>),
    /// Something else done with a repository.
    Repository {
        /// The repository.
        name: String,
        /// Which one of those that the model's repository stands for: the attributes of its head's key.
        key: Item,
        /// What is done.
        task: Task,
    },
    /// A carry that the model declares: rows of one repository's head committed to another.
    Carry {
        /// The carry.
        name: String,
        /// The attributes of the key of the head that the rows come from.
        key: Item,
        /// What the new revision says, beside what the carry sets.
        values: Item,
    },
    /// Everything of an owner deleted: all partitions that the model's isolation gives to this caller.
    Purge {
        /// Attributes of the model's principal.
        owner: Item,
    },
}

/// A call of an access pattern.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Query {
    /// The pattern.
    pub pattern: String,
    /// Its parameters.
    pub parameters: Item,
    /// The most rows of the page.
    pub limit: Option<usize>,
    /// Where the page begins: the cursor of the one before.
    pub cursor: Option<String>,
    /// The direction, if not the pattern's own.
    pub descending: Option<bool>,
}

/// How an operation is carried out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Values that the row must have; null for absent. Else there is a conflict.
    pub expected: Item,
    /// A name of this call: said again within ten minutes, nothing happens again.
    pub token: Option<String>,
    /// See every write that was acknowledged, where the target can.
    pub consistent: bool,
    /// Read and decide, but write nothing.
    pub dry_run: bool,
    /// Where the call comes from, for audits.
    pub request: RequestFacts,
}

/// Where a call comes from: what an audit can note of it beside who made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestFacts {
    /// The address that it was sent from.
    pub ip: Option<String>,
    /// What sent it: a program, a service, a page.
    pub source: Option<String>,
}

impl RequestFacts {
    /// These facts, and others where they say nothing.
    pub(crate) fn or(self, others: &Self) -> Self {
        Self {
            ip: self.ip.or_else(|| others.ip.clone()),
            source: self.source.or_else(|| others.source.clone()),
        }
    }
}

/// What came of an operation.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The rows.
    pub rows: Vec<Row>,
    /// Rows that the pattern's `follow` brought along, each once.
    pub followed: Vec<Row>,
    /// Items that the model does not know, of a pattern whose rows some row owns.
    pub unknown: Vec<Item>,
    /// Rows that are referred to and not there.
    pub dangling: Vec<String>,
    /// How many rows were read that the caller may not see.
    pub hidden: usize,
    /// Where the next page begins; none if there is nothing more.
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
