//! Moves: attributes of a key change, and rows that share them change with them.
//!
//! Rows that go along are put under their new keys and deleted under the old ones, in one transaction if it fits. Else
//! the row is marked with the move and its values, and they go in chunks, the row itself last: until it has moved, the same
//! call finds what is left and goes on, and nothing new comes to the row.

use super::marking::{mark_move, refuse_other_mark, unmark};
use super::relocation::move_collection;
use super::update;
use crate::allowed::Allowed;
use crate::change::{Cause, ItemChange, Run, StoredRow, find_direction};
use crate::draft::{Action, Blame, Demand, Draft};
use crate::error::{Error, ErrorKind};
use crate::find::stored_place_of_key;
use crate::interrupt::Interrupt;
use crate::mark;
use crate::pipeline;
use crate::profile::role;
use crate::read;
use crate::reader::Reader;
use crate::record::{self, Record};
use crate::rights::{Gate, Question, Right};
use crate::scope::Scope;
use crate::token;
use crate::value;
use crate::writer;
use monotable_item::Item;
use monotable_model::model::{MoveKind, Role};
use std::collections::BTreeMap;

/// Moves a row as the model declares.
pub(crate) async fn move_row(
    reader: &Reader<'_>,
    name: &str,
    key: &Item,
    set: &Item,
) -> Result<Allowed<Record>, Interrupt> {
    let moves = &reader.model().moves;
    for declared in moves {
        if let Some(other) = find_direction(declared, name) {
            if let Some((given, _)) = set.iter().next() {
                let message = format!("`{name}` takes a key alone, and no `{given}`");
                return Err(Error::usage(message).into());
            }
            return move_collection(reader, declared, &other, key).await;
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
    let nothing = Draft::default();
    let address = stored_place_of_key(reader, &nothing, declared.of, key).await?;
    let (row, item) = update::existing(reader, &nothing, declared.of, &address).await?;
    let mut gate = Gate::new(reader);
    let mention = || reader.mention(declared.of, &address);
    gate.begin(&nothing, Right::Update, &row, mention).await?;
    let place = (declared.of, &address);
    let name = &declared.name.value;
    let is_going_on = refuse_other_mark(reader, place, &item, name, set)?;
    let moved = move_values(reader, &row, set)?;
    let question = Question::update(&row, &moved);
    let permit = gate.admit(&nothing, question, mention).await?;
    // What goes along is all that the model says, also what the caller does not see.
    let program = reader.scope.for_program();
    let program = reader.with_scope(&program);
    let mut carried = Vec::new();
    let mut gone_before = 0;
    for pattern in carries {
        let found = read::read_all(&program, *pattern, &row.values).await?;
        let others = found
            .into_iter()
            .filter(|found| found.record.entity != declared.of);
        for found in others {
            // What has the new values has gone before.
            let is_moved = set
                .iter()
                .all(|(name, value)| found.record.values.get(name).is_none_or(|own| own == value));
            if is_moved {
                gone_before += 1;
                continue;
            }
            let moved = move_values(reader, &found.record, set)?;
            carried.push((found, moved));
        }
    }
    let questions = carried
        .iter()
        .map(|(found, moved)| Question::update(&found.record, moved));
    gate.admit_all(&nothing, &questions.collect::<Vec<_>>())
        .await?;
    let mut changes = Vec::new();
    for (found, moved) in carried {
        let stored = StoredRow::locate(reader, found.record, found.item.to_item())?;
        let cause = Cause::Carried(name.clone());
        changes.push(ItemChange::new(cause, Some(stored), Some(moved)).of_whole_rows());
    }
    let stored = StoredRow {
        address: address.clone(),
        record: row.clone(),
        item,
    };
    let cause = Cause::Rekeyed(name.clone());
    changes.push(ItemChange::new(cause, Some(stored), Some(moved.clone())).of_whole_rows());
    let mut units = write_changes(reader, changes).await?;
    let own = units.pop();
    let mut whole = Draft::default();
    for unit in units.iter().chain(&own) {
        whole.join(unit.clone())?;
    }
    token::note_answer(reader, &mut whole, [&moved])?;
    if whole.fits() {
        writer::commit(reader, &mut whole).await?;
        return Ok(permit.answer(reader, moved));
    }
    if !is_going_on {
        writer::refuse_early(reader, units.iter().chain(&own)).await?;
        mark_move(reader, place, name, set).await?;
    }
    // Nothing else may have begun on the row since.
    let mut each = Draft::default();
    if reader.mode.writes()
        && let Some(mark) = &reader.profile(declared.of).deleting
    {
        let own = Demand::is(mark::move_name(mark), Some(name.as_str().into()));
        each.add(address.clone(), Action::check().demand(own, Blame::Changed))?;
    }
    let mut written = 0;
    let sent = writer::commit_counting_chunks(reader, &each, units, &mut written).await;
    if let Err(stop) = sent {
        // What was refused before anything moved is as it was.
        if written == 0
            && gone_before == 0
            && is_refusal(&stop)
            && let Some(marked) = reader.get(&address, true).await?
        {
            unmark(reader, place, &marked.to_item()).await?;
        }
        return Err(stop);
    }
    if !reader.mode.writes() {
        if let Some(mut last) = own {
            writer::commit(reader, &mut last).await?;
        }
        return Ok(permit.answer(reader, moved));
    }
    // What an index showed late, or others wrote meanwhile, goes in the next round; the row itself in the last.
    Err(Interrupt::Restart)
}

/// Whether nothing was written: of what the service did not answer that is not known.
fn is_refusal(stop: &Interrupt) -> bool {
    match stop {
        Interrupt::Fail(error) => !matches!(error.kind(), ErrorKind::Retryable | ErrorKind::Fatal),
        Interrupt::Restart | Interrupt::RestartAvoiding(_) => false,
    }
}

/// Each change in a draft of its own.
async fn write_changes(
    reader: &Reader<'_>,
    changes: Vec<ItemChange>,
) -> Result<Vec<Draft>, Interrupt> {
    let mut moved = BTreeMap::new();
    for change in &changes {
        if let (Some(old), Some(new)) = (change.first_old(), change.after()) {
            moved.insert(old.address.clone(), reader.row_address(new)?);
        }
    }
    let mut units = Vec::new();
    for change in changes {
        let mut unit = Draft::default();
        let mut run = Run::new(*reader, &mut unit);
        run.moved.clone_from(&moved);
        pipeline::apply(&mut run, change).await?;
        units.push(unit);
    }
    Ok(units)
}

/// A row with the new values of its key.
fn move_values(scope: &Scope, row: &Record, set: &Item) -> Result<Record, Error> {
    let entity = scope.entity(row.entity);
    let mut moved = row.clone();
    if let Some(mark) = role(entity, Role::Deleting) {
        moved.values.remove(&mark.name.value);
    }
    let mut errors = Vec::new();
    for (name, value) in set.iter() {
        let Some(attribute) = entity.attribute(name) else {
            continue;
        };
        match value::accept(&attribute.kind, value.clone()) {
            Ok(value) => {
                moved.values.insert(name.clone(), value);
            }
            Err(problem) => {
                errors.push(record::refuse_value(Some(attribute), name, value, problem));
            }
        }
    }
    record::touch(entity, &mut moved, &scope.circumstances);
    record::compute(scope.model(), &mut moved, &scope.circumstances);
    if errors.is_empty() {
        Ok(moved)
    } else {
        Err(scope.refused(row.entity, errors))
    }
}
