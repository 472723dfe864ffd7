//! New rows.

use super::audit::{self, AuditedAction};
use super::update::{self, Expected};
use super::{checks, claims, counted, derived, each, fraction, note, paths, references, relations};
use crate::address::Address;
use crate::allowed::Allowed;
use crate::caller::{is_of_tenant, tenant_names};
use crate::draft::{Action, Demand, Draft, Write};
use crate::error::{Clash, Error};
use crate::field_error::{FieldError, Problem};
use crate::guard;
use crate::interrupt::Interrupt;
use crate::mention::Mention;
use crate::reader::Reader;
use crate::record::{self, Change, Record};
use crate::rights::{Gate, Question};
use crate::scope::Scope;
use crate::spread;
use monotable_item::Item;
use monotable_model::model::{EntityId, OnExists};
use std::collections::BTreeSet;

/// Adds a new row with everything that belongs to it.
pub(crate) async fn create(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    given: Item,
) -> Result<Allowed<Record>, Interrupt> {
    let declared = reader.entity(entity);
    if !declared.writes.create {
        let name = &declared.name.value;
        return Err(Error::usage(format!("the model does not let callers create {name}")).into());
    }
    if spread::is_spread(reader, entity) {
        return each::create(reader, draft, entity, given).await;
    }
    let raw = given.clone();
    let row = make_row(reader, draft, entity, given).await?;
    // The key of a row that is numbered is known only when it has its number.
    match declared.on_exists {
        OnExists::Keep => {
            let address = reader.row_address(&row)?;
            if let Some((known, _)) = reader.row(draft, &address).await? {
                return keep(reader, draft, &row, known).await;
            }
        }
        OnExists::Replace => {
            let address = reader.row_address(&row)?;
            if let Some((old, item)) = reader.row(draft, &address).await? {
                refuse_foreign(reader, &old, &address)?;
                return update::replace(reader, draft, &address, (old, item), &row, &raw).await;
            }
        }
        OnExists::Conflict | OnExists::Fraction => {}
    }
    insert(reader, draft, row).await
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
    given: Item,
) -> Result<Record, Interrupt> {
    update::refuse_counters(reader, entity, given.iter().map(|(name, _)| name))?;
    if !is_of_tenant(reader, entity, &given) {
        let wanted = || "the tenant that writes it".to_owned();
        let errors = tenant_names(reader.entity(entity))
            .filter(|name| given.get(name).is_some())
            .map(|name| FieldError::new(name, Problem::Wrong { wanted: wanted() }));
        return Err(reader.refused(entity, errors.collect()).into());
    }
    let looked_into = references::looked_into(reader, draft, entity, &given).await?;
    let created = match looked_into.is_empty() {
        true => record::create(reader.compiled(), entity, given, &reader.circumstances),
        false => {
            let circumstances = reader.circumstances.with_referred(looked_into);
            record::create(reader.compiled(), entity, given, &circumstances)
        }
    };
    Ok(created.map_err(|errors| reader.refused(entity, errors))?)
}

/// Adds a finished row.
async fn insert(
    reader: &Reader<'_>,
    draft: &mut Draft,
    row: Record,
) -> Result<Allowed<Record>, Interrupt> {
    let mut gate = Gate::new(reader);
    let question = Question::create(&row);
    let permit = gate.admit(draft, question, Mention::default).await?;
    let (row, address) = add_row(reader, draft, row).await?;
    audit::note_write(
        reader,
        draft,
        AuditedAction::Create,
        &address,
        None,
        Some(&row),
    )?;
    Ok(permit.answer(reader, row))
}

/// Adds a row that the caller may create, without a word about it in the audit.
pub(super) async fn add_row(
    reader: &Reader<'_>,
    draft: &mut Draft,
    mut row: Record,
) -> Result<(Record, Address), Interrupt> {
    let declared = reader.entity(row.entity);
    let forged = record::find_forged(reader.model(), &row, &reader.circumstances);
    if !forged.is_empty() {
        return Err(reader.refused(row.entity, forged).into());
    }
    for attribute in &declared.attributes {
        if let Some((reference, counter)) = &attribute.numbered {
            let number = relations::raise(reader, draft, &row, reference, counter).await?;
            if let Some(number) = number {
                row.values.insert(attribute.name.value.clone(), number);
            }
        }
    }
    let row = fraction::free(reader, &[draft], row)?;
    let address = reader.row_address(&row)?;
    let put = Action::new(Write::Put(reader.encode(&row)?))
        .demand(Demand::Absent, note::clash(reader, &row, &address));
    draft.add_first(address.clone(), put)?;
    claims::swap(
        reader,
        draft,
        row.entity,
        Vec::new(),
        guard::guards(reader, &row)?,
    )?;
    relations::demand(reader, draft, &row).await?;
    references::demand(reader, draft, &row, None).await?;
    checks::demand(reader, draft, &row, None).await?;
    counted::recount(reader, draft, None, Some(&row), &BTreeSet::new())?;
    derived::follow(reader, draft, None, Some(&row))?;
    derived::follow_fresh(reader, draft, None, Some(&row)).await?;
    paths::follow(reader, draft, None, Some(&row)).await?;
    Ok((row, address))
}

/// Adds a row, or makes the row that is there equal to it.
pub(crate) async fn put(
    reader: &Reader<'_>,
    draft: &mut Draft,
    entity: EntityId,
    given: Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    if spread::is_spread(reader, entity) {
        return each::put(reader, draft, entity, given, expected).await;
    }
    let row = make_row(reader, draft, entity, given.clone()).await?;
    let address = reader.row_address(&row)?;
    match reader.row(draft, &address).await? {
        Some((old, item)) => {
            refuse_foreign(reader, &old, &address)?;
            update::refuse_unless_changeable(reader, entity)?;
            let found = (old, item);
            update::replace_expected(reader, draft, &address, found, &row, (&given, expected)).await
        }
        None if !expected.is_empty() => {
            Err(Error::not_found(reader.name(entity), reader.mention(entity, &address)).into())
        }
        None if !reader.entity(entity).writes.create => {
            let name = reader.name(entity);
            Err(Error::usage(format!("the model does not let callers create {name}")).into())
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
