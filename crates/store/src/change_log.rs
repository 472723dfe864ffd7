//! What an operation does to rows and to their guards, noted while it is decided, for whoever asked for a trace.

use crate::address::Address;
use monotable_item::Item;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What becomes of one item.
#[derive(Clone, Debug)]
pub(crate) struct NotedChange {
    /// The entity of the row, or what a guard is called.
    pub(crate) entity: String,
    pub(crate) cause: &'static str,
    pub(crate) declaration: Option<String>,
    /// The row before, without secrets; none if there was none.
    pub(crate) before: Option<Item>,
    /// The row afterwards, without secrets; none if there is none.
    pub(crate) after: Option<Item>,
    pub(crate) fate: Fate,
}

/// Whether an item comes, goes or stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Created,
    Changed,
    Deleted,
}

impl Fate {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Changed => "changed",
            Self::Deleted => "deleted",
        }
    }
}

/// The changes of one operation, by the item that they are about.
#[derive(Debug, Default)]
pub(crate) struct ChangeLog {
    changes: Mutex<BTreeMap<Address, NotedChange>>,
}

impl ChangeLog {
    /// Notes what becomes of an item. What is said last of it is so.
    pub(crate) fn note(&self, address: Address, change: NotedChange) {
        self.lock().insert(address, change);
    }

    /// Forgets everything: the operation begins anew.
    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    /// Takes everything out.
    pub(crate) fn take(&self) -> BTreeMap<Address, NotedChange> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Address, NotedChange>> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
