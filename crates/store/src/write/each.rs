//! One item that is stored as several rows: one for each element of a list.
//!
//! Every row has the whole list, its own element and its place. A write of the item makes all rows equal to it in one
//! transaction; each row that was read must still be what it was.

use super::create::{make_row, replacement};
use super::delete::{Removal, delete_belongings};
use super::update::Expected;
use crate::address::Finder;
use crate::allowed::Allowed;
use crate::change::{ItemChange, RowChange, Run, StoredRow, WriteKind};
use crate::draft::{Action, Blame, Demand, Draft};
use crate::error::Error;
use crate::field_error::{FieldError, Problem};
use crate::find::finder;
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::pipeline;
use crate::read::has_expired;
use crate::reader::Reader;
use crate::record::{self, Change, Record};
use crate::rights::{Gate, Permit, Question, Right};
use crate::scope::Scope;
use crate::spread::{self, positions, spread};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;
use std::collections::BTreeSet;

/// Refuses what each row has of its own.
fn refuse_parts(scope: &Scope, entity: EntityId, given: &Item) -> Result<(), Error> {
    let declared = scope.entity(entity);
    let own = declared.each.iter().flat_map(|each| {
        let names = positions(declared, each);
        names.into_iter().chain([each.variable.value.clone()])
    });
    let errors: Vec<_> = own
        .filter(|name| given.get(name).is_some())
        .map(|name| FieldError::new(name, Problem::NotGiven))
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(scope.refused(entity, errors))
    }
}

/// Adds a new item.
pub(super) async fn create(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    given: &Item,
) -> Result<Allowed<Record>, Interrupt> {
    refuse_parts(reader, entity, given)?;
    let item = make_row(reader, draft, entity, given).await?;
    let rows = spread(reader, &item);
    let questions: Vec<_> = rows.iter().map(Question::create).collect();
    let mut gate = Gate::new(reader);
    let permit = gate.admit_item(draft, &questions, Mention::default).await?;
    let rows = rows.into_iter().map(|row| RowChange::new(None, Some(row)));
    let whole = (None, Some(item.clone()));
    let change = ItemChange::spread(WriteKind::Create, rows.collect(), whole);
    pipeline::apply(&mut Run::new(*reader, draft), change).await?;
    Ok(permit.answer(reader, item))
}

/// Adds an item, or makes the one there equal to it.
pub(super) async fn put(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    given: &Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    refuse_parts(reader, entity, given)?;
    // What the model fills in may be in the key.
    let new = make_row(reader, draft, entity, given).await?;
    let old = stored(reader, entity, &new.values).await?;
    let Some((first, _)) = old.first() else {
        return create(reader, draft, entity, given).await;
    };
    let mut gate = Gate::new(reader);
    let mention = || mention(given);
    let rows = spread(reader, &new);
    let made = rows.first().unwrap_or(&new);
    gate.begin_replacing(draft, first, made, mention).await?;
    expected.check_for(&mut gate, first).await?;
    let change = replacement(reader, first, &new, given);
    let (item, permit) = rewrite(reader, draft, old, &change, (&mut gate, given)).await?;
    Ok(permit.answer(reader, item))
}

/// Adds a change of an item.
pub(super) async fn update(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    key: &Item,
    change: &Change,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    refuse_parts(reader, entity, &change.set)?;
    let old = existing(reader, entity, key).await?;
    let is_expired = |item: &Item| has_expired(reader, entity, |name| item.get(name).cloned());
    if old.iter().any(|(_, item)| is_expired(item)) {
        return Err(Error::not_found(reader.name(entity), mention(key)).into());
    }
    let mut gate = Gate::new(reader);
    if let Some((first, _)) = old.first() {
        let mention = || mention(key);
        gate.begin(draft, Right::Update, first, mention).await?;
        expected.check_for(&mut gate, first).await?;
    }
    let (item, permit) = rewrite(reader, draft, old, change, (&mut gate, key)).await?;
    Ok(permit.answer(reader, item))
}

/// Deletes an item, with everything that goes with its rows.
pub(super) async fn delete(
    reader: &Reader<'_>,
    draft: &mut Draft,
    gone: &mut Vec<Removal>,
    entity: EntityId,
    key: &Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    let old = existing(reader, entity, key).await?;
    let questions: Vec<_> = old.iter().map(|(row, _)| Question::delete(row)).collect();
    let mut gate = Gate::new(reader);
    let permit = gate.admit_item(draft, &questions, || mention(key)).await?;
    let Some((first, _)) = old.first() else {
        return Err(Error::not_found(reader.name(entity), mention(key)).into());
    };
    expected.check_for(&mut gate, first).await?;
    let item = spread::join(reader, first.clone());
    keep_missing_absent(reader, draft, &item, &old, &[])?;
    gone.extend(delete_belongings(reader, draft, &old).await?);
    let mut rows = Vec::new();
    for (row, stored) in old {
        let stored = StoredRow::locate(reader, row, stored)?;
        rows.push(RowChange::new(Some(stored), None));
    }
    let whole = (Some(item.clone()), None);
    let change = ItemChange::spread(WriteKind::Delete, rows, whole);
    let watched = pipeline::judge_removal(reader, &change).await?;
    let mut run = Run::new(*reader, draft);
    pipeline::apply(&mut run, change.decided_by(watched)).await?;
    Ok(permit.answer(reader, item))
}

