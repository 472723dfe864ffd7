//! The mark on a row that moves: nothing new comes to what belongs to it, and a delete is told from a move.

use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::{Clash, Error};
use crate::interrupt::Interrupt;
use crate::mark::{self, Begun};
use crate::reader::Reader;
use crate::scope::Scope;
use crate::writer;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;
use std::collections::BTreeSet;

/// Marks a row that moves, unless this very move has begun on it already. A row that is being deleted or purged is not
/// moved: what is left of it is not all of it.
pub(super) async fn mark_move(
    reader: &Reader<'_>,
    (entity, address): (EntityId, &Address),
    name: &str,
    set: &Item,
) -> Result<(), Interrupt> {
    let Some(mark) = reader.profile(entity).deleting.clone() else {
        return Ok(());
    };
    let Some(item) = reader.get(address, true).await? else {
        return Err(Error::not_found(reader.name(entity), reader.mention(entity, address)).into());
    };
    if refuse_other_mark(reader, (entity, address), &item.to_item(), name, set)? {
        return Ok(());
    }
    let mut marks = Item::new()
        .with(mark.as_str(), reader.circumstances.now_text())
        .with(mark::move_name(&mark), AttributeValue::S(name.to_owned()));
    if !set.is_empty() {
        marks.insert(mark::values_name(&mark), AttributeValue::M(set.clone()));
    }
    let edit = Edit {
        set: marks,
        ..Edit::default()
    };
    let action = Action::new(Write::Update(edit))
        .demand(Demand::Present, Blame::Changed)
        .demand(Demand::is(mark, None), Blame::Changed);
    let mut draft = Draft::default();
    draft.add(address.clone(), action)?;
    writer::commit(reader, &mut draft).await
}

/// Refuses a row on which something else has begun. True: this very move has.
pub(super) fn refuse_other_mark(
    scope: &Scope,
    (entity, address): (EntityId, &Address),
    item: &Item,
    name: &str,
    set: &Item,
) -> Result<bool, Error> {
    let mark = scope.profile(entity).deleting.as_deref();
    match mark.and_then(|mark| mark::read(item, mark)) {
        None => Ok(false),
        Some(Begun::Move {
            name: known,
            set: given,
        }) if known == name && given == *set => Ok(true),
        // What has gone along has the values that were given then.
        Some(Begun::Move { name, set }) if !set.is_empty() => {
            Err(Error::conflict(scope.name(entity), Clash::Moving { name }))
        }
        Some(_) => {
            let mention = scope.mention(entity, address);
            Err(Error::being_deleted(scope.name(entity), mention))
        }
    }
}

/// What is purged cannot be taken back any more.
pub(super) async fn forget_move(
    reader: &Reader<'_>,
    (entity, address): (EntityId, &Address),
) -> Result<(), Interrupt> {
    let Some(mark) = reader.profile(entity).deleting.clone() else {
        return Ok(());
    };
    let edit = Edit {
        remove: BTreeSet::from([mark::move_name(&mark)]),
        ..Edit::default()
    };
    let action = Action::new(Write::Update(edit)).demand(Demand::Present, Blame::Changed);
    let mut draft = Draft::default();
    draft.add(address.clone(), action)?;
    writer::commit(reader, &mut draft).await
}

/// Takes the mark off again, if it is this one.
pub(super) async fn unmark(
    reader: &Reader<'_>,
    (entity, address): (EntityId, &Address),
    item: &Item,
) -> Result<(), Interrupt> {
    let Some(mark) = reader.profile(entity).deleting.clone() else {
        return Ok(());
    };
    let edit = Edit {
        remove: BTreeSet::from(mark::names(&mark)),
        ..Edit::default()
    };
    let known = item.get(&mark).cloned();
    let take = Action::new(Write::Update(edit)).demand(Demand::is(mark, known), Blame::Changed);
    let mut draft = Draft::default();
    draft.add(address.clone(), take)?;
    match writer::commit(reader, &mut draft).await {
        Ok(()) | Err(Interrupt::Restart) => Ok(()),
        Err(stop) => Err(stop),
    }
}
