//! Rows found by their ids, where the rest of their key is not known.
//!
//! An id that is guarded is looked up through its guard, by strong reads: nobody else can have the id, and a row that was
//! written a moment ago is found. An id without a guard was written by something else, and an index finds its row.

use super::through;
use super::{Finder, finder};
use crate::address::Address;
use crate::interrupt::Interrupt;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::{Entity, EntityId};

/// The rows of an entity with these ids, each by its guard or else by whatever key leads there; `beside` is the row that
/// names them.
pub(crate) async fn by_ids(
    reader: &Reader<'_>,
    entity: EntityId,
    beside: &Item,
    ids: &[AttributeValue],
) -> Result<Vec<Vec<Record>>, Interrupt> {
    let Some(id_name) = &reader.entity(entity).id else {
        return Ok(ids.iter().map(|_| Vec::new()).collect());
    };
    let mut found = through_guards(reader, entity, id_name, ids).await?;
    let missing = ids.iter().zip(&found).filter(|(_, rows)| rows.is_empty());
    let missing: Vec<_> = missing.map(|(id, _)| id.clone()).collect();
    if missing.is_empty() {
        return Ok(found);
    }
    let shown = by_keys(reader, entity, beside, id_name, &missing).await?;
    let rest = match id_claim(reader, entity) {
        Some(_) => still_there(reader, id_name, shown).await?,
        None => {
            let records = |rows: Vec<Placed>| rows.into_iter().map(|row| row.record).collect();
            shown.into_iter().map(records).collect()
        }
    };
    let mut rest = rest.into_iter();
    for rows in found.iter_mut().filter(|rows| rows.is_empty()) {
        *rows = rest.next().unwrap_or_default();
    }
    Ok(found)
}

/// A row and where it was found.
struct Placed {
    record: Record,
    address: Address,
}

/// The claim whose guards lead from ids to rows of an entity.
fn id_claim(scope: &Scope, entity: EntityId) -> Option<usize> {
    let declared = scope.entity(entity);
    declared.id_claim(scope.model().table(declared.table))
}

/// Of rows that an index showed, those that the table has. A row that was deleted a moment ago has lost its guard, but an
/// index may show it still.
async fn still_there(
    reader: &Reader<'_>,
    id_name: &str,
    shown: Vec<Vec<Placed>>,
) -> Result<Vec<Vec<Record>>, Interrupt> {
    let addresses = shown.iter().flatten().map(|row| row.address.clone());
    let addresses: Vec<_> = addresses.collect();
    let mut items = reader.get_many_or_none(&addresses).await?.into_iter();
    let mut there = Vec::new();
    for rows in shown {
        let mut same = Vec::new();
        for Placed { record, address } in rows {
            let item = items.next().flatten();
            let found = item.and_then(|item| reader.decode(address.table(), &item));
            same.extend(found.filter(|found| {
                let id = found.values.get(id_name);
                found.entity == record.entity && id == record.values.get(id_name)
            }));
        }
        there.push(same);
    }
    Ok(there)
}

/// The rows that guards of the ids lead to; nothing where there is no guard.
async fn through_guards(
    reader: &Reader<'_>,
    entity: EntityId,
    id_name: &str,
    ids: &[AttributeValue],
) -> Result<Vec<Vec<Record>>, Interrupt> {
    let Some(claim) = id_claim(reader, entity) else {
        return Ok(ids.iter().map(|_| Vec::new()).collect());
    };
    let known = |id: &AttributeValue| Item::new().with(id_name, id.clone());
    let wanted: Vec<_> = ids.iter().map(|id| (entity, claim, known(id))).collect();
    let found = through::guarded_rows(reader, &wanted).await?;
    let rows = found.into_iter().zip(ids).map(|(row, id)| {
        let row = row.map(|(row, _)| row);
        let row = row.filter(|row| row.values.get(id_name) == Some(id));
        row.into_iter().collect()
    });
    Ok(rows.collect())
}

/// The rows that keys of the table or of an index lead to.
async fn by_keys(
    reader: &Reader<'_>,
    entity: EntityId,
    beside: &Item,
    id_name: &str,
    ids: &[AttributeValue],
) -> Result<Vec<Vec<Placed>>, Interrupt> {
    let declared = reader.entity(entity);
    let ways = ids.iter().map(|id| {
        // Values of the same name may belong to something else; the id alone is certain to be meant.
        let own = Item::new().with(id_name, id.clone());
        finder(reader, entity, &own, id_name).or_else(|| {
            let known = key_values(declared, beside).with(id_name, id.clone());
            finder(reader, entity, &known, id_name)
        })
    });
    let ways: Vec<_> = ways.collect();
    let mut partitions = Vec::new();
    let mut addresses = Vec::new();
    for way in ways.iter().flatten() {
        match way {
            Finder::Range(rows) => partitions.push(rows.clone()),
            Finder::Key(address) => addresses.push(address.clone()),
        }
    }
    let mut queried = reader.all(&partitions).await?.into_iter();
    let mut got = reader.get_many_or_none(&addresses).await?.into_iter();
    let mut found = Vec::new();
    for (way, id) in ways.into_iter().zip(ids) {
        let items = match way {
            Some(Finder::Range(_)) => queried.next().unwrap_or_default(),
            Some(Finder::Key(_)) => got.next().flatten().into_iter().collect(),
            None => Vec::new(),
        };
        let rows = items.iter().filter_map(|item| {
            Some(Placed {
                record: reader.decode(declared.table, item)?,
                address: reader.addressing().locate_item(declared.table, item)?,
            })
        });
        let same = rows.filter(|Placed { record, .. }| {
            record.entity == entity && record.values.get(id_name) == Some(id)
        });
        found.push(same.collect());
    }
    Ok(found)
}

/// What a row that refers to an entity says of that entity's key, by attributes of the same name.
fn key_values(declared: &Entity, beside: &Item) -> Item {
    let mut known = Item::new();
    for name in declared.key_attributes() {
        if let Some(value) = beside.get(name) {
            known.insert(name, value.clone());
        }
    }
    known
}
