//! The mark on a row that moves or is deleted: nothing new comes to what belongs to it, and a delete is told from a move.

use crate::address::Address;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::{Clash, Error};
use crate::find::being_moved;
use crate::interrupt::Interrupt;
use crate::mark::{self, Begun};
use crate::mechanism::collections::demand_mark;
use crate::reader::Reader;
use crate::scope::Scope;
use crate::writer;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;
use std::collections::BTreeSet;

/// Marks a row that moves, unless this very move has begun on it already, if what `beside` demands holds. A row that is being
/// deleted or purged is not moved: what is left of it is not all of it.
pub(super) async fn mark_move(
    reader: &Reader<'_>,
    (entity, address): (EntityId, &Address),
    (name, set): (&str, &Item),
    beside: Draft,
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
    let mut draft = beside;
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

/// Marks a row that is being deleted: from now on it is refused to reads, new references and moves. A move that has begun on it
/// is taken over: none of its later transactions finds its mark any more, so what is left on both sides is the delete's. `item` is
/// the row as it was read, and gets the mark.
pub(super) async fn mark_delete(
    reader: &Reader<'_>,
    (entity, address): (EntityId, &Address),
    item: &mut Item,
) -> Result<(), Interrupt> {
    let Some(mark) = reader.profile(entity).deleting.clone() else {
        return Ok(());
    };
    match mark::read(item, &mark) {
        // Another call has begun to delete it, and perhaps broke off: this one goes on with that.
        Some(Begun::Delete) => return Ok(()),
        // What has gone along has other keys by now: the move ends first.
        Some(Begun::Move { name, set }) if !set.is_empty() => {
            return Err(being_moved(reader, entity, &name).into());
        }
        Some(Begun::Move { .. }) | None => {}
    }
    let edit = Edit {
        set: Item::new().with(mark.as_str(), reader.circumstances.now_text()),
        remove: BTreeSet::from([mark::move_name(&mark), mark::values_name(&mark)]),
        ..Edit::default()
    };
    let missing = Error::not_found(reader.name(entity), reader.mention(entity, address));
    let action = Action::new(Write::Update(edit.clone())).demand(Demand::Present, missing);
    let mut draft = Draft::default();
    draft.add(address.clone(), demand_mark(reader, entity, item, action))?;
    writer::commit(reader, &mut draft).await?;
    if reader.mode.writes() {
        edit.apply(item);
    }
    Ok(())
}

/// What every transaction of a long operation demands: that nothing else has begun on the row since it was read.
pub(super) fn check_mark(
    scope: &Scope,
    (entity, address): (EntityId, &Address),
    item: &Item,
) -> Result<Draft, Interrupt> {
    let mut draft = Draft::default();
    if scope.profile(entity).deleting.is_some() {
        let check = demand_mark(scope, entity, item, Action::check());
        draft.add(address.clone(), check)?;
    }
    Ok(draft)
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
    let take = demand_mark(reader, entity, item, Action::new(Write::Update(edit)));
    let mut draft = Draft::default();
    draft.add(address.clone(), take)?;
    match writer::commit(reader, &mut draft).await {
        Ok(()) | Err(Interrupt::Restart) => Ok(()),
        Err(stop) => Err(stop),
    }
}
