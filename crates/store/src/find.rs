//! Rows found by what is known of them: by their key, by a beginning of it, by an index, or through a guard.

pub(crate) mod elsewhere;
mod ids;
mod masked;
mod moving;
pub(crate) mod through;
pub(crate) mod unguarded;

pub(crate) use ids::by_ids;
pub(crate) use masked::{place_of_key, stored_place, stored_place_of_key};
pub(crate) use moving::{being_moved, move_of_item, moves_that_carry, refuse_carried};

use crate::address::{Address, Finder, PartitionRange};
use crate::draft::Draft;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::pattern;
use crate::profile::Inbound;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::{EntityId, TableId};
use monotable_model::plan::BackRoute;
use through::GuardedValue;

/// How rows of an entity are found of which this is known. The table's own key comes first, because it is read
/// strongly; an index must be asked with `by`.
pub(crate) fn finder(scope: &Scope, entity: EntityId, known: &Item, by: &str) -> Option<Finder> {
    let mut keys = scope.plans().entity(entity).candidates(by);
    keys.find_map(|key| scope.addressing().find(key, known))
}

/// The ways to rows of an entity by its primary keys, in every layout, as far as these values lead there.
pub(crate) fn primary_finders(scope: &Scope, entity: EntityId, known: &Item) -> Vec<Finder> {
    let plan = scope.plans().entity(entity);
    let keys = plan.primary().into_iter().chain(&plan.layouts);
    keys.filter_map(|key| scope.addressing().find(key, known))
        .collect()
}

/// The way back by a reference.
fn back_route<'s>(scope: &'s Scope, inbound: &Inbound) -> Option<&'s BackRoute> {
    let plan = scope.plans().entity(inbound.entity);
    plan.reference(&inbound.attribute)
}

/// What is known of the rows that refer to a row.
pub(crate) fn known_of_referrer(scope: &Scope, row: &Record, inbound: &Inbound) -> Option<Item> {
    let route = back_route(scope, inbound)?;
    let mut known = Item::new();
    for given in &route.given {
        if let Some(value) = row.values.get(&given.from) {
            known.insert(given.name.clone(), value.clone());
        }
    }
    // Without the id of the row nothing is known of those that refer to it.
    known.get(&inbound.attribute)?;
    Some(known)
}

/// A row that refers to another.
#[derive(Clone, Debug)]
pub(crate) struct Referrer {
    pub(crate) inbound: Inbound,
    pub(crate) record: Record,
    pub(crate) item: Item,
}

/// What is asked of a row: who refers to it by these references.
pub(crate) struct ReferrerQuery<'r> {
    pub(crate) row: &'r Record,
    pub(crate) inbound: Vec<Inbound>,
}

/// Who refers to a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Referrers {
    pub(crate) referrers: Vec<Referrer>,
    /// An index was asked: a row may have been missed.
    pub(super) uncertain: bool,
}

/// One reference to one of the rows that are asked about.
type Asking = (usize, Inbound);

