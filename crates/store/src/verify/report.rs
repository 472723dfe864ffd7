//! What verify tells.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What verify found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Rows of entities.
    pub rows: u64,
    /// Rows that guard a value, those that are rows of entities too.
    pub guards: u64,
    /// Items that the model does not know.
    pub unknown: u64,
    /// What contradicts the model.
    pub violations: Vec<Violation>,
    /// Operations that were begun and have not ended.
    pub unfinished: Vec<Unfinished>,
    /// The first of the items that the model does not know.
    pub unknown_items: Vec<UnknownItem>,
    /// What is allowed and worth knowing.
    pub notes: Vec<Note>,
    /// What looked wrong and changed while it was looked at again: ask later.
    pub unsettled: u64,
}

/// Something that contradicts the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What kind.
    pub wrong: ViolationKind,
    /// The entity of the row.
    pub entity: String,
    /// Its key.
    pub key: String,
    /// What is wrong, in a sentence.
    pub message: String,
}

/// An operation that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// What kind.
    pub what: UnfinishedKind,
    /// The entity of the row that tells it.
    pub entity: String,
    /// Its key.
    pub key: String,
    /// What was begun, in a sentence.
    pub message: String,
}

/// The kinds of unfinished operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UnfinishedKind {
    /// A row is marked as being deleted.
    Delete,
    /// A row is marked as being moved.
    Move,
    /// An intent leads to the snapshot of a commit that never ended.
    Commit,
    /// The row of a token that names no call any more.
    Token,
}

/// An item that the model does not know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownItem {
    /// Its table, by its name in the model.
    pub table: String,
    /// Its key.
    pub key: String,
    /// The entity whose rows look most like it.
    pub nearest: Option<String>,
    /// What does not fit.
    pub misfit: String,
}

/// Something that the model allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What kind.
    pub kind: NoteKind,
    /// The entity of the row.
    pub entity: String,
    /// Its key.
    pub key: String,
    /// What is so, in a sentence.
    pub message: String,
}

/// The kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoteKind {
    /// A row stands under keys of an old layout.
    Layout,
    /// A key has a time in another spelling than the model writes.
    Time,
    /// A row says something in an old spelling.
    Spelling,
    /// A reference that may dangle does.
    Dangling,
    /// A revision has no rows.
    Empty,
}

/// The kinds of violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ViolationKind {
    /// A value is not what the model says.
    Value,
    /// A key of an index is not what the row gives.
    Keys,
    /// A unique value has no guard, or that of another row.
    Guard,
    /// A guard guards nothing.
    Orphan,
    /// Two rows have a value that one may have.
    Duplicate,
    /// A reference names a row that is not there, or not one it may name.
    Reference,
    /// A counter is not the count, or is behind the numbers it gave.
    Counter,
    /// A relation leads from a row back to itself, or is too long.
    Cycle,
    /// A derived row is missing, too much, or says something else.
    Derived,
    /// The rows of an item that is stored as several are not all there, or do not agree.
    Each,
    /// A path lacks a folder or its leaf, or a leaf its row.
    Path,
    /// A rule about other rows does not hold.
    Check,
    /// A row that another one owns has no owner.
    Owner,
    /// A tombstone is there in part, or something alive refers to it.
    Tombstone,
    /// Heads, logs and snapshots contradict each other.
    History,
    /// The rows of a revision contradict each other.
    Snapshot,
    /// A revision without rows that nothing follows: its commit never finished.
    Abandoned,
}

impl ViolationKind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Keys => "keys",
            Self::Guard => "guard",
            Self::Orphan => "orphan",
            Self::Duplicate => "duplicate",
            Self::Reference => "reference",
            Self::Counter => "counter",
            Self::Cycle => "cycle",
            Self::Derived => "derived",
            Self::Each => "each",
            Self::Path => "path",
            Self::Check => "check",
            Self::Owner => "owner",
            Self::Tombstone => "tombstone",
            Self::History => "history",
            Self::Snapshot => "snapshot",
            Self::Abandoned => "abandoned",
        }
    }
}

impl UnfinishedKind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Delete => "delete",
            Self::Move => "move",
            Self::Commit => "commit",
            Self::Token => "token",
        }
    }
}

impl NoteKind {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Layout => "layout",
            Self::Time => "time",
            Self::Spelling => "spelling",
            Self::Dangling => "dangling",
            Self::Empty => "empty",
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            wrong,
            entity,
            key,
            message,
        } = self;
        write!(f, "{}: {entity} {key}: {message}", wrong.name())
    }
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            entity,
            key,
            message,
        } = self;
        write!(f, "unfinished {}: {entity} {key}: {message}", what.name())
    }
}

impl fmt::Display for UnknownItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            table, key, misfit, ..
        } = self;
        write!(f, "unknown: {table} {key}: {misfit}")
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kind,
            entity,
            key,
            message,
        } = self;
        write!(f, "note {}: {entity} {key}: {message}", kind.name())
    }
}
