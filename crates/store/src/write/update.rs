//! Changes of rows.

use super::audit::{self, AuditedAction};
use super::create::replacement;
use super::{
    archive, checks, claims, counted, derived, each, find, fraction, paths, references, relations,
};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::caller::is_of_tenant;
use crate::draft::{Action, Blame, Demand, Draft, Edit, Write};
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::profile::stored_name;
use crate::read::has_tombstone;
use crate::record::{self, Change, Record, Surroundings};
use crate::rights::{Gate, Permit, Question, Right, decided_by};
use crate::session::{Interrupt, Session};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Entity, EntityId, Guard, Role};
use std::collections::{BTreeMap, BTreeSet};

/// Values that a caller expects a row to have; null for absent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expected(pub(crate) Item);

impl Expected {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Refuses a row that is not what the caller expects.
    pub(crate) fn check(&self, session: &Session, row: &Record) -> Result<(), Error> {
        for (name, value) in self.0.iter() {
            let wanted = Some(value).filter(|value| **value != AttributeValue::Null);
            if row.values.get(name) != wanted {
                let attribute = name.clone();
                return Err(Error::conflict(
                    session.name(row.entity),
                    Clash::Expected { attribute },
                ));
            }
        }
        Ok(())
    }
}

/// Adds a change of the row with this key.
pub(crate) async fn update(
    session: &Session,
    draft: &mut Draft,
    entity: EntityId,
    key: &Item,
    change: &Change,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    refuse_unless_changeable(session, entity)?;
    let given = change
        .set
        .iter()
        .chain(change.add.iter())
        .chain(change.append.iter());
    let given = given.map(|(name, _)| name).chain(&change.unset);
    refuse_counters(session, entity, given)?;
    if each::is_spread(session, entity) {
        return each::update(session, draft, entity, key, change, expected).await;
    }
    let address = find::place_of_key(session, entity, key).await?;
    let (old, item) = existing(session, draft, entity, &address).await?;
    let mention = || session.mention(entity, &address);
    let mut gate = Gate::new(session);
    gate.begin(draft, Right::Update, &old, mention).await?;
    refuse_deleting(session, entity, &item, &address)?;
    // A row with a tombstone is there only for a change of that.
    let declared = session.entity(entity);
    let revived = declared
        .tombstone
        .iter()
        .any(|assignment| change.set.get(&assignment.name.value).is_some());
    if has_tombstone(session, &old) && !revived {
        let name = &declared.name.value;
        return Err(Error::not_found(name, mention()).into());
    }
    expected.check(session, &old)?;
    let watched = expected.0.iter().map(|(name, _)| name.clone()).collect();
    let found = (old.clone(), item);
    let asked = (&mut gate, Right::Update);
    let (row, permit) = write(session, draft, &address, found, change, (watched, asked)).await?;
    update_mirrored_pair(session, draft, &old, change).await?;
    let verb = AuditedAction::Update;
    audit::written(session, draft, verb, &address, Some(&old), Some(&row))?;
    Ok(permit.answer(session, row))
}

/// Adds the tombstone of a row instead of its delete.
pub(super) async fn set_tombstone(
    session: &Session,
    draft: &mut Draft,
    entity: EntityId,
    key: &Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    let address = session.address(entity, key)?;
    let (old, item) = existing(session, draft, entity, &address).await?;
    let mention = || session.mention(entity, &address);
    let mut gate = Gate::new(session);
    gate.begin(draft, Right::Delete, &old, mention).await?;
    refuse_deleting(session, entity, &item, &address)?;
    if has_tombstone(session, &old) {
        return Err(Error::not_found(session.name(entity), mention()).into());
    }
    expected.check(session, &old)?;
    let mut watched: BTreeSet<_> = expected.0.iter().map(|(name, _)| name.clone()).collect();
    watched.extend(checks::at_delete(session, &old).await?);
    let mut change = Change::default();
    for assignment in &session.entity(entity).tombstone {
        let value = claims::assigned_value(session, &old.values, &assignment.value);
        if let Some(value) = value {
            change.set.insert(assignment.name.value.clone(), value);
        }
    }
    watched.extend(audit::watched(session, AuditedAction::Delete, &old, None));
    let before = (old.clone(), item);
    let asked = (&mut gate, Right::Delete);
    let (row, permit) = write(session, draft, &address, before, &change, (watched, asked)).await?;
    let verb = AuditedAction::Delete;
    audit::written(session, draft, verb, &address, Some(&old), Some(&row))?;
    Ok(permit.answer(session, row))
}

/// Rows that only the store's own mechanisms change are refused.
pub(super) fn refuse_unless_changeable(session: &Session, entity: EntityId) -> Result<(), Error> {
    let name = session.name(entity);
    match session.entity(entity).writes.update {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "the model does not let callers change {name}"
        ))),
    }
}

