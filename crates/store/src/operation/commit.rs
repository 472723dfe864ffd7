//! What callers ask of repositories.

use crate::operation::{AnyOperation, CommitObject};
use crate::row::Row;
use monotable_item::{AttributeValue, Item};
use serde::{Deserialize, Serialize};

/// A new revision of a repository.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CommitObject", into = "CommitObject")]
pub struct Commit {
    /// The repository.
    pub repository: String,
    /// Which one: the attributes of its head's key.
    pub key: Item,
    /// What the revision says: a message, a source, a reason.
    pub values: Item,
    /// What it follows.
    pub parent: Parent,
    /// What changes: creates, puts, updates and deletes of the repository's entities. A delete buries a row with a
    /// tombstone and leaves others out. A row that is given a place in an order gets it; the others close up around it.
    pub changes: Vec<AnyOperation>,
}

/// The revision that a commit follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Parent {
    /// Whatever the head is when it is committed.
    #[default]
    Head,
    /// None: this is the first.
    None,
    /// This one; if the head is another, there is a conflict.
    Is(String),
    /// This one; if others have committed since, the changes are made to what is there then, unless they changed the
    /// same rows.
    Rebased(String),
}

/// A revision of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum At {
    /// The current one.
    #[default]
    Head,
    /// This one.
    Revision(String),
    /// The last one up to a time.
    Time(String),
}

/// What came of a commit.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Committed {
    /// The rows of the new revisions; none if there was nothing to do.
    pub revisions: Vec<Row>,
    /// What was committed all the same: references to rows that are not there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl Commit {
    /// A commit without changes.
    #[must_use]
    pub fn new(repository: impl Into<String>, key: Item) -> Self {
        Self {
            repository: repository.into(),
            key,
            ..Self::default()
        }
    }

    /// An attribute of the revision.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<AttributeValue>) -> Self {
        self.values.insert(name.into(), value.into());
        self
    }

    /// What it follows.
    #[must_use]
    pub fn after(mut self, parent: Parent) -> Self {
        self.parent = parent;
        self
    }

    /// One more change.
    #[must_use]
    pub fn change(mut self, change: impl Into<AnyOperation>) -> Self {
        self.changes.push(change.into());
        self
    }
}
