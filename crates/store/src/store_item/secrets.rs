//! The secret that cursors are sealed with.

use super::{ATTEMPTS, Found, open, write};
use crate::draft::{Action, Blame, Demand, Edit, Write};
use crate::error::{Clash, Error};
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::secrets::{PREVIOUS, SECRET, Secret, Secrets};
use monotable_item::AttributeValue;

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
            None => Ok(Secrets::draw(&self.circumstances)?),
        }
    }

    /// The secrets as they are now, after a seal that did not fit. None: there are no others to be had.
    pub(crate) async fn renewed_secrets(&self) -> Result<Option<Secrets>, Interrupt> {
        let own = &self.runtime.own;
        if !self.mode.writes() || own.is_given() {
            return Ok(None);
        }
        match Box::pin(open(self)).await? {
            Found::Item(_) => Ok(own.known()),
            Found::Denied | Found::NoTable => Ok(None),
        }
    }
}

pub(crate) async fn renew(reader: &Reader<'_>) -> Result<(), Interrupt> {
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