/// Counters are the store's: nobody gives them.
pub(super) fn refuse_counters<'n>(
    session: &Session,
    entity: EntityId,
    given: impl IntoIterator<Item = &'n String>,
) -> Result<(), Error> {
    let kept = &session.profile(entity).managed;
    let given = given.into_iter().filter(|name| kept.contains(*name));
    let errors: Vec<_> = given
        .map(|name| FieldError::new(name, Problem::NotGiven))
        .collect();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(session.refused(entity, errors)),
    }
}

/// The row of an entity at a place, which must be there.
pub(super) async fn existing(
    session: &Session,
    draft: &Draft,
    entity: EntityId,
    address: &Address,
) -> Result<(Record, Item), Interrupt> {
    let name = session.name(entity);
    let found = session.row(draft, address).await?;
    let found =
        found.filter(|(row, _)| row.entity == entity && is_of_tenant(session, entity, &row.values));
    let Some((row, item)) = found else {
        return Err(Error::not_found(name, session.mention(entity, address)).into());
    };
    Ok((row, item))
}

/// Refuses a row that is about to go. That is told only to those who may see the row, so rights are asked before.
pub(super) fn refuse_deleting(
    session: &Session,
    entity: EntityId,
    item: &Item,
    address: &Address,
) -> Result<(), Error> {
    let deleting = session.profile(entity).deleting.as_ref();
    if deleting.is_some_and(|deleting| item.get(deleting).is_some()) {
        let mention = session.mention(entity, address);
        return Err(Error::being_deleted(session.name(entity), mention));
    }
    Ok(())
}

/// A pair that old data holds twice is changed twice.
async fn update_mirrored_pair(
    session: &Session,
    draft: &mut Draft,
    row: &Record,
    change: &Change,
) -> Result<(), Interrupt> {
    let relation = session.entity(row.entity).relation.as_ref();
    let Some(relation) = relation.filter(|relation| relation.symmetric) else {
        return Ok(());
    };
    let mirrored = relations::mirrored_row(relation, row);
    let address = session.row_address(&mirrored)?;
    if let Some(found) = session.row(draft, &address).await? {
        let mut gate = Gate::for_consequences(session);
        let asked = (BTreeSet::new(), (&mut gate, Right::Update));
        write(session, draft, &address, found, change, asked).await?;
    }
    Ok(())
}

/// Adds what makes a row equal to one that was made of what is given.
pub(super) async fn replace(
    session: &Session,
    draft: &mut Draft,
    address: &Address,
    old: (Record, Item),
    made: &Record,
    given: &Item,
) -> Result<Allowed<Record>, Interrupt> {
    let given = (given, &Expected::default());
    replace_expected(session, draft, address, old, made, given).await
}

/// Adds what makes a row equal to one that was made of what is given, if it is what the caller expects.
pub(super) async fn replace_expected(
    session: &Session,
    draft: &mut Draft,
    address: &Address,
    old: (Record, Item),
    made: &Record,
    (given, expected): (&Item, &Expected),
) -> Result<Allowed<Record>, Interrupt> {
    let mut gate = Gate::new(session);
    let mention = || session.mention(old.0.entity, address);
    gate.begin(draft, Right::Update, &old.0, mention).await?;
    expected.check(session, &old.0)?;
    let change = replacement(session, &old.0, made, given);
    // What was not given was decided by what was read.
    let watched = old.0.values.iter().map(|(name, _)| name.clone()).collect();
    let before = old.0.clone();
    let asked = (&mut gate, Right::Update);
    let (row, permit) = write(session, draft, address, old, &change, (watched, asked)).await?;
    let verb = AuditedAction::Update;
    audit::written(session, draft, verb, address, Some(&before), Some(&row))?;
    Ok(permit.answer(session, row))
}

