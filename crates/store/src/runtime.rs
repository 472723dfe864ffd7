//! A model with everything that follows from it, ready to run.

use crate::profile::EntityProfile;
use crate::secrets::{Secret, Secrets};
use monotable_model::compiled::CompiledModel;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A model, ready to run. All handles of a store share one.
#[derive(Debug)]
pub(crate) struct Runtime {
    pub(crate) compiled: Arc<CompiledModel>,
    /// What operations want to know of each entity, by the entity's position.
    pub(crate) profile: Arc<[EntityProfile]>,
    /// What this process knows of the store's own item.
    pub(crate) own: KnownStoreItem,
}

/// What a process knows of the store's own item. Clones of a store share it.
#[derive(Debug, Default)]
pub(crate) struct KnownStoreItem {
    /// The program's own choice, which counts more than the item's.
    given: Option<Secrets>,
    read: Mutex<Option<Secrets>>,
    /// The templates were held against the model's.
    compared: AtomicBool,
    /// What the item says of the rows; none as long as it was not read.
    rows: Mutex<Option<Arc<RowHistory>>>,
}

/// Who may have written the rows of a store, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RowHistory {
    /// All rows are as the model writes them. If not, a guard that is missing says nothing: another program may have
    /// written the row.
    pub(crate) is_adopted: bool,
    /// The entities of which rows may stand under keys that are not those of today.
    pub(crate) in_old_layouts: BTreeSet<String>,
}

impl RowHistory {
    /// What a process goes by that may not read the item: it can adopt nothing.
    pub(crate) const fn assumed() -> Self {
        Self {
            is_adopted: true,
            in_old_layouts: BTreeSet::new(),
        }
    }

    /// Whether rows of an entity may stand where the model would not put them.
    pub(crate) fn may_be_elsewhere(&self, entity: &str) -> bool {
        !self.is_adopted || self.in_old_layouts.contains(entity)
    }
}

impl KnownStoreItem {
    /// With a secret that the program gives.
    pub(crate) fn with_secret(secret: Secret) -> Self {
        Self {
            given: Some(Secrets::new(secret)),
            ..Self::default()
        }
    }

    /// Whether the program has given a secret of its own.
    pub(crate) const fn is_given(&self) -> bool {
        self.given.is_some()
    }

    pub(crate) fn known(&self) -> Option<Secrets> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        self.given.clone().or_else(|| read.clone())
    }

    pub(crate) fn learn(&self, secrets: Secrets) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        *read = Some(secrets);
    }

    /// What is known of the rows.
    pub(crate) fn rows(&self) -> Option<Arc<RowHistory>> {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.clone()
    }

    pub(crate) fn learn_rows(&self, history: impl Into<Arc<RowHistory>>) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        *rows = Some(history.into());
    }

    pub(crate) fn is_compared(&self) -> bool {
        self.compared.load(Ordering::Acquire)
    }

    pub(crate) fn set_compared(&self, compared: bool) {
        self.compared.store(compared, Ordering::Release);
    }
}
