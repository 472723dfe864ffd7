//! A model with everything that follows from it, ready to run.

use crate::profile::EntityProfile;
use crate::secrets::{Secret, Secrets};
use monotable_model::compiled::CompiledModel;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A model, ready to run. All handles of a store share one.
#[derive(Debug)]
pub(crate) struct Runtime {
    pub(crate) compiled: CompiledModel,
    /// What operations want to know of each entity, by the entity's position.
    pub(crate) profile: Vec<EntityProfile>,
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
    /// All rows are as the model writes them.
    adopted: AtomicBool,
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

    pub(crate) fn is_adopted(&self) -> bool {
        self.adopted.load(Ordering::Acquire)
    }

    pub(crate) fn set_adopted(&self, adopted: bool) {
        self.adopted.store(adopted, Ordering::Release);
    }

    pub(crate) fn is_compared(&self) -> bool {
        self.compared.load(Ordering::Acquire)
    }

    pub(crate) fn set_compared(&self, compared: bool) {
        self.compared.store(compared, Ordering::Release);
    }
}
