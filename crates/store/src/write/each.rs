//! One item that is stored as several rows: one for each element of a list.
//!
//! Every row has the whole list, its own element and its place. A write of the item makes all rows equal to it in one
//! transaction; each row that was read must still be what it was.

use super::audit::{self, AuditedAction};
use super::create::{add_row, make_row, replacement};
use super::update::{self, Expected};
use crate::address::Finder;
use crate::allowed::Allowed;
use crate::draft::{Action, Blame, Demand, Draft, Write};
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::find::finder;
use crate::guard::{self, GuardRow};
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::reader::Reader;
use crate::record::{self, Change, Record};
use crate::rights::{Gate, Permit, Question, Right};
use crate::scope::Scope;
use crate::spread::{self, positions, spread};
use crate::write::{checks, claims, counted, derived, references};
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
    given: Item,
) -> Result<Allowed<Record>, Interrupt> {
    refuse_parts(reader, entity, &given)?;
    let item = make_row(reader, draft, entity, given).await?;
    let rows = spread(reader, &item);
    let questions: Vec<_> = rows.iter().map(Question::create).collect();
    let mut gate = Gate::new(reader);
    let permit = gate.admit_item(draft, &questions, Mention::default).await?;
    let mut first = None;
    for row in rows {
        let (_, address) = add_row(reader, draft, row).await?;
        first.get_or_insert(address);
    }
    // The item is noted once, not its rows.
    if let Some(address) = first {
        audit::note_write(
            reader,
            draft,
            AuditedAction::Create,
            &address,
            None,
            Some(&item),
        )?;
    }
    Ok(permit.answer(reader, item))
}

/// Adds an item, or makes the one there equal to it.
pub(super) async fn put(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    given: Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    refuse_parts(reader, entity, &given)?;
    let old = stored(reader, entity, &given).await?;
    let Some((first, _)) = old.first() else {
        return create(reader, draft, entity, given).await;
    };
    let mut gate = Gate::new(reader);
    let mention = || mention(&given);
    gate.begin(draft, Right::Update, first, mention).await?;
    expected.check(reader, first)?;
    let new = make_row(reader, draft, entity, given.clone()).await?;
    let change = replacement(reader, first, &new, &given);
    let (item, permit) = rewrite(reader, draft, old, &change, (&mut gate, &given)).await?;
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
    let mut gate = Gate::new(reader);
    if let Some((first, _)) = old.first() {
        let mention = || mention(key);
        gate.begin(draft, Right::Update, first, mention).await?;
        expected.check(reader, first)?;
    }
    let (item, permit) = rewrite(reader, draft, old, change, (&mut gate, key)).await?;
    Ok(permit.answer(reader, item))
}

/// Deletes an item.
pub(super) async fn delete(
    reader: &Reader<'_>,
    draft: &mut Draft,
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
    expected.check(reader, first)?;
    let watched = checks::at_delete(reader, &spread::join(reader, first.clone())).await?;
    for (row, stored) in &old {
        remove(reader, draft, (row, stored), &watched)?;
    }
    let gone: Vec<_> = old.iter().map(|(row, _)| (Some(row), None)).collect();
    follow_rows(reader, draft, &gone).await?;
    let row = first.clone();
    let address = reader.row_address(&row)?;
    let item = spread::join(reader, row);
    audit::note_write(
        reader,
        draft,
        AuditedAction::Delete,
        &address,
        Some(&item),
        None,
    )?;
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
    let first_place = reader.row_address(first)?;
    let before = spread::join(reader, first.clone());
    let item = record::changed(reader.compiled(), &before, change, &reader.circumstances)
        .map_err(|errors| reader.refused(before.entity, errors))?;
    let rows = spread(reader, &item);
    let questions = questions(&old, &rows);
    let permit = gate.admit_item(draft, &questions, || mention(key)).await?;
    checks::demand(reader, draft, &item, Some(&before)).await?;
    let mut open: Vec<&(Record, Item)> = old.iter().collect();
    let mut changes: Vec<(Option<&Record>, Option<&Record>)> = Vec::new();
    for row in &rows {
        let address = reader.row_address(row)?;
        let known = open.iter().position(|(_, stored)| {
            reader
                .addressing()
                .locate_item(address.table(), stored)
                .as_ref()
                == Some(&address)
        });
        match known {
            Some(known) => {
                let (old, stored) = open.swap_remove(known);
                changes.push((Some(old), Some(row)));
                let mut put = Action::new(Write::Put(reader.encode(row)?));
                for (name, value) in stored.iter() {
                    let demand = Demand::is(name, Some(value.clone()));
                    put = put.demand(demand, Blame::Changed);
                }
                draft.add_first(address, put)?;
            }
            None => {
                changes.push((None, Some(row)));
                let clash = Clash::key(reader.mention(row.entity, &address));
                let taken = Error::conflict(reader.name(row.entity), clash);
                let put = Action::new(Write::Put(reader.encode(row)?));
                draft.add_first(
                    address,
                    put.demand(Demand::Absent, Blame::FailUnlessChanged(taken)),
                )?;
            }
        }
    }
    for (row, stored) in open {
        changes.push((Some(row), None));
        remove(reader, draft, (row, stored), &BTreeSet::new())?;
    }
    follow_rows(reader, draft, &changes).await?;
    references::demand(reader, draft, &item, Some(&before)).await?;
    let verb = AuditedAction::Update;
    audit::note_write(
        reader,
        draft,
        verb,
        &first_place,
        Some(&before),
        Some(&item),
    )?;
    Ok((item, permit))
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

/// Adds what follows from rows of one item, taken together: one row may take over what another has had.
async fn follow_rows(
    reader: &Reader<'_>,
    draft: &mut Draft,
    changes: &[(Option<&Record>, Option<&Record>)],
) -> Result<(), Interrupt> {
    let Some(entity) = changes
        .iter()
        .find_map(|(old, new)| new.or(*old))
        .map(|row| row.entity)
    else {
        return Ok(());
    };
    let old = || changes.iter().filter_map(|(old, _)| *old);
    let new = || changes.iter().filter_map(|(_, new)| *new);
    let (before, after) = (guards_of(reader, old())?, guards_of(reader, new())?);
    claims::swap(reader, draft, entity, before, after)?;
    derived::follow_rows(reader, draft, old(), new())?;
    for (old, new) in changes {
        counted::recount(reader, draft, *old, *new, &BTreeSet::new())?;
        derived::follow_fresh(reader, draft, *old, *new).await?;
    }
    Ok(())
}

/// The guards of several rows. What they have in common they have once.
fn guards_of<'r>(
    scope: &Scope,
    rows: impl Iterator<Item = &'r Record>,
) -> Result<Vec<GuardRow>, Error> {
    let mut all: Vec<GuardRow> = Vec::new();
    for row in rows {
        for guard in guard::guards(scope, row)? {
            if all.iter().all(|known| known.address != guard.address) {
                all.push(guard);
            }
        }
    }
    Ok(all)
}

/// Deletes one row of an item.
fn remove(
    reader: &Reader<'_>,
    draft: &mut Draft,
    (row, stored): (&Record, &Item),
    watched: &BTreeSet<String>,
) -> Result<(), Interrupt> {
    let table = reader.entity(row.entity).table;
    let Some(address) = reader.addressing().locate_item(table, stored) else {
        return Ok(());
    };
    let mut action = Action::new(Write::Delete).demand(Demand::Present, Blame::Changed);
    let depends = &reader.profile(row.entity).dependencies;
    action = update::unchanged(reader, row, stored, depends.union(watched), action);
    draft.add_first(address, action)
}
