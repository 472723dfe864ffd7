//! What one commit writes.

use bytes::Bytes;

/// The keyspaces of the store. Few and shared: each costs memory and time at open, whatever it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Space {
    /// Definitions of tables and streams, tokens, counters, jobs.
    Meta,
    /// Items of all tables.
    Items,
    /// Entries of all indexes, and records of all streams.
    Indexes,
}

impl Space {
    #[cfg(feature = "disk")]
    pub(crate) const ALL: [Self; 3] = [Self::Meta, Self::Items, Self::Indexes];

    /// Whether a row with this key can belong here, as far as the key alone tells. Names of definitions begin with a small letter; all
    /// other keys with an id of four bytes, of which there are never so many that its first byte would be one.
    #[cfg(feature = "disk")]
    pub(crate) fn admits(self, key: &[u8]) -> bool {
        let is_name = key.first().is_some_and(u8::is_ascii_lowercase);
        is_name == (self == Self::Meta)
    }

    /// The number of its folder below `data/keyspaces`. fjall's own catalogue has the number 0.
    #[cfg(feature = "disk")]
    pub(crate) const fn keyspace(self) -> usize {
        match self {
            Self::Meta => 1,
            Self::Items => 2,
            Self::Indexes => 3,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Items => "items",
            Self::Indexes => "indexes",
        }
    }
}

/// A change of one row: its new value, or none to remove it.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) space: Space,
    pub(crate) key: Bytes,
    pub(crate) value: Option<Bytes>,
}

/// Row changes that are written together. INVARIANT: at most one for each row.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    changes: Vec<Change>,
}

impl Batch {
    pub(crate) fn with_capacity(changes: usize) -> Self {
        Self {
            changes: Vec::with_capacity(changes),
        }
    }

    pub(crate) fn push(&mut self, space: Space, key: Bytes, value: Option<Bytes>) {
        self.changes.push(Change { space, key, value });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// What it changes in a space.
    pub(crate) fn changes(&self, space: Space) -> impl Iterator<Item = &Change> {
        let changes = self.changes.iter();
        changes.filter(move |change| change.space == space)
    }

    pub(crate) fn into_changes(self) -> Vec<Change> {
        self.changes
    }
}
