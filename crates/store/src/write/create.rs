//! New rows.

use super::each;
use super::update::{self, Expected};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::boxed_future::box_future;
use crate::caller::{is_of_tenant, tenant_names};
use crate::change::{ItemChange, Run, StoredRow};
use crate::declaration::Declaration;
use crate::draft::{Action, Demand, Draft};
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::find::elsewhere::{find_elsewhere, may_stand_elsewhere, old_places};
use crate::interrupt::Interrupt;
use crate::mechanism::references;
use crate::mention::Mention;
use crate::pipeline;
use crate::reader::Reader;
use crate::record::{self, Change, Record};
use crate::rights::{Gate, Permit, Question};
use crate::scope::Scope;
use crate::spread;
use monotable_item::Item;
use monotable_model::model::{EntityId, OnExists};

/// Adds a new row with everything that belongs to it.
pub(crate) async fn create(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    given: &Item,
) -> Result<Allowed<Record>, Interrupt> {
    let declared = reader.entity(entity);
    if !declared.writes.create {
        let name = &declared.name.value;
        let refused = Error::usage(format!("the model does not let callers create {name}"));
        return Err(refused.by(Declaration::of_writes(declared)).into());
    }
    if spread::is_spread(reader, entity) {
        return box_future(|| each::create(reader, draft, entity, given)).await;
    }
    let row = make_row(reader, draft, entity, given).await?;
    // The key of a row that is numbered is known only when it has its number.
    match declared.on_exists {
        OnExists::Keep => {
            if let Some(stored) = box_future(|| stored_row(reader, draft, &row)).await? {
                return box_future(|| keep(reader, draft, &row, stored.record)).await;
            }
        }
        OnExists::Replace => {
            if let Some(stored) = box_future(|| stored_row(reader, draft, &row)).await? {
                refuse_foreign(reader, &stored.record, &stored.address)?;
                let given = (given, &Expected::default());
                return box_future(|| update::replace(reader, draft, stored, &row, given)).await;
            }
        }
        OnExists::Conflict => refuse_elsewhere(reader, draft, &row).await?,
        OnExists::Fraction => {}
    }
    insert(reader, draft, row).await
}

/// The row that has the key of a new one, wherever it stands.
async fn stored_row(
    reader: &Reader<'_>,
    draft: &Draft,
    row: &Record,
) -> Result<Option<StoredRow>, Interrupt> {
    let address = reader.row_address(row)?;
    if let Some((record, item)) = reader.row(draft, &address).await? {
        return Ok(Some(StoredRow {
            address,
            record,
            item,
        }));
    }
    let found = find_elsewhere(reader, row.entity, &row.values).await?;
    let found = found.filter(|found| !draft.deletes(&found.address));
    Ok(found.map(|found| StoredRow {
        address: found.address,
        record: found.record,
        item: found.item,
    }))
}

/// Refuses a row of which there is one under the key of an old layout, or with its time in another spelling.
async fn refuse_elsewhere(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: &Record,
) -> Result<(), Interrupt> {
    if !may_stand_elsewhere(reader, row.entity).await? {
        return Ok(());
    }
    // The key of a row that is numbered is known only when it has its number, and nobody else has that.
    let Ok(address) = reader.row_address(row) else {
        return Ok(());
    };
    let clash = || Clash::key(reader.mention(row.entity, &address));
    let taken = || Error::conflict(reader.name(row.entity), clash());
    let found = box_future(|| find_elsewhere(reader, row.entity, &row.values)).await?;
    if found.is_some_and(|found| found.address != address && !draft.deletes(&found.address)) {
        return Err(taken().into());
    }
    // Another process may write there now, with a model that still writes the old layout.
    for old in old_places(reader, row.entity, &row.values) {
        if old != address && !draft.deletes(&old) {
            draft.add(old, Action::check().demand(Demand::Absent, taken()))?;
        }
    }
    Ok(())
}

/// The stored row, which stays as it is, if the caller may see it.
async fn keep(
    reader: &Reader<'_>,
    draft: &Draft,
    row: &Record,
    known: Record,
) -> Result<Allowed<Record>, Interrupt> {
    let address = reader.row_address(row)?;
    let mention = || reader.mention(row.entity, &address);
    refuse_foreign(reader, &known, &address)?;
    let mut gate = Gate::new(reader);
    gate.admit(draft, Question::create(row), mention).await?;
    let name = reader.name(row.entity);
    let taken = || Error::conflict(name, Clash::key(mention()));
    let known = gate.see_row(known).await?;
    known.ok_or_else(|| taken().into())
}

