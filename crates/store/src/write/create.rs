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
use crate::mention::Mention;
use crate::record::{self, Change, Record};
use crate::rights::{Gate, Question};
use crate::session::{Interrupt, Session};
use monotable_item::Item;
use monotable_model::model::{EntityId, OnExists};
use std::collections::BTreeSet;

/// Adds a new row with everything that belongs to it.
pub(crate) async fn create(
    session: &Session,
    draft: &mut Draft,
    entity: EntityId,
    given: Item,
) -> Result<Allowed<Record>, Interrupt> {
    let declared = session.entity(entity);
    if !declared.writes.create {
        let name = &declared.name.value;
        return Err(Error::usage(format!("the model does not let callers create {name}")).into());
    }
    if each::is_spread(session, entity) {
        return each::create(session, draft, entity, given).await;
    }
    let raw = given.clone();
    let row = made(session, draft, entity, given).await?;
    let address = session.row_address(&row)?;
    match declared.on_exists {
        OnExists::Keep => {
            if let Some((known, _)) = session.row(draft, &address).await? {
                return keep(session, draft, &row, known).await;
            }
        }
        OnExists::Replace => {
            if let Some((old, item)) = session.row(draft, &address).await? {
                refuse_foreign(session, &old, &address)?;
                return update::replace(session, draft, &address, (old, item), &row, &raw).await;
            }
        }
        OnExists::Conflict | OnExists::Fraction => {}
    }
    insert(session, draft, row).await
}

/// The stored row, which stays as it is, if the caller may see it.
async fn keep(
    session: &Session,
    draft: &Draft,
    row: &Record,
    known: Record,
) -> Result<Allowed<Record>, Interrupt> {
    let address = session.row_address(row)?;
    let mention = || session.mention(row.entity, &address);
    refuse_foreign(session, &known, &address)?;
    let mut gate = Gate::new(session);
    gate.admit(draft, Question::create(row), mention).await?;
    let name = session.name(row.entity);
    let taken = || Error::conflict(name, Clash::key(mention()));
    let known = gate.see_row(known).await?;
    known.ok_or_else(|| taken().into())
}

/// The row that is made of what a caller gives.
pub(super) async fn made(
    session: &Session,
    draft: &Draft,
    entity: EntityId,
    given: Item,
) -> Result<Record, Interrupt> {
    update::refuse_counters(session, entity, given.iter().map(|(name, _)| name))?;
    if !is_of_tenant(session, entity, &given) {
        let wanted = || "the tenant that writes it".to_owned();
        let errors = tenant_names(session.entity(entity))
            .filter(|name| given.get(name).is_some())
            .map(|name| FieldError::new(name, Problem::Wrong { wanted: wanted() }));
        return Err(session.refused(entity, errors.collect()).into());
    }
    let looked_into = references::looked_into(session, draft, entity, &given).await?;
    let created = match looked_into.is_empty() {
        true => record::create(session.compiled(), entity, given, &session.around),
        false => {
            let around = session.around.with_referred(looked_into);
            record::create(session.compiled(), entity, given, &around)
        }
    };
    Ok(created.map_err(|errors| session.refused(entity, errors))?)
}

/// Adds a finished row.
async fn insert(
    session: &Session,
    draft: &mut Draft,
    row: Record,
) -> Result<Allowed<Record>, Interrupt> {
    let mut gate = Gate::new(session);
    let question = Question::create(&row);
    let permit = gate.admit(draft, question, Mention::default).await?;
    let (row, address) = add_row(session, draft, row).await?;
    audit::written(
        session,
        draft,
        AuditedAction::Create,
        &address,
        None,
        Some(&row),
    )?;
    Ok(permit.answer(session, row))
}

/// Adds a row that the caller may create, without a word about it in the audit.
pub(super) async fn add_row(
    session: &Session,
    draft: &mut Draft,
    mut row: Record,
) -> Result<(Record, Address), Interrupt> {
    let declared = session.entity(row.entity);
    let forged = record::forged(session.model(), &row, &session.around);
    if !forged.is_empty() {
        return Err(session.refused(row.entity, forged).into());
    }
    for attribute in &declared.attributes {
        if let Some((reference, counter)) = &attribute.numbered {
            let number = relations::raise(session, draft, &row, reference, counter).await?;
            if let Some(number) = number {
                row.values.insert(attribute.name.value.clone(), number);
            }
        }
    }
    let row = fraction::free(session, &[draft], row)?;
    let address = session.row_address(&row)?;
    let put = Action::new(Write::Put(session.encode(&row)?))
        .demand(Demand::Absent, note::clash(session, &row, &address));
    draft.add_first(address.clone(), put)?;
    claims::swap(
        session,
        draft,
        row.entity,
        Vec::new(),
        claims::guards(session, &row)?,
    )?;
    relations::demand(session, draft, &row).await?;
    references::demand(session, draft, &row, None).await?;
    checks::demand(session, draft, &row, None).await?;
    counted::recount(session, draft, None, Some(&row), &BTreeSet::new())?;
    derived::follow(session, draft, None, Some(&row))?;
    derived::follow_fresh(session, draft, None, Some(&row)).await?;
    paths::follow(session, draft, None, Some(&row)).await?;
    Ok((row, address))
}

/// Adds a row, or makes the row that is there equal to it.
pub(crate) async fn put(
    session: &Session,
    draft: &mut Draft,
    entity: EntityId,
    given: Item,
    expected: &Expected,
) -> Result<Allowed<Record>, Interrupt> {
    if each::is_spread(session, entity) {
        return each::put(session, draft, entity, given, expected).await;
    }
    let row = made(session, draft, entity, given.clone()).await?;
    let address = session.row_address(&row)?;
    match session.row(draft, &address).await? {
        Some((old, item)) => {
            refuse_foreign(session, &old, &address)?;
            update::refuse_unless_changeable(session, entity)?;
            let found = (old, item);
            update::replace_expected(session, draft, &address, found, &row, (&given, expected))
                .await
        }
        None if !expected.is_empty() => {
            Err(Error::not_found(session.name(entity), session.mention(entity, &address)).into())
        }
        None if !session.entity(entity).writes.create => {
            let name = session.name(entity);
            Err(Error::usage(format!("the model does not let callers create {name}")).into())
        }
        None => insert(session, draft, row).await,
    }
}

/// A row that another tenant has written is there, but not to be replaced.
fn refuse_foreign(session: &Session, old: &Record, address: &Address) -> Result<(), Error> {
    if is_of_tenant(session, old.entity, &old.values) {
        return Ok(());
    }
    let clash = Clash::key(session.mention(old.entity, address));
    Err(Error::conflict(session.name(old.entity), clash))
}

/// What makes a row equal to the one that would be made of what is given: what is not given goes, or is its default.
pub(crate) fn replacement(session: &Session, old: &Record, made: &Record, given: &Item) -> Change {
    let entity = session.entity(old.entity);
    let counters = &session.profile(old.entity).managed;
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
