//! Changes of rows.

use super::create::{lost_row, replacement};
use super::{blind, each};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::assignment;
use crate::caller::is_of_tenant;
use crate::change::{Cause, ItemChange, Run, StoredRow, WriteKind};
use crate::declaration::Declaration;
use crate::draft::Draft;
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::find;
use crate::interrupt::Interrupt;
use crate::mechanism::{references, times};
use crate::pipeline;
use crate::read::{has_expired, has_tombstone};
use crate::reader::Reader;
use crate::record::{self, Change, Record};
use crate::rights::{Gate, Permit, Question, Right, decided_by};
use crate::scope::Scope;
use crate::spread;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;
use std::collections::BTreeSet;

/// Values that a caller expects a row to have; null for absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected(pub(crate) Item);

impl Expected {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses a row that is not what the caller expects. Whoever may change a row and not read it could ask for one value after
    /// another, and is refused.
    pub(crate) async fn check_for(
        &self,
        gate: &mut Gate<'_>,
        row: &Record,
    ) -> Result<(), Interrupt> {
        if self.is_empty() {
            return Ok(());
        }
        gate.admit_expecting(row).await?;
        Ok(self.check(gate.reader(), row)?)
    }

    fn check(&self, scope: &Scope, row: &Record) -> Result<(), Error> {
        for (name, value) in self.0.iter() {
            let wanted = Some(value).filter(|value| **value != AttributeValue::Null);
            if row.values.get(name) != wanted {
                let attribute = name.clone();
                return Err(Error::conflict(
                    scope.name(row.entity),
                    Clash::Expected { attribute },
                ));
            }
        }
        Ok(())
    }
}

/// Changes the row with this key by a write of its own, if the row need not be read for that. None: nothing was written, and
/// [`update`] finds out what there is to write or to refuse.
pub(crate) async fn update_alone(
    reader: &Reader<'_>,
    entity: EntityId,
    key: &Item,
    change: &Change,
    expected: &Item,
) -> Result<Option<Allowed<Record>>, Interrupt> {
    // What changes is told only of rows that were read.
    let is_traced = reader.changes.is_some();
    if is_traced || !expected.is_empty() || reader.profile(entity).blind.is_none() {
        return Ok(None);
    }
    refuse_given(reader, entity, change)?;
    blind::update_unread(reader, entity, key, change).await
}

/// Adds a change of the row with this key.
pub(crate) async fn update(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    key: &Item,
    change: &Change,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    refuse_given(reader, entity, change)?;
    if spread::is_spread(reader, entity) {
        return each::update(reader, draft, entity, key, change, expected).await;
    }
    let address = find::stored_place_of_key(reader, draft, entity, key).await?;
    let (old, item) = existing(reader, draft, entity, &address).await?;
    let mention = || reader.mention(entity, &address);
    let mut gate = Gate::new(reader);
    gate.begin(draft, Right::Update, &old, mention).await?;
    refuse_deleting(reader, entity, &item, &address)?;
    // A row with a tombstone is there only for a change of that.
    let declared = reader.entity(entity);
    let revived = declared.tombstone.iter().any(|assignment| {
        let name = &assignment.name.value;
        change.set.get(name).is_some() || change.unset.contains(name)
    });
    if has_tombstone(reader, &old) && !revived {
        let name = &declared.name.value;
        return Err(Error::not_found(name, mention()).into());
    }
    expected.check_for(&mut gate, &old).await?;
    let watched = expected.0.iter().map(|(name, _)| name.clone()).collect();
    let stored = StoredRow {
        address,
        record: old,
        item,
    };
    let asked = (&mut gate, Right::Update);
    let (row, permit) = write(reader, draft, stored, change, (watched, asked)).await?;
    Ok(permit.answer(reader, row))
}

/// Adds the tombstone of a row instead of its delete.
pub(super) async fn set_tombstone(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    key: &Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    let address = find::stored_place_of_key(reader, draft, entity, key).await?;
    let (old, item) = existing(reader, draft, entity, &address).await?;
    let mention = || reader.mention(entity, &address);
    let mut gate = Gate::new(reader);
    gate.begin(draft, Right::Delete, &old, mention).await?;
    refuse_deleting(reader, entity, &item, &address)?;
    if has_tombstone(reader, &old) {
        return Err(Error::not_found(reader.name(entity), mention()).into());
    }
    expected.check_for(&mut gate, &old).await?;
    let mut watched: BTreeSet<_> = expected.0.iter().map(|(name, _)| name.clone()).collect();
    let stored = StoredRow {
        address: address.clone(),
        record: old.clone(),
        item,
    };
    let cause = Cause::Caller(WriteKind::Delete);
    let removal = ItemChange::new(cause, Some(stored.clone()), None);
    watched.extend(pipeline::judge_removal(reader, &removal).await?);
    let mut change = Change::default();
    for assignment in &reader.entity(entity).tombstone {
        let value = assignment::assigned_value(reader, &old.values, &assignment.value);
        if let Some(value) = value {
            change.set.insert(assignment.name.value.clone(), value);
        }
    }
    let asked = (&mut gate, Right::Delete);
    let (row, permit) = write(reader, draft, stored, &change, (watched, asked)).await?;
    Ok(permit.answer(reader, row))
}

/// Refuses a change that no row allows.
fn refuse_given(scope: &Scope, entity: EntityId, change: &Change) -> Result<(), Error> {
    refuse_unless_changeable(scope, entity)?;
    let given = change
        .set
        .iter()
        .chain(change.add.iter())
        .chain(change.append.iter());
    let given = given.map(|(name, _)| name).chain(&change.unset);
    let mut seen = BTreeSet::new();
    if let Some(twice) = given.clone().find(|name| !seen.insert(*name)) {
        let name = scope.name(entity);
        return Err(Error::usage(format!(
            "the change of {name} names `{twice}` twice: say it in one of set, unset, add and append"
        )));
    }
    let errors = find_counters(scope, entity, given);
    if errors.is_empty() {
        Ok(())
    } else {
        Err(scope.refused(entity, errors))
    }
}

