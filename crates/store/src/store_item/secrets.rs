//! The secret that cursors are sealed with.

use super::{ATTEMPTS, Found, open, write};
use crate::draft::{Action, Blame, Demand, Edit, Write};
use crate::error::{Clash, Error};
use crate::host::NoEntropy;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::scope::Scope;
use crate::store::Store;
use monotable_item::{AttributeValue, Item};
use std::fmt;

pub(crate) type Secret = [u8; 32];

pub(super) const SECRET: &str = "monotable#secret";
const PREVIOUS: &str = "monotable#previous";

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
    pub(super) const fn given(current: Secret) -> Self {
        Self {
            current,
            previous: None,
            is_shared: true,
        }
    }

    /// Those of one process, which end with it.
    pub(super) fn of_process(scope: &Scope) -> Result<Self, NoEntropy> {
        Ok(Self {
            current: scope.circumstances.draw()?,
            previous: None,
            is_shared: false,
        })
    }

    /// Those of the store's own item; none if it has lost them.
    pub(super) fn read(item: &Item) -> Option<Self> {
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

impl Reader<'_> {
    /// The secrets of the store. What only pretends to be a call reads nothing for its own sake.
    pub(crate) async fn secrets(&self) -> Result<Secrets, Interrupt> {
        if let Some(known) = self.runtime.own.known() {
            return Ok(known);
        }
        if self.mode.writes() {
            Box::pin(open(self)).await?;
        }
        match self.runtime.own.known() {
            Some(known) => Ok(known),
            None => Ok(Secrets::of_process(self)?),
        }
    }

    /// The secrets as they are now, after a seal that did not fit. None: there are no others to be had.
    pub(crate) async fn renewed_secrets(&self) -> Result<Option<Secrets>, Interrupt> {
        let own = &self.runtime.own;
        if !self.mode.writes() || own.given.is_some() {
            return Ok(None);
        }
        match Box::pin(open(self)).await? {
            Found::Item(_) => Ok(own.known()),
            Found::Denied | Found::NoTable => Ok(None),
        }
    }
}

impl Store {
    /// Gives the store a new secret. Cursors that were sealed with the one before still open; older ones do not.
    pub async fn renew_secret(&self) -> Result<(), Error> {
        self.with_own_item(|owned| async move { renew(&owned.reader()).await })
            .await
    }

    /// Reads the secret before an operation needs it, if a cursor is given. What an explanation shows is then the
    /// operation alone.
    pub(crate) async fn read_secret(&self) -> Result<(), Error> {
        if self.runtime.own.known().is_some() {
            return Ok(());
        }
        self.with_own_item(|owned| async move { open(&owned.reader()).await.map(drop) })
            .await
    }
}

async fn renew(reader: &Reader<'_>) -> Result<(), Interrupt> {
    for _ in 0..ATTEMPTS {
        let Found::Item(item) = open(reader).await? else {
            let message =
                "the store's own item `monotable#store` cannot be read and written by this process";
            return Err(Error::usage(message).into());
        };
        let Some(address) = reader.addressing().locate_store_item() else {
            return Ok(());
        };
        let old = item.get(SECRET).cloned();
        let new: Secret = reader.circumstances.draw()?;
        let mut edit = Edit::default();
        edit.set.insert(SECRET, AttributeValue::B(new.to_vec()));
        if let Some(old) = old.clone() {
            edit.set.insert(PREVIOUS, old);
        }
        let change = Action::new(Write::Update(edit))
            .demand(Demand::Present, Blame::Changed)
            .demand(Demand::is(SECRET, old), Blame::Changed);
        match write(reader, &address, change).await {
            Ok(()) => return open(reader).await.map(drop),
            Err(Interrupt::Restart) => {}
            Err(stop) => return Err(stop),
        }
    }
    Err(Error::conflict("secret", Clash::Contended).into())
}
