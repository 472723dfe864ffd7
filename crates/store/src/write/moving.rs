//! Moves: attributes of a key change, and rows that share them change with them.
//!
//! Rows that go along are put under their new keys and deleted under the old ones, in one transaction if it fits. Else
//! they go in chunks, the row itself last: until it has moved, the same call finds what is left and goes on.

use super::audit::{self, AuditedAction};
use super::relocation::{Direction, move_collection};
use super::{archive, checks, claims, counted, derived, references, update};
use crate::allowed::Allowed;
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::{Clash, Error};
use crate::guard;
use crate::interrupt::Interrupt;
use crate::read;
use crate::reader::Reader;
use crate::record::{self, Record};
use crate::rights::{Gate, Question, Right};
use crate::scope::Scope;
use crate::token;
use crate::writer;
use monotable_item::Item;
use monotable_model::model::{EntityId, Move, MoveKind};
use monotable_model::span::Name;
use std::collections::BTreeSet;

/// Moves a row as the model declares.
pub(crate) async fn move_row(
    reader: &Reader<'_>,
    name: &str,
    key: &Item,
    set: &Item,
) -> Result<Allowed<Record>, Interrupt> {
    let moves = &reader.model().moves;
    for declared in moves {
        if let Some((direction, to, rest, removes)) = direction(declared, name) {
            if let Some((given, _)) = set.iter().next() {
                let message = format!("`{name}` takes a key alone, and no `{given}`");
                return Err(Error::usage(message).into());
            }
            let kinds = (to, rest, removes);
            return move_collection(reader, declared, kinds, key, direction).await;
        }
    }
    let declared = moves.iter().find(|declared| declared.name.value == name);
    let Some(declared) = declared else {
        let known: Vec<_> = moves
            .iter()
            .map(|known| known.name.value.as_str())
            .collect();
        let message = format!(
            "the model has no move `{name}`; it has {}",
            known.join(", ")
        );
        return Err(Error::usage(message).into());
    };
    let MoveKind::Changes { changes, carries } = &declared.kind else {
        return Err(Error::usage(format!("`{name}` turns rows into others")).into());
    };
    if set.is_empty() {
        let known: Vec<_> = changes.iter().map(|known| known.value.as_str()).collect();
        let known = known.join("`, `");
        return Err(Error::usage(format!("the move needs a new value of `{known}`")).into());
    }
    for (name, _) in set.iter() {
        if !changes.iter().any(|known| known.value == *name) {
            let known: Vec<_> = changes.iter().map(|known| known.value.as_str()).collect();
            let known = known.join("`, `");
            let message = format!("the move changes `{known}`, not `{name}`");
            return Err(Error::usage(message).into());
        }
    }
    let address = reader.address(declared.of, key)?;
    let nothing = Draft::default();
    let (row, item) = update::existing(reader, &nothing, declared.of, &address).await?;
    let mut gate = Gate::new(reader);
    let mention = || reader.mention(declared.of, &address);
    gate.begin(&nothing, Right::Update, &row, mention).await?;
    update::refuse_deleting(reader, declared.of, &item, &address)?;
    let moved = move_values(reader, &row, set);
    let question = Question::update(&row, &moved);
    let permit = gate.admit(&nothing, question, mention).await?;
    // What goes along is all that the model says, also what the caller does not see.
    let program = reader.scope.for_program();
    let program = reader.with_scope(&program);
    let mut carried = Vec::new();
    for pattern in carries {
        let found = read::read_all(&program, *pattern, &row.values).await?;
        let others = found
            .into_iter()
            .filter(|found| found.record.entity != declared.of);
        carried.extend(others.map(|found| {
            let moved = move_values(reader, &found.record, set);
            (found, moved)
        }));
    }
    let questions = carried
        .iter()
        .map(|(found, moved)| Question::update(&found.record, moved));
    gate.admit_all(&nothing, &questions.collect::<Vec<_>>())
        .await?;
    let mut units = Vec::new();
    for (found, moved) in &carried {
        let item = found.item.to_item();
        units.extend(rekeyed(reader, declared, (&found.record, &item), moved)?);
    }
    let mut own = rekeyed(reader, declared, (&row, &item), &moved)?;
    if let Some(own) = &mut own {
        references::demand(reader, own, &moved, Some(&row)).await?;
        checks::demand(reader, own, &moved, Some(&row)).await?;
        counted::recount(reader, own, Some(&row), Some(&moved), &BTreeSet::new())?;
        archive::changed(reader, own, &address, (&row, &item), &moved)?;
        audit::note_write(
            reader,
            own,
            AuditedAction::Update,
            &address,
            Some(&row),
            Some(&moved),
        )?;
    }
    let mut whole = Draft::default();
    for unit in units.iter().chain(&own) {
        whole.join(unit.clone())?;
    }
    token::note_answer(reader, &mut whole, [&moved])?;
    if whole.fits() {
        writer::commit(reader, &mut whole).await?;
        return Ok(permit.answer(reader, moved));
    }
    writer::commit_in_chunks(reader, units).await?;
    if !reader.mode.writes() {
        return Ok(permit.answer(reader, moved));
    }
    // What an index showed late, or others wrote meanwhile, goes in the next round; the row itself in the last.
    Err(Interrupt::Restart)
}

