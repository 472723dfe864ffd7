//! The writes of a delete: one unit for each row that goes, as many units in a transaction as fit.

use super::gather::Removal;
use crate::address::Address;
use crate::change::{Cause, ItemChange, Run, StoredRow};
use crate::draft::{Action, Blame, Draft};
use crate::find::Referrer;
use crate::interrupt::Interrupt;
use crate::pipeline;
use crate::reader::Reader;
use crate::record::{self, Change};
use crate::scope::Scope;
use crate::writer;
use std::collections::BTreeSet;

/// Adds all deletes to one draft, leaves first.
pub(super) async fn together(
    reader: &Reader<'_>,
    removal: &[Removal],
    whole: &mut Draft,
) -> Result<(), Interrupt> {
    for removal in removal.iter().rev() {
        let unit = unit(reader, removal, &BTreeSet::new(), whole).await?;
        whole.join(unit)?;
    }
    Ok(())
}

/// Sends deletes in transactions as large as they may be, leaves first.
pub(super) async fn in_chunks(reader: &Reader<'_>, removal: &[Removal]) -> Result<(), Interrupt> {
    let mut chunk = Draft::default();
    for removal in removal.iter().rev() {
        let unit = unit(reader, removal, &BTreeSet::new(), &chunk).await?;
        if !chunk.fits_with(&unit) {
            writer::commit(reader, &mut chunk).await?;
            chunk = Draft::default();
        }
        chunk.join(unit)?;
    }
    writer::commit(reader, &mut chunk).await
}

/// What is deleted and changed with one row, in one transaction. Rows that are `gone` count nothing any more; what is
/// archived makes way for what is `beside` it.
pub(super) async fn unit(
    reader: &Reader<'_>,
    removal: &Removal,
    gone: &BTreeSet<Address>,
    beside: &Draft,
) -> Result<Draft, Interrupt> {
    let mut draft = Draft::default();
    let mut run = Run::new(*reader, &mut draft);
    run.beside = Some(beside);
    run.gone.clone_from(gone);
    for change in changes(reader, removal)? {
        pipeline::apply(&mut run, change).await?;
    }
    for (address, demand) in &removal.missing_leaves {
        let check = Action::check().demand(demand.clone(), Blame::Changed);
        draft.add(address.clone(), check)?;
    }
    Ok(draft)
}

/// The changes that one removal is: the row, the row that made it owned, and the rows that lose their reference to it.
fn changes(scope: &Scope, removal: &Removal) -> Result<Vec<ItemChange>, Interrupt> {
    let row = StoredRow::locate(scope, removal.record.clone(), removal.item.clone())?;
    let row = ItemChange::new(removal.cause(), Some(row), None);
    let mut changes = vec![row.decided_by(removal.expected.iter().cloned())];
    if let Some((link, item)) = &removal.link {
        let link = StoredRow::locate(scope, link.clone(), item.clone())?;
        changes.push(ItemChange::new(removal.cause(), Some(link), None));
    }
    for referrer in &removal.cleared {
        changes.push(clear(scope, removal, referrer)?);
    }
    Ok(changes)
}

/// A row that stays, without its reference to the row that goes.
pub(super) fn clear(
    scope: &Scope,
    removal: &Removal,
    referrer: &Referrer,
) -> Result<ItemChange, Interrupt> {
    let attribute = &referrer.inbound.attribute;
    let change = Change {
        unset: vec![attribute.clone()],
        ..Change::default()
    };
    let old = &referrer.record;
    let new = record::changed(scope.compiled(), old, &change, &scope.circumstances)
        .map_err(|errors| scope.refused(old.entity, errors))?;
    let stored = StoredRow::locate(scope, old.clone(), referrer.item.clone())?;
    let cause = Cause::Cascade(removal.cascade_path.clone());
    let change = ItemChange::new(cause, Some(stored), Some(new));
    Ok(change.decided_by([attribute.clone()]))
}
