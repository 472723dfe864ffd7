//! The writes of a delete: one unit for each row that goes, as many units in a transaction as fit.

use super::gather::{Removal, address_of};
use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::find::Referrer;
use crate::guard;
use crate::interrupt::Interrupt;
use crate::profile::stored_name;
use crate::reader::Reader;
use crate::record::{Change, Record};
use crate::write::{archive, claims, counted, derived, relations, update};
use crate::writer;
use monotable_item::Item;
use std::collections::BTreeSet;

/// Adds all deletes to one draft, leaves first.
pub(super) fn together(
    reader: &Reader<'_>,
    removal: &[Removal],
    whole: &mut Draft,
) -> Result<(), Interrupt> {
    for removal in removal.iter().rev() {
        whole.join(unit(reader, removal, &BTreeSet::new(), whole)?)?;
    }
    Ok(())
}

/// Sends deletes in transactions as large as they may be, leaves first.
pub(super) async fn in_chunks(reader: &Reader<'_>, removal: &[Removal]) -> Result<(), Interrupt> {
    let mut chunk = Draft::default();
    for removal in removal.iter().rev() {
        let unit = unit(reader, removal, &BTreeSet::new(), &chunk)?;
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
pub(super) fn unit(
    reader: &Reader<'_>,
    removal: &Removal,
    gone: &BTreeSet<Address>,
    beside: &Draft,
) -> Result<Draft, Interrupt> {
    let mut draft = Draft::default();
    remove(reader, &mut draft, &removal.record, &removal.item, gone)?;
    let address = address_of(reader, &removal.record, &removal.item)?;
    let row = (&removal.record, &removal.item);
    archive::deleted(
        reader,
        (&mut draft, beside),
        &address,
        row,
        &removal.cascade_path,
    )?;
    if !removal.expected.is_empty() {
        let address = address_of(reader, &removal.record, &removal.item)?;
        let delete = Action::new(Write::Delete);
        let expected = &removal.expected;
        let delete = update::unchanged(reader, &removal.record, &removal.item, expected, delete);
        draft.add(address, delete)?;
    }
    if let Some((link, item)) = &removal.link {
        remove(reader, &mut draft, link, item, gone)?;
        let address = address_of(reader, link, item)?;
        let row = (link, item);
        archive::deleted(
            reader,
            (&mut draft, beside),
            &address,
            row,
            &removal.cascade_path,
        )?;
    }
    for referrer in &removal.cleared {
        clear(reader, &mut draft, referrer)?;
    }
    Ok(draft)
}

/// The delete of one row, with its guards, what counts it and what follows from it.
fn remove(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: &Record,
    item: &Item,
    gone: &BTreeSet<Address>,
) -> Result<(), Interrupt> {
    let address = address_of(reader, row, item)?;
    let profile = reader.profile(row.entity);
    let mut action = Action::new(Write::Delete).demand(Demand::Present, Blame::Changed);
    action = update::unchanged(reader, row, item, &profile.dependencies, action);
    let watched = archive::watched(reader, row, None);
    action = update::unchanged(reader, row, item, &watched, action);
    // A row that was counted, numbered or related since would be left behind.
    let entity = reader.entity(row.entity);
    for name in &profile.managed {
        let counter = stored_name(entity, name);
        let demand = Demand::is(counter.as_str(), item.get(&counter).cloned());
        action = action.demand(demand, Blame::Changed);
    }
    draft.add_first(address, action)?;
    claims::swap(
        reader,
        draft,
        row.entity,
        guard::guards(reader, row)?,
        Vec::new(),
    )?;
    counted::recount(reader, draft, Some(row), None, gone)?;
    derived::follow(reader, draft, Some(row), None)?;
    let relation = reader.entity(row.entity).relation.as_ref();
    if let Some(relation) = relation.filter(|relation| relation.symmetric) {
        let twin = reader.row_address(&relations::mirrored_row(relation, row))?;
        draft.add(twin, Action::new(Write::Delete))?;
    }
    Ok(())
}

/// Removes the reference of a row that stays.
fn clear(reader: &Reader<'_>, draft: &mut Draft, referrer: &Referrer) -> Result<(), Interrupt> {
    let change = Change {
        unset: vec![referrer.inbound.attribute.clone()],
        ..Change::default()
    };
    let address = address_of(reader, &referrer.record, &referrer.item)?;
    let watched = BTreeSet::from([referrer.inbound.attribute.clone()]);
    let old = (referrer.record.clone(), referrer.item.clone());
    update::edit(reader, draft, &address, old, &change, watched)
}
