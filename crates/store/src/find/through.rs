//! Rows that guards lead to.

use crate::address::Address;
use crate::guard::{GuardRow, guard};
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;
use monotable_model::plan::{GuardKey, GuardPlan};

/// The row whose claim is on these values; none if nobody has it.
pub(crate) async fn row(
    reader: &Reader<'_>,
    entity: EntityId,
    claim: usize,
    known: &Item,
) -> Result<Option<(Record, Item)>, Interrupt> {
    let mut found = rows(reader, &[(entity, claim, known.clone())]).await?;
    Ok(found.pop().flatten())
}

/// The same for many: all guards at once, then all rows.
pub(crate) async fn rows(
    reader: &Reader<'_>,
    asked: &[(EntityId, usize, Item)],
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
