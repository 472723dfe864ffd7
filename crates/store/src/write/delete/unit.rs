//! The writes of a delete: one unit for each row that goes, as many units in a transaction as fit.

use super::gather::{Going, place_of};
use crate::anatomy::stored_name;
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::place::Place;
use crate::record::{Change, Record};
use crate::session::{Session, Stop};
use crate::write::find::Referrer;
use crate::write::{archive, claims, counted, derived, relations, update};
use monotable_item::Item;
use std::collections::BTreeSet;

/// Adds all deletes to one draft, leaves first.
pub(super) fn together(session: &Session, going: &[Going], whole: &mut Draft) -> Result<(), Stop> {
    for going in going.iter().rev() {
        whole.join(unit(session, going, &BTreeSet::new(), whole)?)?;
    }
    Ok(())
}

/// Sends deletes in transactions as large as they may be, leaves first.
pub(super) async fn in_chunks(session: &Session, going: &[Going]) -> Result<(), Stop> {
    let mut chunk = Draft::default();
    for going in going.iter().rev() {
        let unit = unit(session, going, &BTreeSet::new(), &chunk)?;
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
    going: &Going,
    gone: &BTreeSet<Place>,
    beside: &Draft,
) -> Result<Draft, Stop> {
    let mut draft = Draft::default();
    remove(session, &mut draft, &going.record, &going.item, gone)?;
    let place = place_of(session, &going.record, &going.item)?;
    let row = (&going.record, &going.item);
    archive::deleted(session, (&mut draft, beside), &place, row, &going.because)?;
    if !going.expected.is_empty() {
        let place = place_of(session, &going.record, &going.item)?;
        let delete = Action::new(Write::Delete);
        let expected = &going.expected;
        let delete = update::unchanged(session, &going.record, &going.item, expected, delete);
        draft.add(place, delete)?;
    }
    if let Some((link, item)) = &going.link {
        remove(session, &mut draft, link, item, gone)?;
        let place = place_of(session, link, item)?;
        let row = (link, item);
        archive::deleted(session, (&mut draft, beside), &place, row, &going.because)?;
    }
    for referrer in &going.cleared {
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
    gone: &BTreeSet<Place>,
) -> Result<(), Stop> {
    let place = place_of(session, row, item)?;
    let anatomy = session.anatomy(row.entity);
    let mut action = Action::new(Write::Delete).demand(Demand::Present, Blame::Changed);
    action = update::unchanged(session, row, item, &anatomy.depends, action);
    let watched = archive::watched(session, row, None);
    action = update::unchanged(session, row, item, &watched, action);
    // A row that was counted, numbered or related since would be left behind.
    let entity = session.entity(row.entity);
    for name in &anatomy.kept {
        let counter = stored_name(entity, name);
        let demand = Demand::is(counter.as_str(), item.get(&counter).cloned());
        action = action.demand(demand, Blame::Changed);
    }
    draft.add_first(place, action)?;
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
        let twin = session.row_place(&relations::mirrored(relation, row))?;
        draft.add(twin, Action::new(Write::Delete))?;
    }
    Ok(())
}

/// Removes the reference of a row that stays.
fn clear(session: &Session, draft: &mut Draft, referrer: &Referrer) -> Result<(), Stop> {
    let change = Change {
        unset: vec![referrer.inbound.attribute.clone()],
        ..Change::default()
    };
    let place = place_of(session, &referrer.record, &referrer.item)?;
    let watched = BTreeSet::from([referrer.inbound.attribute.clone()]);
    let old = (referrer.record.clone(), referrer.item.clone());
    update::edit(session, draft, &place, old, &change, watched)
}