/// The row that is made of what a caller gives.
pub(super) async fn make_row(
    reader: &Reader<'_>,
    draft: &Draft,
    entity: EntityId,
    given: &Item,
) -> Result<Record, Interrupt> {
    let counters = update::find_counters(reader, entity, given.iter().map(|(name, _)| name));
    if !is_of_tenant(reader, entity, given) {
        let wanted = || "the tenant that writes it".to_owned();
        let errors = tenant_names(reader.entity(entity))
            .filter(|name| given.get(name).is_some())
            .map(|name| FieldError::new(name, Problem::Wrong { wanted: wanted() }));
        return Err(reader.refused(entity, errors.collect()).into());
    }
    let looked_into = match references::looked_into(reader, draft, entity, given).await {
        Err(_) if !counters.is_empty() => return Err(reader.refused(entity, counters).into()),
        found => found?,
    };
    let created = if looked_into.is_empty() {
        record::create_from(reader.compiled(), entity, given, &reader.circumstances)
    } else {
        let circumstances = reader.circumstances.with_referred(looked_into);
        record::create_from(reader.compiled(), entity, given, &circumstances)
    };
    match created {
        Ok(row) if counters.is_empty() => Ok(row),
        created => {
            let errors = merge_errors(counters, created.err().unwrap_or_default());
            Err(reader.refused(entity, errors).into())
        }
    }
}

/// One error for each attribute: a counter that is given is told as such.
fn merge_errors(mut counters: Vec<FieldError>, others: Vec<FieldError>) -> Vec<FieldError> {
    for error in others {
        let mut known = counters.iter();
        if known.all(|known| known.attribute != error.attribute) {
            counters.push(error);
        }
    }
    counters
}

/// Adds a finished row.
async fn insert(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: Record,
) -> Result<Allowed<Record>, Interrupt> {
    let permit = admit(reader, draft, &row).await?;
    let mut run = Run::new(*reader, draft);
    let change = box_future(|| pipeline::apply(&mut run, ItemChange::create(row))).await?;
    let row = change.into_after().ok_or_else(lost_row)?;
    Ok(permit.answer(reader, row))
}

/// Asks whether the caller may create a row.
async fn admit(reader: &Reader<'_>, draft: &Draft, row: &Record) -> Result<Permit, Interrupt> {
    let mut gate = Gate::new(reader);
    let question = Question::create(row);
    gate.admit(draft, question, Mention::default).await
}

/// A change that makes a row has one.
pub(super) fn lost_row() -> Error {
    Error::integrity("a row was lost on its way to the draft")
}

/// Adds a row, or makes the row that is there equal to it.
pub(crate) async fn put(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    given: &Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    if spread::is_spread(reader, entity) {
        return each::put(reader, draft, entity, given, expected).await;
    }
    let row = make_row(reader, draft, entity, given).await?;
    let address = reader.row_address(&row)?;
    match stored_row(reader, draft, &row).await? {
        Some(stored) => {
            refuse_foreign(reader, &stored.record, &stored.address)?;
            update::replace(reader, draft, stored, &row, (given, expected)).await
        }
        None if !expected.is_empty() => {
            Err(Error::not_found(reader.name(entity), reader.mention(entity, &address)).into())
        }
        None if !reader.entity(entity).writes.create => {
            let declared = reader.entity(entity);
            let name = &declared.name.value;
            let refused = Error::usage(format!("the model does not let callers create {name}"));
            Err(refused.by(Declaration::of_writes(declared)).into())
        }
        None => insert(reader, draft, row).await,
    }
}

/// A row that another tenant has written is there, but not to be replaced.
fn refuse_foreign(scope: &Scope, old: &Record, address: &Address) -> Result<(), Error> {
    if is_of_tenant(scope, old.entity, &old.values) {
        return Ok(());
    }
    let clash = Clash::key(scope.mention(old.entity, address));
    Err(Error::conflict(scope.name(old.entity), clash))
}

/// What makes a row equal to the one that would be made of what is given: what is not given goes, or is its default.
pub(crate) fn replacement(scope: &Scope, old: &Record, made: &Record, given: &Item) -> Change {
    let entity = scope.entity(old.entity);
    let counters = &scope.profile(old.entity).managed;
    let stays = |name: &str| {
        entity.attribute(name).is_some_and(|attribute| {
            !attribute.may_change()
                || attribute.role.is_some()
                || attribute.numbered.is_some()
                || attribute.version.is_some()
                || counters.contains(name)
                || entity.key_attributes().contains(&name)
        })
    };
    let mut change = Change::default();
    for (name, value) in made.values.iter() {
        // What is hashed is hashed once, by the change.
        let hashed = entity
            .attribute(name)
            .is_some_and(|attribute| attribute.hashed.is_some());
        let value = given.get(name).filter(|_| hashed).unwrap_or(value);
        let differs = old.values.get(name) != Some(value);
        // The key is the same: its attributes are at most spelled otherwise, and stay as they are.
        let is_key = entity.key_attributes().contains(&name.as_str());
        if differs && (!stays(name) || given.get(name).is_some() && !is_key) {
            change.set.insert(name.clone(), value.clone());
        }
    }
    for (name, _) in old.values.iter() {
        if made.values.get(name).is_none() && !stays(name) {
            change.unset.push(name.clone());
        }
    }
    change
}
