//! Rows that guards lead to.

use super::unguarded::holders;
use crate::address::Address;
use crate::guard::{GuardRow, guard};
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use crate::store_item::{is_adopted, refuse_unadopted};
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;
use monotable_model::plan::{GuardKey, GuardPlan};

/// A claim, by its entity and position, and what is known of the row that has it.
pub(crate) type GuardedValue = (EntityId, usize, Item);

/// The row whose claim is on these values; none if nobody has it.
pub(crate) async fn row(
    reader: &Reader<'_>,
    entity: EntityId,
    claim: usize,
    known: &Item,
) -> Result<Option<(Record, Item)>, Interrupt> {
    let found = rows(reader, &[(entity, claim, known.clone())]).await?;
    let mut found = found.into_iter().flatten();
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => {
            let name = reader.name(entity);
            let claim = reader.entity(entity).claims.get(claim);
            let claim = claim.map_or("", |claim| claim.name.value.as_str());
            let undecided =
                format!("several rows of {name} have the same `{claim}`, which is unique");
            Err(refuse_unadopted(reader, &undecided).await)
        }
        (first, _) => Ok(first),
    }
}

/// The rows whose claims are on these values. In a store that is not adopted a row counts also if nothing guards its value.
pub(crate) async fn rows(
    reader: &Reader<'_>,
    asked: &[GuardedValue],
) -> Result<Vec<Vec<(Record, Item)>>, Interrupt> {
    let found = guarded_rows(reader, asked).await?;
    let found = found.into_iter().map(|row| row.into_iter().collect());
    let mut found: Vec<Vec<_>> = found.collect();
    if found.iter().all(|rows| !rows.is_empty()) || is_adopted(reader).await? {
        return Ok(found);
    }
    for (rows, asked) in found.iter_mut().zip(asked) {
        if rows.is_empty() {
            *rows = Box::pin(unguarded_rows(reader, asked)).await?;
        }
    }
    Ok(found)
}

/// The rows that have a value which nothing guards.
async fn unguarded_rows(
    reader: &Reader<'_>,
    (entity, claim, known): &GuardedValue,
) -> Result<Vec<(Record, Item)>, Interrupt> {
    let Some(claim) = reader.entity(*entity).claims.get(*claim) else {
        return Ok(Vec::new());
    };
    match holders(reader, *entity, claim, known).await? {
        Some(found) => {
            let rows = found.into_iter().map(|found| (found.record, found.item));
            Ok(rows.collect())
        }
        None => {
            let (name, claim) = (reader.name(*entity), &claim.name.value);
            let undecided = format!(
                "whether a row of {name} has this `{claim}` cannot be told: nothing guards the value, and no key leads to it"
            );
            Err(refuse_unadopted(reader, &undecided).await)
        }
    }
}

/// The rows that guards lead to: all guards at once, then all rows.
pub(super) async fn guarded_rows(
    reader: &Reader<'_>,
    asked: &[GuardedValue],
) -> Result<Vec<Option<(Record, Item)>>, Interrupt> {
    let mut guards = Vec::new();
    for (entity, claim, known) in asked {
        let claim = reader.entity(*entity).claims.get(*claim);
        let owner = Record {
            entity: *entity,
            values: known.clone(),
        };
        let found = claim
            .map(|claim| guard(reader, &owner, claim))
            .transpose()?;
        guards.push(found.flatten());
    }
    let places = |guard: &GuardRow| 1 + guard.also.len();
    let addresses: Vec<_> = guards
        .iter()
        .flatten()
        .flat_map(|guard| std::iter::once(&guard.address).chain(&guard.also))
        .cloned()
        .collect();
    let mut items = reader.get_many_or_none(&addresses).await?.into_iter();
    let mut owners = Vec::new();
    for (guard, (entity, claim, known)) in guards.iter().zip(asked) {
        // The guard of today counts before those that earlier releases wrote.
        let found = items.by_ref().take(guard.as_ref().map_or(0, places));
        let found: Vec<_> = found.collect();
        let item = found.into_iter().flatten().next();
        let address = item.and_then(|item| {
            let plan = guard_plan(reader, *entity, *claim)?;
            let values = owner_values(reader, plan, known, &item)?;
            let row = Record {
                entity: *entity,
                values,
            };
            owner_place(reader, &row, plan, &item)
        });
        owners.push(address);
    }
    let addresses: Vec<_> = owners.iter().flatten().cloned().collect();
    let mut items = reader.get_many_or_none(&addresses).await?.into_iter();
    let rows = owners
        .into_iter()
        .zip(asked)
        .map(|(address, (entity, ..))| {
            let address = address?;
            let item = items.next().flatten()?;
            let record = reader.decode(address.table(), &item)?;
            (record.entity == *entity).then_some((record, item))
        });
    Ok(rows.collect())
}

/// Where the owner of a guard stands: the guard may hold its sort key, which changes when it moves.
fn owner_place(scope: &Scope, row: &Record, plan: &GuardPlan, item: &Item) -> Option<Address> {
    let held = plan.sort_key.as_ref().and_then(|name| item.get(name));
    if let Some(AttributeValue::S(sort)) = held {
        let addressing = scope.addressing();
        let partition = addressing.locate_partition(row.entity, &row.values).ok()?;
        return addressing.locate_in(&partition, Some(sort.clone())).ok();
    }
    scope.row_address(row).ok()
}

/// What is known of the owner of a guard: what was asked with, and what the guard says.
fn owner_values(scope: &Scope, plan: &GuardPlan, known: &Item, item: &Item) -> Option<Item> {
    let row = match &plan.guard {
        GuardKey::Row(_) => None,
        GuardKey::Entity { entity, .. } => Some(scope.decode(scope.entity(*entity).table, item)?),
    };
    let said = row.as_ref().map_or(item, |row| &row.values);
    let mut values = known.clone();
    for told in &plan.tells {
        if let Some(value) = said.get(&told.held_as) {
            values.insert(told.name.clone(), value.clone());
        }
    }
    Some(values)
}

fn guard_plan(scope: &Scope, entity: EntityId, claim: usize) -> Option<&GuardPlan> {
    let guards = &scope.plans().entity(entity).guards;
    guards.get(claim)?.as_ref()
}
