//! Changes of rows.

mod edit;

use edit::edit_row;
pub(super) use edit::{edit, unchanged};

use super::audit::{self, AuditedAction};
use super::create::replacement;
use super::{checks, derived, each, fraction, paths, references, relations};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::assignment;
use crate::caller::is_of_tenant;
use crate::draft::Draft;
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::find;
use crate::interrupt::Interrupt;
use crate::read::has_tombstone;
use crate::reader::Reader;
use crate::record::{Change, Record};
use crate::rights::{Gate, Permit, Question, Right, decided_by};
use crate::scope::Scope;
use crate::spread;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;
use std::collections::{BTreeMap, BTreeSet};

/// Values that a caller expects a row to have; null for absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected(pub(crate) Item);

impl Expected {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses a row that is not what the caller expects.
    pub(crate) fn check(&self, scope: &Scope, row: &Record) -> Result<(), Error> {
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

/// Adds a change of the row with this key.
pub(crate) async fn update(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    key: &Item,
    change: &Change,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    refuse_unless_changeable(reader, entity)?;
    let given = change
        .set
        .iter()
        .chain(change.add.iter())
        .chain(change.append.iter());
    let given = given.map(|(name, _)| name).chain(&change.unset);
    refuse_counters(reader, entity, given)?;
    if spread::is_spread(reader, entity) {
        return each::update(reader, draft, entity, key, change, expected).await;
    }
    let address = find::place_of_key(reader, entity, key).await?;
    let (old, item) = existing(reader, draft, entity, &address).await?;
    let mention = || reader.mention(entity, &address);
    let mut gate = Gate::new(reader);
    gate.begin(draft, Right::Update, &old, mention).await?;
    refuse_deleting(reader, entity, &item, &address)?;
    // A row with a tombstone is there only for a change of that.
    let declared = reader.entity(entity);
    let revived = declared
        .tombstone
        .iter()
        .any(|assignment| change.set.get(&assignment.name.value).is_some());
    if has_tombstone(reader, &old) && !revived {
        let name = &declared.name.value;
        return Err(Error::not_found(name, mention()).into());
    }
    expected.check(reader, &old)?;
    let watched = expected.0.iter().map(|(name, _)| name.clone()).collect();
    let found = (old.clone(), item);
    let asked = (&mut gate, Right::Update);
    let (row, permit) = write(reader, draft, &address, found, change, (watched, asked)).await?;
    update_mirrored_pair(reader, draft, &old, change).await?;
    let verb = AuditedAction::Update;
    audit::note_write(reader, draft, verb, &address, Some(&old), Some(&row))?;
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
    let address = reader.address(entity, key)?;
    let (old, item) = existing(reader, draft, entity, &address).await?;
    let mention = || reader.mention(entity, &address);
    let mut gate = Gate::new(reader);
    gate.begin(draft, Right::Delete, &old, mention).await?;
    refuse_deleting(reader, entity, &item, &address)?;
    if has_tombstone(reader, &old) {
        return Err(Error::not_found(reader.name(entity), mention()).into());
    }
    expected.check(reader, &old)?;
    let mut watched: BTreeSet<_> = expected.0.iter().map(|(name, _)| name.clone()).collect();
    watched.extend(checks::at_delete(reader, &old).await?);
    let mut change = Change::default();
    for assignment in &reader.entity(entity).tombstone {
        let value = assignment::assigned_value(reader, &old.values, &assignment.value);
        if let Some(value) = value {
            change.set.insert(assignment.name.value.clone(), value);
        }
    }
    watched.extend(audit::watched(reader, AuditedAction::Delete, &old, None));
    let before = (old.clone(), item);
    let asked = (&mut gate, Right::Delete);
    let (row, permit) = write(reader, draft, &address, before, &change, (watched, asked)).await?;
    let verb = AuditedAction::Delete;
    audit::note_write(reader, draft, verb, &address, Some(&old), Some(&row))?;
    Ok(permit.answer(reader, row))
}

/// Rows that only the store's own mechanisms change are refused.
pub(super) fn refuse_unless_changeable(scope: &Scope, entity: EntityId) -> Result<(), Error> {
    let name = scope.name(entity);
    match scope.entity(entity).writes.update {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "the model does not let callers change {name}"
        ))),
    }
}

/// Counters are the store's: nobody gives them.
pub(super) fn refuse_counters<'n>(
    scope: &Scope,
    entity: EntityId,
    given: impl IntoIterator<Item = &'n String>,
) -> Result<(), Error> {
    let kept = &scope.profile(entity).managed;
    let given = given.into_iter().filter(|name| kept.contains(*name));
    let errors: Vec<_> = given
        .map(|name| FieldError::new(name, Problem::NotGiven))
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(scope.refused(entity, errors))
    }
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
    let found =
        found.filter(|(row, _)| row.entity == entity && is_of_tenant(reader, entity, &row.values));
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

