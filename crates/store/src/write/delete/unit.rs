//! The writes of a delete: one unit for each row that goes, as many units in a transaction as fit.

use super::gather::{Removal, address_of};
use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::profile::stored_name;
use crate::record::{Change, Record};
use crate::session::{Interrupt, Session};
use crate::write::find::Referrer;
use crate::write::{archive, claims, counted, derived, relations, update};
use monotable_item::Item;
use std::collections::BTreeSet;

/// Adds all deletes to one draft, leaves first.
pub(super) fn together(
    session: &Session,
    removal: &[Removal],
    whole: &mut Draft,
) -> Result<(), Interrupt> {
    for removal in removal.iter().rev() {
        whole.join(unit(session, removal, &BTreeSet::new(), whole)?)?;
    }
    Ok(())
}

/// Sends deletes in transactions as large as they may be, leaves first.
pub(super) async fn in_chunks(session: &Session, removal: &[Removal]) -> Result<(), Interrupt> {
    let mut chunk = Draft::default();
    for removal in removal.iter().rev() {
        let unit = unit(session, removal, &BTreeSet::new(), &chunk)?;
        if !chunk.fits_with(&unit) {
            session.commit(&mut chunk).await?;
            chunk = Draft::default();
        }
        chunk.join(unit)?;
    }
    session.commit(&mut chunk).await
}

/// What is deleted and changed with one row, in one transaction. Rows that are `gone` count nothing any more; what is
/// archived makes way for what is `beside` it.
pub(super) fn unit(
    session: &Session,
    removal: &Removal,
    gone: &BTreeSet<Address>,
    beside: &Draft,
) -> Result<Draft, Interrupt> {
    let mut draft = Draft::default();
    remove(session, &mut draft, &removal.record, &removal.item, gone)?;
    let address = address_of(session, &removal.record, &removal.item)?;
    let row = (&removal.record, &removal.item);
    archive::deleted(
        session,
        (&mut draft, beside),
        &address,
        row,
        &removal.cascade_path,
    )?;
    if !removal.expected.is_empty() {
        let address = address_of(session, &removal.record, &removal.item)?;
        let delete = Action::new(Write::Delete);
        let expected = &removal.expected;
        let delete = update::unchanged(session, &removal.record, &removal.item, expected, delete);
        draft.add(address, delete)?;
    }
    if let Some((link, item)) = &removal.link {
        remove(session, &mut draft, link, item, gone)?;
        let address = address_of(session, link, item)?;
        let row = (link, item);
        archive::deleted(
            session,
            (&mut draft, beside),
            &address,
            row,
            &removal.cascade_path,
        )?;
    }
    for referrer in &removal.cleared {
        clear(session, &mut draft, referrer)?;
    }
    Ok(draft)
}

/// The delete of one row, with its guards, what counts it and what follows from it.
fn remove(
    session: &Session,
    draft: &mut Draft,
    row: &Record,
    item: &Item,
    gone: &BTreeSet<Address>,
) -> Result<(), Interrupt> {
    let address = address_of(session, row, item)?;
    let profile = session.profile(row.entity);
    let mut action = Action::new(Write::Delete).demand(Demand::Present, Blame::Changed);
    action = update::unchanged(session, row, item, &profile.dependencies, action);
    let watched = archive::watched(session, row, None);
    action = update::unchanged(session, row, item, &watched, action);
    // A row that was counted, numbered or related since would be left behind.
    let entity = session.entity(row.entity);
    for name in &profile.managed {
        let counter = stored_name(entity, name);
        let demand = Demand::is(counter.as_str(), item.get(&counter).cloned());
        action = action.demand(demand, Blame::Changed);
    }
    draft.add_first(address, action)?;
    claims::swap(
        session,
        draft,
        row.entity,
        claims::guards(session, row)?,
        Vec::new(),
    )?;
    counted::recount(session, draft, Some(row), None, gone)?;
    derived::follow(session, draft, Some(row), None)?;
    let relation = session.entity(row.entity).relation.as_ref();
    if let Some(relation) = relation.filter(|relation| relation.symmetric) {
        let twin = session.row_address(&relations::mirrored_row(relation, row))?;
        draft.add(twin, Action::new(Write::Delete))?;
    }
    Ok(())
}

/// Removes the reference of a row that stays.
fn clear(session: &Session, draft: &mut Draft, referrer: &Referrer) -> Result<(), Interrupt> {
    let change = Change {
        unset: vec![referrer.inbound.attribute.clone()],
        ..Change::default()
    };
    let address = address_of(session, &referrer.record, &referrer.item)?;
    let watched = BTreeSet::from([referrer.inbound.attribute.clone()]);
    let old = (referrer.record.clone(), referrer.item.clone());
    update::edit(session, draft, &address, old, &change, watched)
}
