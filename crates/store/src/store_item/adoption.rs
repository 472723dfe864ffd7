//! Whether the rows of a store are all as the model writes them.
//!
//! A store that begins with empty tables is adopted from the beginning. One whose tables have rows older than its own item is
//! not: other programs may have written rows without guards and counters, so a missing guard says nothing. It is adopted
//! by `adopt`, or by a `verify` of all tenants that finds nothing. Until then operations read the rows themselves where
//! something is missing, or refuse.

use super::templates::{Recorded, Templates, read};
use super::{Found, denied, open, write};
use crate::draft::{Action, Blame, Demand, Edit, Write};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::request;
use crate::runtime::RowHistory;
use monotable_api::{Error as ServiceError, Response};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The attribute that says it.
pub(super) const ADOPTED: &str = "monotable#adopted";

/// What an item says.
pub(crate) fn read_adopted(item: &Item) -> bool {
    item.get(ADOPTED) == Some(&AttributeValue::Bool(true))
}

/// What an item says of the rows.
pub(super) fn read_history(model: &Model, item: &Item) -> RowHistory {
    RowHistory {
        is_adopted: read_adopted(item),
        in_old_layouts: in_old_layouts(model, &read(item)),
    }
}

/// The entities of which rows may stand under keys of another layout than the one that is written. Where the model chooses to
/// write another layout than the declared one, programs that write the declared one may come at any time.
fn in_old_layouts(model: &Model, recorded: &Recorded) -> BTreeSet<String> {
    let templates = Templates::new(model);
    let is_old = |name: &String| {
        let written = templates.0.get(name).map(|written| &written.text);
        let known = recorded.get(name).into_iter().flatten();
        known.into_iter().any(|known| Some(known) != written)
    };
    model
        .stored()
        .map(|(_, entity)| entity)
        .filter(|entity| entity.layout.is_some() || is_old(&entity.name.value))
        .map(|entity| entity.name.value.clone())
        .collect()
}

/// Who may have written the rows. A process reads the store's own item for it once, if nothing else has made it do so.
pub(crate) async fn row_history(reader: &Reader<'_>) -> Result<Arc<RowHistory>, Interrupt> {
    match reader.runtime.own.rows() {
        Some(known) => Ok(known),
        None => Box::pin(read_own_history(reader)).await,
    }
}

/// Reads the item without putting one: who only reads leaves that to the first write.
async fn read_own_history(reader: &Reader<'_>) -> Result<Arc<RowHistory>, Interrupt> {
    let Some(address) = reader.addressing().locate_store_item() else {
        return Ok(Arc::new(RowHistory::assumed()));
    };
    let request = || request::get(reader.model(), &address, true);
    let history = match reader.steps.call(request).await.result {
        Ok(Response::GetItem(output)) => match output.item {
            Some(item) => read_history(reader.model(), &item.to_item()),
            // Rows that are there are older than the item will be.
            None => {
                return Ok(Arc::new(RowHistory {
                    is_adopted: false,
                    in_old_layouts: BTreeSet::new(),
                }));
            }
        },
        Err(
            ServiceError::AccessDeniedException { .. }
            | ServiceError::ResourceNotFoundException { .. },
        ) => RowHistory::assumed(),
        Ok(other) => return Err(crate::execute::unexpected(&other).into()),
        Err(error) => return Err(Error::service(error).into()),
    };
    let history = Arc::new(history);
    reader.runtime.own.learn_rows(Arc::clone(&history));
    Ok(history)
}

/// Whether all rows are as the model writes them.
pub(crate) async fn is_adopted(reader: &Reader<'_>) -> Result<bool, Interrupt> {
    Ok(row_history(reader).await?.is_adopted)
}

/// Refuses what cannot be decided as long as other programs may have written rows. Another process may have adopted them
/// since this one has asked: then the operation begins anew.
pub(crate) async fn refuse_unadopted(reader: &Reader<'_>, undecided: &str) -> Interrupt {
    match Box::pin(read_own_history(reader)).await {
        Ok(history) if history.is_adopted => Interrupt::Restart,
        Ok(_) => Error::integrity(format!(
            "{undecided}. The table has rows that are older than this store, and other programs may have written them: \
             run `monotable adopt`, which completes them, or a `monotable verify` that finds nothing, and call again. \
             Nothing was written"
        ))
        .into(),
        Err(stop) => stop,
    }
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
            let history = RowHistory {
                is_adopted,
                ..read_history(reader.model(), &item)
            };
            reader.runtime.own.learn_rows(history);
            Ok(())
        }
        Err(Interrupt::Fail(error)) if denied(&error).is_some() => Ok(()),
        Err(stop) => Err(stop),
    }
}