/// Adds the change of a row that was read, if the caller may make it, with everything that follows from it.
pub(super) async fn write(
    session: &Session,
    draft: &mut Draft,
    address: &Address,
    (old, item): (Record, Item),
    change: &Change,
    (mut watched, (gate, right)): (BTreeSet<String>, (&mut Gate<'_>, Right)),
) -> Result<(Record, Permit), Interrupt> {
    watched.extend(decided_by(session, old.entity, right, false));
    fraction::read_occupied_seconds(session).await?;
    let mut old = old;
    // Rows from before there were numbers get theirs with the first write.
    for attribute in &session.entity(old.entity).attributes {
        if let (Some((reference, counter)), None) =
            (&attribute.numbered, old.values.get(&attribute.name.value))
            && let Some(number) = relations::raise(session, draft, &old, reference, counter).await?
        {
            old.values.insert(attribute.name.value.clone(), number);
        }
    }
    let looks = !session.profile(old.entity).lookups.is_empty();
    let referred = match looks {
        true => {
            let mut values = old.values.clone();
            for (name, value) in change.set.iter() {
                values.insert(name.clone(), value.clone());
            }
            references::looked_into(session, draft, old.entity, &values).await?
        }
        false => BTreeMap::new(),
    };
    let around = looks.then(|| session.around.with_referred(referred));
    let around = around.as_ref().unwrap_or(&session.around);
    let row = edit_row(
        session,
        draft,
        address,
        (&old, &item),
        change,
        (watched, around),
    )?;
    let question = Question {
        right,
        old: Some(&old),
        new: Some(&row),
    };
    let mention = || session.mention(old.entity, address);
    let permit = gate.admit(draft, question, mention).await?;
    references::demand(session, draft, &row, Some(&old)).await?;
    checks::demand(session, draft, &row, Some(&old)).await?;
    derived::follow_fresh(session, draft, Some(&old), Some(&row)).await?;
    paths::follow(session, draft, Some(&old), Some(&row)).await?;
    Ok((row, permit))
}

/// The same for a change that refers to nothing new.
pub(super) fn edit(
    session: &Session,
    draft: &mut Draft,
    address: &Address,
    (old, item): (Record, Item),
    change: &Change,
    watched: BTreeSet<String>,
) -> Result<(), Interrupt> {
    let around = &session.around;
    edit_row(
        session,
        draft,
        address,
        (&old, &item),
        change,
        (watched, around),
    )
    .map(drop)
}

fn edit_row(
    session: &Session,
    draft: &mut Draft,
    address: &Address,
    (old, item): (&Record, &Item),
    change: &Change,
    (watched, around): (BTreeSet<String>, &Surroundings),
) -> Result<Record, Interrupt> {
    let entity = session.entity(old.entity);
    let changed = record::change(session.compiled(), old, change, around)
        .map_err(|errors| session.refused(old.entity, errors))?;
    let row = changed.record;
    let after = session.encode(&row)?;
    let gone = Error::not_found(&entity.name.value, session.mention(old.entity, address));
    let mut action = Action::check().demand(Demand::Present, gone);
    if let Some(deleting) = &session.profile(old.entity).deleting {
        let mention = session.mention(old.entity, address);
        let failure = Error::being_deleted(&entity.name.value, mention);
        action = action.demand(Demand::is(deleting, None), failure);
    }
    let read = change
        .add
        .iter()
        .chain(change.append.iter())
        .map(|(name, _)| name);
    let mut watched = watched;
    watched.extend(archive::watched(session, old, Some(&row)));
    watched.extend(audit::watched(
        session,
        AuditedAction::Update,
        old,
        Some(&row),
    ));
    let names: BTreeSet<_> = session
        .profile(old.entity)
        .dependencies
        .iter()
        .chain(&watched)
        .chain(read)
        .collect();
    action = unchanged(session, old, item, names, action);
    let new_address = session.row_address(&row)?;
    if new_address == *address {
        let (set, remove) = record::rewritten(session.compiled(), &row, item, &after);
        if !set.is_empty() || !remove.is_empty() {
            action.write = Write::Update(Edit {
                set,
                remove,
                ..Edit::default()
            });
        }
        draft.add_first(address.clone(), action)?;
    } else {
        action.write = Write::Delete;
        draft.add_first(address.clone(), action)?;
        let clash = Clash::key(session.mention(old.entity, &new_address));
        let put = Action::new(Write::Put(after))
            .demand(Demand::Absent, Error::conflict(&entity.name.value, clash));
        draft.add(new_address, put)?;
    }
    archive::changed(session, draft, address, (old, item), &row)?;
    let (before, after) = (
        claims::guards(session, old)?,
        claims::guards(session, &row)?,
    );
    claims::swap(session, draft, row.entity, before, after)?;
    counted::recount(session, draft, Some(old), Some(&row), &BTreeSet::new())?;
    if entity_is_derived_from(session, row.entity) {
        derived::follow(session, draft, Some(old), Some(&row))?;
    }
    Ok(row)
}

fn entity_is_derived_from(session: &Session, entity: EntityId) -> bool {
    session
        .model()
        .derives
        .iter()
        .any(|derive| derive.of == entity)
}

/// Demands that these attributes are what was read, whatever they are called in the item.
pub(super) fn unchanged<'n>(
    session: &Session,
    row: &Record,
    item: &Item,
    names: impl IntoIterator<Item = &'n String>,
    mut action: Action,
) -> Action {
    let entity = session.entity(row.entity);
    let key = entity.key_attributes();
    for name in names {
        // What is in the key, or never changes, is as it was read. But another row may have come to stand under the same key
        // since: its unique values are others.
        let fixed = entity.attribute(name).is_some_and(|attribute| {
            attribute.key_only
                || attribute.immutable && !is_claimed(entity, name)
                || attribute.role == Some(Role::Created)
                || key.contains(&name.as_str())
        });
        if fixed {
            continue;
        }
        let stored = stored_name(entity, name);
        let value = item.get(&stored).cloned();
        action = action.demand(Demand::is(stored, value), Blame::Changed);
    }
    action
}

/// Whether a guard row holds the value of an attribute.
fn is_claimed(entity: &Entity, name: &str) -> bool {
    entity.claims.iter().any(|claim| match &claim.guard {
        Guard::Row { attributes, .. } => attributes.iter().any(|claimed| claimed == name),
        Guard::Entity { .. } | Guard::Snapshot => false,
    })
}
