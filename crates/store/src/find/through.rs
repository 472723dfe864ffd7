//! Rows that guards lead to.

use crate::address::Address;
use crate::guard::{GuardRow, guard, kept_name};
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{EntityId, Guard, Part, Source};

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
            let values = owner_values(reader, *entity, *claim, known, &item)?;
            let row = Record {
                entity: *entity,
                values,
            };
            owner_place(reader, &row, *claim, &item)
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
fn owner_place(scope: &Scope, row: &Record, claim: usize, item: &Item) -> Option<Address> {
    let declared = scope.entity(row.entity);
    let table = scope.model().table(declared.table);
    if let Guard::Row { keeps, .. } = &declared.claims.get(claim)?.guard
        && let Some(range) = &table.range
        && keeps.iter().any(|name| name.value == range.value)
    {
        let name = kept_name(scope, row.entity, &range.value);
        if let Some(AttributeValue::S(range)) = item.get(&name) {
            let addressing = scope.addressing();
            let partition = addressing.locate_partition(row.entity, &row.values).ok()?;
            return addressing.locate_in(&partition, Some(range.clone())).ok();
        }
    }
    scope.row_address(row).ok()
}

/// What is known of the owner of a guard: what was asked with, and what the guard says.
fn owner_values(
    scope: &Scope,
    entity: EntityId,
    claim: usize,
    known: &Item,
    item: &Item,
) -> Option<Item> {
    let declared = scope.entity(entity);
    let mut values = known.clone();
    match &declared.claims.get(claim)?.guard {
        Guard::Row {
            attributes, keeps, ..
        } => {
            let keeps = keeps.iter().map(|name| &name.value);
            for name in attributes.iter().chain(&declared.id).chain(keeps) {
                let stored = crate::profile::stored_name(declared, name);
                if let Some(value) = item.get(&stored) {
                    values.insert(name.clone(), value.clone());
                }
            }
        }
        Guard::Entity { entity, set, .. } => {
            let guard = scope.decode(scope.entity(*entity).table, item)?;
            for assignment in set {
                let bare = assignment.value.template().and_then(|template| {
                    let [Part::Field(field)] = template.parts.as_slice() else {
                        return None;
                    };
                    match field.sources.as_slice() {
                        [
                            Source::Path {
                                root: None, names, ..
                            },
                        ] if field.formats.is_empty() => names.last(),
                        _ => None,
                    }
                });
                let value = guard.values.get(&assignment.name.value);
                if let (Some(name), Some(value)) = (bare, value) {
                    values.insert(name.value.clone(), value.clone());
                }
            }
        }
        Guard::Snapshot => return None,
    }
    Some(values)
}