/// The key that the caller gave.
fn mention(key: &Item) -> Mention {
    let values = key.iter().filter_map(|(_, value)| match value {
        AttributeValue::S(text) => Some(text.clone()),
        AttributeValue::N(number) => Some(number.to_string()),
        _ => None,
    });
    Mention::new(values.collect::<Vec<_>>().join(" "))
}

async fn existing(
    reader: &Reader<'_>,
    entity: EntityId,
    key: &Item,
) -> Result<Vec<(Record, Item)>, Interrupt> {
    let rows = stored(reader, entity, key).await?;
    if rows.is_empty() {
        Err(Error::not_found(reader.name(entity), mention(key)).into())
    } else {
        Ok(rows)
    }
}

/// The rows of an item, read strongly, in the order of their places.
async fn stored(
    reader: &Reader<'_>,
    entity: EntityId,
    key: &Item,
) -> Result<Vec<(Record, Item)>, Interrupt> {
    let declared = reader.entity(entity);
    let own: Vec<String> = declared
        .each
        .iter()
        .flat_map(|each| positions(declared, each))
        .collect();
    let needed = declared.key_attributes().into_iter();
    let missing: Vec<_> = needed
        .filter(|name| key.get(name).is_none() && !own.iter().any(|own| own == name))
        .map(|name| FieldError::new(name, Problem::Missing))
        .collect();
    if !missing.is_empty() {
        return Err(reader.refused(entity, missing).into());
    }
    let mut known = key.clone();
    for name in &own {
        known.remove(name);
    }
    let Some(Finder::Range(rows)) = finder(reader, entity, &known, "") else {
        let message = format!("rows of {} are not found together", declared.name.value);
        return Err(Error::usage(message).into());
    };
    let table = rows.table();
    let mut found = Vec::new();
    for item in reader.all(&[rows]).await?.into_iter().flatten() {
        let row = reader.decode(table, &item);
        if let Some(row) = row.filter(|row| row.entity == entity) {
            found.push((row, item));
        }
    }
    let address = |row: &Record| {
        let address = own.first().and_then(|name| row.values.get(name));
        match address {
            Some(AttributeValue::N(number)) => Some(*number),
            _ => None,
        }
    };
    found.sort_by_key(|(row, _)| address(row));
    Ok(found)
}

/// Makes all rows of an item equal to it after a change, if the caller may change each of them.
async fn rewrite(
    reader: &Reader<'_>,
    draft: &mut Draft,
    old: Vec<(Record, Item)>,
    change: &Change,
    (gate, key): (&mut Gate<'_>, &Item),
) -> Result<(Record, Permit), Interrupt> {
    let Some((first, _)) = old.first() else {
        return Err(Error::integrity("an item without rows").into());
    };
    let before = spread::join(reader, first.clone());
    let item = record::changed(reader.compiled(), &before, change, &reader.circumstances)
        .map_err(|errors| reader.refused(before.entity, errors))?;
    let rows = spread(reader, &item);
    let questions = questions(&old, &rows);
    let permit = gate.admit_item(draft, &questions, || mention(key)).await?;
    keep_missing_absent(reader, draft, &before, &old, &rows)?;
    let mut open: Vec<StoredRow> = Vec::new();
    for (row, stored) in old {
        open.push(StoredRow::locate(reader, row, stored)?);
    }
    let mut changes = Vec::new();
    for row in rows {
        let address = reader.row_address(&row)?;
        let known = open.iter().position(|stored| stored.address == address);
        let stored = known.map(|known| open.swap_remove(known));
        changes.push(RowChange::new(stored, Some(row)));
    }
    changes.extend(open.into_iter().map(|row| RowChange::new(Some(row), None)));
    let whole = (Some(before), Some(item.clone()));
    let change = ItemChange::spread(WriteKind::Update, changes, whole);
    pipeline::apply(&mut Run::new(*reader, draft), change).await?;
    Ok((item, permit))
}

/// Demands that rows which an item should have and which were not found stay away. A move that brings an item back brings its
/// rows one chunk after the other: those that come later would be left over.
fn keep_missing_absent(
    reader: &Reader<'_>,
    draft: &mut Draft,
    before: &Record,
    found: &[(Record, Item)],
    written: &[Record],
) -> Result<(), Interrupt> {
    let mut known = BTreeSet::new();
    for row in found.iter().map(|(row, _)| row).chain(written) {
        known.insert(reader.row_address(row)?);
    }
    for row in spread(reader, before) {
        let address = reader.row_address(&row)?;
        if !known.contains(&address) {
            let absent = Action::check().demand(Demand::Absent, Blame::Changed);
            draft.add(address, absent)?;
        }
    }
    Ok(())
}

/// What is asked about an item that changes: every row that was, with the first that will be, and every row that will
/// be, with the first that was. Rows of an item differ only in their elements.
fn questions<'r>(old: &'r [(Record, Item)], new: &'r [Record]) -> Vec<Question<'r>> {
    let (first_old, first_new) = (old.first().map(|(row, _)| row), new.first());
    let ask = |old: Option<&'r Record>, new: Option<&'r Record>| Question {
        right: Right::Update,
        old,
        new,
    };
    let were = old.iter().map(|(row, _)| ask(Some(row), first_new));
    let will_be = new.iter().map(|row| ask(first_old, Some(row)));
    will_be.chain(were).collect()
}