/// Which way a name takes a move to another entity, and the entities that it is about.
pub(super) fn direction<'m>(
    declared: &'m Move,
    name: &str,
) -> Option<(Direction, EntityId, Option<EntityId>, &'m [EntityId])> {
    let MoveKind::To {
        to,
        rest,
        undo,
        purge,
        removes,
    } = &declared.kind
    else {
        return None;
    };
    let is = |known: &Option<Name>| known.as_ref().is_some_and(|known| known.value == name);
    let direction = match () {
        () if declared.name.value == name => Direction::Away,
        () if is(undo) => Direction::Back,
        () if is(purge) => Direction::Purge,
        () => return None,
    };
    Some((direction, *to, *rest, removes))
}

/// A row with the new values of its key.
fn move_values(scope: &Scope, row: &Record, set: &Item) -> Record {
    let mut moved = row.clone();
    for (name, value) in set.iter() {
        moved.values.insert(name.clone(), value.clone());
    }
    record::touch(scope.entity(row.entity), &mut moved, &scope.circumstances);
    moved
}

/// A row under its new key and no longer under its old one; none if its key stays.
fn rekeyed(
    reader: &Reader<'_>,
    declared: &Move,
    (row, item): (&Record, &Item),
    moved: &Record,
) -> Result<Option<Draft>, Interrupt> {
    let address = reader
        .addressing()
        .locate_item(reader.entity(row.entity).table, item);
    let Some(address) = address else {
        return Ok(None);
    };
    let new_address = reader.row_address(moved)?;
    if address == new_address {
        return Ok(None);
    }
    let entity = reader.name(row.entity);
    let note = format!("(by `{}`)", declared.name.value);
    let clash = Clash::key(reader.mention_for_program(&new_address).with_note(&note));
    let mut draft = Draft::default();
    let mut delete = Action::new(Write::Delete).demand(Demand::Present, Blame::Changed);
    // The item is copied: nothing of it may have changed since it was read.
    for (name, value) in item.iter() {
        delete = delete.demand(Demand::is(name, Some(value.clone())), Blame::Changed);
    }
    draft.add(address, delete)?;
    let put = Action::new(Write::Put(reader.encode(moved)?))
        // An old copy that an index still showed has been moved already.
        .demand(
            Demand::Absent,
            Blame::FailUnlessChanged(Error::conflict(entity, clash)),
        );
    draft.add(new_address, put)?;
    let (before, after) = (guard::guards(reader, row)?, guard::guards(reader, moved)?);
    claims::swap(reader, &mut draft, row.entity, before, after)?;
    derived::follow(reader, &mut draft, Some(row), Some(moved))?;
    Ok(Some(draft))
}