/// A pair that old data holds twice is changed twice.
async fn update_mirrored_pair(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: &Record,
    change: &Change,
) -> Result<(), Interrupt> {
    let relation = reader.entity(row.entity).relation.as_ref();
    let Some(relation) = relation.filter(|relation| relation.symmetric) else {
        return Ok(());
    };
    let mirrored = relations::mirrored_row(relation, row);
    let address = reader.row_address(&mirrored)?;
    if let Some(found) = reader.row(draft, &address).await? {
        let mut gate = Gate::for_consequences(reader);
        let asked = (BTreeSet::new(), (&mut gate, Right::Update));
        write(reader, draft, &address, found, change, asked).await?;
    }
    Ok(())
}

/// Adds what makes a row equal to one that was made of what is given.
pub(super) async fn replace(
    reader: &Reader<'_>,
    draft: &mut Draft,
    address: &Address,
    old: (Record, Item),
    made: &Record,
    given: &Item,
) -> Result<Allowed<Record>, Interrupt> {
    let given = (given, &Expected::default());
    replace_expected(reader, draft, address, old, made, given).await
}

/// Adds what makes a row equal to one that was made of what is given, if it is what the caller expects.
pub(super) async fn replace_expected(
    reader: &Reader<'_>,
    draft: &mut Draft,
    address: &Address,
    old: (Record, Item),
    made: &Record,
    (given, expected): (&Item, &Expected),
) -> Result<Allowed<Record>, Interrupt> {
    let mut gate = Gate::new(reader);
    let mention = || reader.mention(old.0.entity, address);
    gate.begin(draft, Right::Update, &old.0, mention).await?;
    expected.check(reader, &old.0)?;
    let change = replacement(reader, &old.0, made, given);
    // What was not given was decided by what was read.
    let watched = old.0.values.iter().map(|(name, _)| name.clone()).collect();
    let before = old.0.clone();
    let asked = (&mut gate, Right::Update);
    let (row, permit) = write(reader, draft, address, old, &change, (watched, asked)).await?;
    let verb = AuditedAction::Update;
    audit::note_write(reader, draft, verb, address, Some(&before), Some(&row))?;
    Ok(permit.answer(reader, row))
}

/// Adds the change of a row that was read, if the caller may make it, with everything that follows from it.
pub(super) async fn write(
    reader: &Reader<'_>,
    draft: &mut Draft,
    address: &Address,
    (old, item): (Record, Item),
    change: &Change,
    (mut watched, (gate, right)): (BTreeSet<String>, (&mut Gate<'_>, Right)),
) -> Result<(Record, Permit), Interrupt> {
    watched.extend(decided_by(reader, old.entity, right, false));
    let attempt = fraction::read_occupied_seconds(reader).await?;
    let reader = &reader.with_attempt(&attempt);
    let mut old = old;
    // Rows from before there were numbers get theirs with the first write.
    for attribute in &reader.entity(old.entity).attributes {
        if let (Some((reference, counter)), None) =
            (&attribute.numbered, old.values.get(&attribute.name.value))
            && let Some(number) = relations::raise(reader, draft, &old, reference, counter).await?
        {
            old.values.insert(attribute.name.value.clone(), number);
        }
    }
    let looks = !reader.profile(old.entity).lookups.is_empty();
    let referred = match looks {
        true => {
            let mut values = old.values.clone();
            for (name, value) in change.set.iter() {
                values.insert(name.clone(), value.clone());
            }
            references::looked_into(reader, draft, old.entity, &values).await?
        }
        false => BTreeMap::new(),
    };
    let circumstances = looks.then(|| reader.circumstances.with_referred(referred));
    let circumstances = circumstances.as_ref().unwrap_or(&reader.circumstances);
    let row = edit_row(
        reader,
        draft,
        address,
        (&old, &item),
        change,
        (watched, circumstances),
    )?;
    let question = Question {
        right,
        old: Some(&old),
        new: Some(&row),
    };
    let mention = || reader.mention(old.entity, address);
    let permit = gate.admit(draft, question, mention).await?;
    references::demand(reader, draft, &row, Some(&old)).await?;
    checks::demand(reader, draft, &row, Some(&old)).await?;
    derived::follow_fresh(reader, draft, Some(&old), Some(&row)).await?;
    paths::follow(reader, draft, Some(&old), Some(&row)).await?;
    Ok((row, permit))
}
