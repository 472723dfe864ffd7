//! The secrets that cursors are sealed with.

use crate::circumstances::Circumstances;
use crate::host::NoEntropy;
use monotable_item::{AttributeValue, Item};
use std::fmt;

pub(crate) type Secret = [u8; 32];

pub(crate) const SECRET: &str = "monotable#secret";
pub(crate) const PREVIOUS: &str = "monotable#previous";

/// The secrets that open cursors; the first one seals them.
#[derive(Clone)]
pub(crate) struct Secrets {
    current: Secret,
    /// What sealed cursors before the secret was renewed.
    previous: Option<Secret>,
    /// Where it comes from: other processes may have the same one.
    is_shared: bool,
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").finish_non_exhaustive()
    }
}

impl Secrets {
    pub(crate) const fn new(current: Secret) -> Self {
        Self {
            current,
            previous: None,
            is_shared: true,
        }
    }

    /// Those of one process, which end with it.
    pub(crate) fn draw(circumstances: &Circumstances) -> Result<Self, NoEntropy> {
        Ok(Self {
            current: circumstances.draw()?,
            previous: None,
            is_shared: false,
        })
    }

    /// Those of the store's own item; none if it has lost them.
    pub(crate) fn read(item: &Item) -> Option<Self> {
        Some(Self {
            current: secret(item, SECRET)?,
            previous: secret(item, PREVIOUS),
            is_shared: true,
        })
    }

    pub(crate) const fn current(&self) -> &Secret {
        &self.current
    }

    /// Whether cursors that it sealed serve other processes.
    pub(crate) const fn is_shared(&self) -> bool {
        self.is_shared
    }

    /// All that a cursor may be sealed with.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Secret> {
        std::iter::once(&self.current).chain(&self.previous)
    }
}

/// Takes the secrets out of the item: they stay where they are.
pub(crate) fn remove_secrets(item: &mut Item) {
    item.remove(SECRET);
    item.remove(PREVIOUS);
}

fn secret(item: &Item, name: &str) -> Option<Secret> {
    match item.get(name) {
        Some(AttributeValue::B(bytes)) => Secret::try_from(bytes.as_slice()).ok(),
        _ => None,
    }
}
