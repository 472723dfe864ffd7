//! Whether the rows of a store are all as the model writes them.
//!
//! A store that begins with empty tables is adopted from the beginning. One whose tables have rows older than its own item is
//! not: other programs may have written rows without guards and counters, so a missing guard says nothing. It is adopted
//! by `adopt`, or by a `verify` of all tenants that finds nothing.

use super::{Found, denied, open, write};
use crate::draft::{Action, Blame, Demand, Edit, Write};
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::request;
use monotable_api::Response;
use monotable_item::{AttributeValue, Item};

/// The attribute that says it.
pub(super) const ADOPTED: &str = "monotable#adopted";

/// What an item says.
pub(crate) fn read_adopted(item: &Item) -> bool {
    item.get(ADOPTED) == Some(&AttributeValue::Bool(true))
}

/// Whether the tables of a store that has no item of its own yet have no items at all. What cannot be read is not empty.
pub(super) async fn is_empty(reader: &Reader<'_>) -> bool {
    for table in reader.model().stored_tables() {
        let first = || request::scan_first(reader.model(), table);
        match reader.steps.call(first).await.result {
            Ok(Response::Scan(output)) if output.items.as_ref().is_none_or(Vec::is_empty) => {}
            _ => return false,
        }
    }
    true
}

/// Whether all rows are as the model writes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Adopted {
    Yes,
    /// Rows came in that something else may have written.
    No,
}

/// Says whether all rows are as the model writes them. Who may not write the item says nothing.
pub(crate) async fn set_adopted(reader: &Reader<'_>, adopted: Adopted) -> Result<(), Interrupt> {
    let Found::Item(item) = open(reader).await? else {
        return Ok(());
    };
    let address = reader.addressing().locate_store_item();
    let is_adopted = adopted == Adopted::Yes;
    let Some(address) = address.filter(|_| read_adopted(&item) != is_adopted) else {
        return Ok(());
    };
    let edit = Edit {
        set: Item::new().with(ADOPTED, AttributeValue::Bool(is_adopted)),
        ..Edit::default()
    };
    let change = Action::new(Write::Update(edit)).demand(Demand::Present, Blame::Changed);
    match write(reader, &address, change).await {
        Ok(()) => {
            reader.runtime.own.set_adopted(is_adopted);
            Ok(())
        }
        Err(Interrupt::Fail(error)) if denied(&error).is_some() => Ok(()),
        Err(stop) => Err(stop),
    }
}
