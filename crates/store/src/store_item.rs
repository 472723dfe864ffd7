//! The store's own item: the secret that cursors are sealed with, and the key templates that its rows were written with.
//!
//! It stands in the first table of the model, so that every process that uses the store finds the same one without any
//! configuration. `setup` puts it, or whoever needs it first, on the condition that it is absent. A process reads it
//! once, before its first write or for its first cursor, and again for a cursor that does not fit. One that may not
//! read it has a secret of its own.
//!
//! The item holds no row, so a caller's partitions say nothing about it: its address has the owner `Reserved`, which only
//! `address.rs` can give, and passes the gate of `[isolation]`.
//!
//! Layout: `secrets.rs` is what seals cursors; `templates.rs` is what a model writes; `comparison.rs` holds it against what
//! is recorded; `adoption.rs` is whether all rows are as the model writes them.

mod adoption;
mod comparison;
mod secrets;
mod templates;

pub(crate) use templates::{Recorded, TENANT, Templates, may_be_of, read as read_templates};

pub(crate) use adoption::{
    Adopted, is_adopted, read_adopted, refuse_unadopted, row_history, set_adopted,
};
pub(crate) use comparison::{compare, record_templates, refuse_lost_keys, replace_templates};
pub(crate) use secrets::renew;

use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::Error;
use crate::execute::unexpected;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::request;
use crate::runtime::RowHistory;
use crate::scope::Scope;
use crate::secrets::{SECRET, Secret, Secrets};
use crate::sending::Answer;
use monotable_api::{Error as ServiceError, Response};
use monotable_item::{AttributeValue, Item};

/// What came of asking for the item.
pub(crate) enum Found {
    /// It is there.
    Item(Item),
    /// The process may not read it, or may not put it.
    Denied,
    /// There is no table yet.
    NoTable,
}

/// How often the item is asked for, if others keep changing it.
const ATTEMPTS: u32 = 8;

/// The item, which is put if it is absent. What it says of the secret is remembered.
pub(crate) async fn open(reader: &Reader<'_>) -> Result<Found, Interrupt> {
    let Some(address) = reader.addressing().locate_store_item() else {
        return Ok(Found::NoTable);
    };
    for _ in 0..ATTEMPTS {
        let read = || request::get(reader.model(), &address, true);
        let found = match reader.steps.call(read).await.result {
            Ok(Response::GetItem(output)) => output.item.map(|item| item.to_item()),
            Ok(other) => return Err(unexpected(&other).into()),
            Err(error) => return refused(reader, error),
        };
        let item = match found {
            Some(item) => item,
            None => {
                let mut item = first_item(reader, &address)?;
                if Box::pin(adoption::is_empty(reader)).await {
                    item.insert(adoption::ADOPTED, AttributeValue::Bool(true));
                }
                match put(reader, &address, &item).await {
                    Ok(()) => item,
                    // Somebody else was faster.
                    Err(Interrupt::Restart) => continue,
                    Err(Interrupt::Fail(error)) => match denied(&error) {
                        Some(source) => return refused(reader, source),
                        None => return Err(error.into()),
                    },
                    Err(stop) => return Err(stop),
                }
            }
        };
        let history = adoption::read_history(reader.model(), &item);
        reader.runtime.own.learn_rows(history);
        if let Some(secrets) = Secrets::read(&item) {
            reader.runtime.own.learn(secrets);
        }
        return Ok(Found::Item(item));
    }
    Err(Error::integrity("the store's own item is neither there nor can it be put").into())
}

/// An item that cannot be had is no reason to fail: the process goes on without it.
fn refused(scope: &Scope, error: ServiceError) -> Result<Found, Interrupt> {
    match error {
        ServiceError::AccessDeniedException { .. } => {
            scope.runtime.own.learn_rows(RowHistory::assumed());
            if scope.runtime.own.known().is_none() {
                scope
                    .runtime
                    .own
                    .learn(Secrets::draw(&scope.circumstances)?);
            }
            Ok(Found::Denied)
        }
        ServiceError::ResourceNotFoundException { .. } => Ok(Found::NoTable),
        error => Err(Error::service(error).into()),
    }
}

fn denied(error: &Error) -> Option<ServiceError> {
    match error.failure() {
        crate::error::Failure::Fatal {
            source: source @ ServiceError::AccessDeniedException { .. },
            ..
        } => Some(source.clone()),
        _ => None,
    }
}

/// A new item: a fresh secret, and the templates of the model.
fn first_item(scope: &Scope, address: &Address) -> Result<Item, Interrupt> {
    let secret: Secret = scope.circumstances.draw()?;
    let mut item = address.key(scope.model());
    item.insert(SECRET, AttributeValue::B(secret.to_vec()));
    for (name, value) in Templates::new(scope.model()).attributes() {
        item.insert(name, value);
    }
    Ok(item)
}

async fn put(reader: &Reader<'_>, address: &Address, item: &Item) -> Result<(), Interrupt> {
    let put = Action::new(Write::Put(item.clone())).demand(Demand::Absent, Blame::Changed);
    write(reader, address, put).await
}

/// Writes the item.
async fn write(reader: &Reader<'_>, address: &Address, action: Action) -> Result<(), Interrupt> {
    let mut draft = Draft::default();
    draft.add(address.clone(), action)?;
    let request = || draft.request(reader.model(), "");
    let answer: Answer = reader.steps.call(request).await;
    draft.outcome(answer)
}
