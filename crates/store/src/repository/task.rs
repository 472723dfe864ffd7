//! What callers ask of repositories.

use crate::operation::Operation;
use crate::row::Row;
use monotable_item::{AttributeValue, Item};
use std::time::Duration;

/// A new revision of a repository.
#[derive(Clone, Debug, Default, PartialEq)]
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
    pub changes: Vec<Operation>,
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum At {
    /// The current one.
    #[default]
    Head,
    /// This one.
    Revision(String),
    /// The last one up to a time.
    Time(String),
}

/// What is done with a repository.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// Its revisions, the newest first. The row of its head comes along as `followed`.
    Log {
        /// The most rows of the page.
        limit: Option<usize>,
        /// Where the page begins: the cursor of the one before.
        cursor: Option<String>,
        /// The oldest first.
        oldest_first: bool,
    },
    /// The rows of a revision.
    Show {
        /// Which.
        at: At,
        /// Also what has a tombstone.
        buried: bool,
        /// Only what a relation leads to from the row with this id, in its order.
        under: Option<String>,
    },
    /// What two revisions differ in.
    Diff {
        /// The one.
        from: At,
        /// The other.
        to: At,
    },
    /// The head moved back, or to any other revision. Nothing else changes.
    Rollback {
        /// Where to.
        to: String,
        /// What the head must be before; whatever it is if none.
        from: Option<String>,
    },
    /// A new revision with the rows of an old one.
    Revert {
        /// The old one.
        to: At,
        /// What the new one says.
        values: Item,
        /// What it follows.
        parent: Parent,
    },
    /// What commits left that never finished, deleted.
    Sweep {
        /// Only those that began so long ago: one that is under way would be undone.
        older_than: Duration,
    },
}

/// What came of a commit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Committed {
    /// The rows of the new revisions; none if there was nothing to do.
    pub revisions: Vec<Row>,
    /// What was committed all the same: references to rows that are not there.
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
    pub fn change(mut self, change: Operation) -> Self {
        self.changes.push(change);
        self
    }
}