/// Who refers to each of these rows, found side by side.
pub(crate) async fn referrers(
    reader: &Reader<'_>,
    asked: &[ReferrerQuery<'_>],
) -> Result<Vec<Referrers>, Interrupt> {
    let mut found: Vec<Referrers> = asked.iter().map(|_| Referrers::default()).collect();
    let mut keys: Vec<(Asking, Address)> = Vec::new();
    let mut partitions: Vec<(Vec<Asking>, PartitionRange)> = Vec::new();
    let mut guarded: Vec<(Asking, GuardedValue)> = Vec::new();
    for (position, asked) in asked.iter().enumerate() {
        for inbound in &asked.inbound {
            let Some(known) = known_of_referrer(reader, asked.row, inbound) else {
                continue;
            };
            let asking = (position, inbound.clone());
            let route = back_route(reader, inbound);
            if let Some((entity, claim)) = route.and_then(|route| route.guard) {
                guarded.push((asking, (entity, claim, known)));
                continue;
            }
            let way = match finder(reader, inbound.entity, &known, &inbound.attribute) {
                Some(way) => Some(way),
                None => by_pattern(reader, inbound, &known)?,
            };
            match way {
                Some(Finder::Key(address)) => keys.push((asking, address)),
                Some(Finder::Range(rows)) => {
                    if let Some(found) = found.get_mut(position) {
                        found.uncertain |= rows.index().is_some();
                    }
                    for old in in_old_layouts(reader, inbound, &known) {
                        together(&mut partitions, asking.clone(), old);
                    }
                    together(&mut partitions, asking, rows);
                }
                // The checker reports references that nothing leads back from.
                None => {}
            }
        }
    }
    let mut add = |(position, inbound): Asking, table, item: Item| {
        let row = asked.get(position).map(|asked| asked.row);
        let referrer = row.and_then(|row| read_referrer(reader, row, &inbound, table, item));
        if let (Some(found), Some(referrer)) = (found.get_mut(position), referrer) {
            found.referrers.push(referrer);
        }
    };
    for (asking, table, item) in by_guards(reader, guarded).await? {
        add(asking, table, item);
    }
    let addresses: Vec<_> = keys.iter().map(|(_, address)| address.clone()).collect();
    let items = reader.get_many_or_none(&addresses).await?;
    for ((asking, address), item) in keys.into_iter().zip(items) {
        if let Some(item) = item {
            add(asking, address.table(), item);
        }
    }
    let rows: Vec<_> = partitions.iter().map(|(_, rows)| rows.clone()).collect();
    let answers = reader.all(&rows).await?;
    for ((askings, rows), items) in partitions.into_iter().zip(answers) {
        for item in items {
            for asking in &askings {
                add(asking.clone(), rows.table(), item.clone());
            }
        }
    }
    Ok(found)
}

/// The item of the row that a reference of a row names, and all rows that refer to it by the same reference; none if it is not there.
pub(crate) async fn referrers_of_target(
    reader: &Reader<'_>,
    draft: &Draft,
    row: &Record,
    attribute: &str,
) -> Result<Option<(Item, Referrers)>, Interrupt> {
    let declared = reader.entity(row.entity).attribute(attribute);
    let reference = declared.and_then(|declared| declared.reference.as_ref());
    let id = row.values.get(attribute);
    let address = reference
        .zip(id)
        .and_then(|(reference, id)| reader.target_address(row, reference.target, id));
    let Some(address) = address else {
        return Ok(None);
    };
    let Some((record, item)) = reader.row(draft, &address).await? else {
        return Ok(None);
    };
    let inbound = Inbound {
        entity: row.entity,
        attribute: attribute.to_owned(),
        owns: None,
    };
    let asked = ReferrerQuery {
        row: &record,
        inbound: vec![inbound],
    };
    let found = referrers(reader, &[asked]).await?.pop();
    Ok(found.map(|found| (item, found)))
}

/// Where rows under the keys of old layouts are found: in indexes, which they share with those of today.
fn in_old_layouts(scope: &Scope, inbound: &Inbound, known: &Item) -> Vec<PartitionRange> {
    let keys = back_route(scope, inbound).map(|route| route.old_layouts.as_slice());
    let keys = keys.unwrap_or_default().iter();
    let ways = keys.filter_map(|key| scope.addressing().find(key, known));
    ways.filter_map(|way| match way {
        Finder::Range(rows) => Some(rows),
        Finder::Key(_) => None,
    })
    .collect()
}

/// The way that the model's `via` names, where keys alone do not lead back.
fn by_pattern(scope: &Scope, inbound: &Inbound, known: &Item) -> Result<Option<Finder>, Error> {
    let Some(via) = back_route(scope, inbound).and_then(|route| route.via) else {
        return Ok(None);
    };
    Ok(pattern::rows_of(scope, via, known)?.map(Finder::Range))
}

/// Whether only an index tells who refers to a row.
pub(crate) fn asks_index(scope: &Scope, row: &Record, inbound: &[Inbound]) -> bool {
    inbound.iter().any(|inbound| {
        let known = known_of_referrer(scope, row, inbound);
        let finder =
            known.and_then(|known| finder(scope, inbound.entity, &known, &inbound.attribute));
        let is_guarded = back_route(scope, inbound).is_some_and(|route| route.guard.is_some());
        !is_guarded && finder.is_some_and(|finder| !finder.is_certain())
    })
}

/// Whether the table's own keys, or a guard, tell who refers to a row: none is missed.
pub(crate) fn leads_back_surely(scope: &Scope, row: &Record, inbound: &Inbound) -> bool {
    let Some(known) = known_of_referrer(scope, row, inbound) else {
        return false;
    };
    let finder = finder(scope, inbound.entity, &known, &inbound.attribute);
    let is_guarded = back_route(scope, inbound).is_some_and(|route| route.guard.is_some());
    is_guarded || finder.is_some_and(|finder| finder.is_certain())
}

/// Queries of one partition whose prefixes include each other are one.
fn together(
    partitions: &mut Vec<(Vec<Asking>, PartitionRange)>,
    asking: Asking,
    rows: PartitionRange,
) {
    let known = partitions.iter_mut().find(|(_, known)| {
        known.partition == rows.partition
            && known.leading == rows.leading
            && (known.prefix.starts_with(&rows.prefix) || rows.prefix.starts_with(&known.prefix))
    });
    match known {
        Some((askings, known)) => {
            if rows.prefix.len() < known.prefix.len() {
                known.prefix = rows.prefix;
            }
            askings.push(asking);
        }
        None => partitions.push((vec![asking], rows)),
    }
}

/// The item as a row that really refers.
fn read_referrer(
    scope: &Scope,
    row: &Record,
    inbound: &Inbound,
    table: TableId,
    item: Item,
) -> Option<Referrer> {
    let record = scope.decode(table, &item)?;
    let id = scope.entity(row.entity).id.as_ref()?;
    let refers = record.entity == inbound.entity
        && record.values.get(&inbound.attribute) == row.values.get(id);
    let inbound = inbound.clone();
    refers.then_some(Referrer {
        inbound,
        record,
        item,
    })
}

/// Whether a row still refers to another: an index may have shown what was.
pub(crate) async fn still_refers(
    reader: &Reader<'_>,
    row: &Record,
    referrer: &Referrer,
) -> Result<bool, Interrupt> {
    let entity = reader.entity(referrer.record.entity);
    let table = entity.table;
    // Where old rows stand elsewhere, it is not known which table showed this one.
    if entity.layouts.iter().any(|layout| layout.table != table) {
        return Ok(true);
    }
    let Some(address) = reader.addressing().locate_item(table, &referrer.item) else {
        return Ok(true);
    };
    let item = reader.get(&address, true).await?.map(|item| item.to_item());
    let found = item.and_then(|item| read_referrer(reader, row, &referrer.inbound, table, item));
    Ok(found.is_some())
}

/// Rows that guards lead to: all guards at once, then all rows.
async fn by_guards(
    reader: &Reader<'_>,
    guarded: Vec<(Asking, GuardedValue)>,
) -> Result<Vec<(Asking, TableId, Item)>, Interrupt> {
    let (askings, values): (Vec<_>, Vec<_>) = guarded.into_iter().unzip();
    let found = through::rows(reader, &values).await?;
    let mut all = Vec::new();
    for (asking, found) in askings.into_iter().zip(found) {
        for (record, item) in found {
            all.push((asking.clone(), reader.entity(record.entity).table, item));
        }
    }
    Ok(all)
}
