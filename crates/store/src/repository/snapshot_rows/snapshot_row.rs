//! One row of a snapshot in the making.

use crate::record::Record;
use monotable_item::EncodedItem;
use monotable_model::model::EntityId;
use std::sync::OnceLock;

/// What became of a row since it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::repository) enum State {
    /// Nothing.
    Kept,
    /// Its place in an order, or what follows from other rows, is another.
    Moved,
    /// It is new, or a change changed it.
    Changed,
    /// It is left out.
    Removed,
}

/// A row of a snapshot.
#[derive(Debug)]
pub(in crate::repository) struct SnapshotRow {
    pub(in crate::repository) entity: EntityId,
    pub(super) record: OnceLock<Record>,
    /// As it was read; none if it is new.
    pub(super) stored: Option<EncodedItem>,
    pub(in crate::repository) state: State,
    /// The place in its order that a change gives it.
    pub(in crate::repository) asked: Option<u64>,
    /// What was given is refused: it is there only so that others can refer to it.
    pub(in crate::repository) refused: bool,
}

impl SnapshotRow {
    pub(in crate::repository) fn is_there(&self) -> bool {
        self.state != State::Removed
    }

    /// Whether a change has changed it.
    pub(in crate::repository) fn is_changed(&self) -> bool {
        self.state == State::Changed
    }

    /// Whether it is what it was.
    pub(in crate::repository) fn is_kept(&self) -> bool {
        self.state == State::Kept
    }

    /// Whether it is new.
    pub(in crate::repository) const fn is_new(&self) -> bool {
        self.stored.is_none()
    }

    pub(super) fn read(entity: EntityId, stored: EncodedItem, old_layout: bool) -> Self {
        Self {
            entity,
            record: OnceLock::new(),
            stored: Some(stored),
            // What was read in an old layout stands elsewhere from now on.
            state: if old_layout {
                State::Moved
            } else {
                State::Kept
            },
            asked: None,
            refused: false,
        }
    }

    /// A row that is new.
    pub(in crate::repository) fn new(record: Record, asked: Option<u64>) -> Self {
        Self {
            entity: record.entity,
            record: OnceLock::from(record),
            stored: None,
            state: State::Changed,
            asked,
            refused: false,
        }
    }

    /// A row whose values are refused.
    pub(in crate::repository) fn refused(record: Record) -> Self {
        Self {
            refused: true,
            ..Self::new(record, None)
        }
    }
}