/// Rows that only the store's own mechanisms change are refused.
pub(super) fn refuse_unless_changeable(scope: &Scope, entity: EntityId) -> Result<(), Error> {
    let declared = scope.entity(entity);
    if declared.writes.update {
        return Ok(());
    }
    let name = &declared.name.value;
    let refused = Error::usage(format!("the model does not let callers change {name}"));
    Err(refused.by(Declaration::of_writes(declared)))
}

/// Counters that are given: they are the store's.
pub(super) fn find_counters<'n>(
    scope: &Scope,
    entity: EntityId,
    given: impl IntoIterator<Item = &'n String>,
) -> Vec<FieldError> {
    let kept = &scope.profile(entity).managed;
    let given = given.into_iter().filter(|name| kept.contains(*name));
    given
        .map(|name| FieldError::new(name, Problem::NotGiven))
        .collect()
}

/// The row of an entity at a place, which must be there.
pub(super) async fn existing(
    reader: &Reader<'_>,
    draft: &Draft,
    entity: EntityId,
    address: &Address,
) -> Result<(Record, Item), Interrupt> {
    let name = reader.name(entity);
    let found = reader.row(draft, address).await?;
    let found = found.filter(|(row, item)| {
        let is_own = row.entity == entity && is_of_tenant(reader, entity, &row.values);
        is_own && !has_expired(reader, entity, |name| item.get(name).cloned())
    });
    let Some((row, item)) = found else {
        return Err(Error::not_found(name, reader.mention(entity, address)).into());
    };
    Ok((row, item))
}

/// Refuses a row that is about to go. That is told only to those who may see the row, so rights are asked before.
pub(super) fn refuse_deleting(
    scope: &Scope,
    entity: EntityId,
    item: &Item,
    address: &Address,
) -> Result<(), Error> {
    let deleting = scope.profile(entity).deleting.as_ref();
    if deleting.is_some_and(|deleting| item.get(deleting).is_some()) {
        let mention = scope.mention(entity, address);
        return Err(Error::being_deleted(scope.name(entity), mention));
    }
    Ok(())
}

/// Adds what makes a row equal to one that was made of what is given, if it is what the caller expects.
pub(super) async fn replace(
    reader: &Reader<'_>,
    draft: &mut Draft,
    old: StoredRow,
    made: &Record,
    (given, expected): (&Item, &Expected),
) -> Result<Allowed<Record>, Interrupt> {
    let mut gate = Gate::new(reader);
    let mention = || reader.mention(old.record.entity, &old.address);
    gate.begin_replacing(draft, &old.record, made, mention)
        .await?;
    // That the model lets nobody change such a row is told only to those who may know of it.
    refuse_unless_changeable(reader, old.record.entity)?;
    expected.check_for(&mut gate, &old.record).await?;
    let change = replacement(reader, &old.record, made, given);
    // What was not given was decided by what was read.
    let values = old.record.values.iter();
    let watched = values.map(|(name, _)| name.clone()).collect();
    let asked = (&mut gate, Right::Update);
    let (row, permit) = write(reader, draft, old, &change, (watched, asked)).await?;
    Ok(permit.answer(reader, row))
}

/// Adds the change of a row that was read, if the caller may make it, with everything that follows from it.
async fn write(
    reader: &Reader<'_>,
    draft: &mut Draft,
    old: StoredRow,
    change: &Change,
    (mut watched, (gate, right)): (BTreeSet<String>, (&mut Gate<'_>, Right)),
) -> Result<(Record, Permit), Interrupt> {
    let entity = old.record.entity;
    watched.extend(decided_by(reader, entity, right, false));
    let read = change.add.iter().chain(change.append.iter());
    watched.extend(read.map(|(name, _)| name.clone()));
    let attempt = times::read_occupied_seconds(reader).await?;
    let reader = &reader.with_attempt(&attempt);
    let row = changed_row(reader, draft, &old.record, change).await?;
    let question = Question {
        right,
        old: Some(&old.record),
        new: Some(&row),
    };
    let mention = || reader.mention(entity, &old.address);
    let permit = gate.admit(draft, question, mention).await?;
    let kind = if right == Right::Delete {
        WriteKind::Delete
    } else {
        WriteKind::Update
    };
    let change = ItemChange::new(Cause::Caller(kind), Some(old), Some(row));
    let mut run = Run::new(*reader, draft);
    let change = pipeline::apply(&mut run, change.decided_by(watched)).await?;
    let row = change.into_after().ok_or_else(lost_row)?;
    Ok((row, permit))
}

/// The row after a change, which may look into the rows that it refers to.
async fn changed_row(
    reader: &Reader<'_>,
    draft: &Draft,
    old: &Record,
    change: &Change,
) -> Result<Record, Interrupt> {
    let made = if reader.profile(old.entity).lookups.is_empty() {
        record::changed(reader.compiled(), old, change, &reader.circumstances)
    } else {
        let mut values = old.values.clone();
        for (name, value) in change.set.iter() {
            values.insert(name.clone(), value.clone());
        }
        let referred = references::looked_into(reader, draft, old.entity, &values).await?;
        let circumstances = reader.circumstances.with_referred(referred);
        record::changed(reader.compiled(), old, change, &circumstances)
    };
    Ok(made.map_err(|errors| reader.refused(old.entity, errors))?)
}
