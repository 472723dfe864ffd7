//! Rows found by what is known of them: by their key, by a beginning of it, by an index, or through a guard.

mod ids;
mod masked;
pub(crate) mod through;

pub(crate) use ids::by_ids;
pub(crate) use masked::place_of_key;

use crate::address::{Address, Finder, PartitionRange};
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::pattern;
use crate::profile::Inbound;
use crate::reader::Reader;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::model::{EntityId, Field, Key, KeyPlace, TableId, Template, Way};

/// How rows of an entity are found of which this is known. The table's own key comes first, because it is read
/// strongly; an index must be asked with `by`.
pub(crate) fn finder(scope: &Scope, entity: EntityId, known: &Item, by: &str) -> Option<Finder> {
    let declared = scope.entity(entity);
    let ways = declared.keys.iter().filter_map(|key| {
        let uses_by = key.templates().any(|template| uses(template, by));
        match key.place {
            KeyPlace::Primary => way(scope, declared.table, key, known),
            KeyPlace::Index(_) if uses_by => way(scope, declared.table, key, known),
            KeyPlace::Index(_) => None,
        }
    });
    ways.min_by_key(|way| !way.is_certain())
}

/// The ways to rows of an entity by its primary keys, in every layout, as far as these values lead there.
pub(crate) fn primary_finders(scope: &Scope, entity: EntityId, known: &Item) -> Vec<Finder> {
    let declared = scope.entity(entity);
    let written = declared.keys.iter().map(|key| (declared.table, key));
    let layouts = declared.layouts.iter();
    let others = layouts.flat_map(|layout| layout.keys.iter().map(|key| (layout.table, key)));
    let primary = written
        .chain(others)
        .filter(|(_, key)| key.place == KeyPlace::Primary);
    primary
        .filter_map(|(table, key)| way(scope, table, key, known))
        .collect()
}

fn uses(template: &Template, name: &str) -> bool {
    let mut names = template.fields().flat_map(Field::attributes);
    names.any(|known| known.value == name)
}

fn way(scope: &Scope, table: TableId, key: &Key, known: &Item) -> Option<Finder> {
    scope.addressing().find(table, key, known)
}

/// What is known of the rows that refer to a row.
pub(crate) fn known_of_referrer(scope: &Scope, row: &Record, inbound: &Inbound) -> Option<Item> {
    let target = scope.entity(row.entity);
    let referrer = scope.entity(inbound.entity);
    let reference = referrer.attribute(&inbound.attribute)?.reference.as_ref()?;
    let mut known = Item::new();
    let same = reference.same.iter().map(|same| same.value.as_str());
    for name in target.key_attributes().into_iter().chain(same) {
        if referrer.attribute(name).is_some()
            && let Some(value) = row.values.get(name)
        {
            known.insert(name, value.clone());
        }
    }
    let id = row.values.get(target.id.as_ref()?)?;
    known.insert(inbound.attribute.clone(), id.clone());
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
    let mut guarded: Vec<(Asking, Item)> = Vec::new();
    for (position, asked) in asked.iter().enumerate() {
        for inbound in &asked.inbound {
            let Some(known) = known_of_referrer(reader, asked.row, inbound) else {
                continue;
            };
            let asking = (position, inbound.clone());
            if claim_of(reader, inbound).is_some() {
                guarded.push((asking, known));
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

/// Where rows under the keys of old layouts are found: in indexes, which they share with those of today.
fn in_old_layouts(scope: &Scope, inbound: &Inbound, known: &Item) -> Vec<PartitionRange> {
    let entity = scope.entity(inbound.entity);
    let primary = |keys: &[Key]| {
        let key = keys.iter().find(|key| key.place == KeyPlace::Primary);
        key.map(|key| key.hash.text.clone())
    };
    let own = primary(&entity.keys);
    let mut layouts = entity.layouts.iter();
    if !layouts.any(|layout| primary(&layout.keys).is_some_and(|old| Some(old) != own)) {
        return Vec::new();
    }
    let indexes = entity.keys.iter().filter(|key| {
        matches!(key.place, KeyPlace::Index(_)) && uses(&key.hash, &inbound.attribute)
    });
    let ways = indexes.filter_map(|key| way(scope, entity.table, key, known));
    ways.filter_map(|way| match way {
        Finder::Range(rows) => Some(rows),
        Finder::Key(_) => None,
    })
    .map(|rows| PartitionRange {
        prefix: String::new(),
        ..rows
    })
    .collect()
}

/// The way that the model's `via` names, where keys alone do not lead back.
fn by_pattern(scope: &Scope, inbound: &Inbound, known: &Item) -> Result<Option<Finder>, Error> {
    let attribute = scope.entity(inbound.entity).attribute(&inbound.attribute);
    let reference = attribute.and_then(|attribute| attribute.reference.as_ref());
    let Some(via) = reference.and_then(|reference| reference.via) else {
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
        claim_of(scope, inbound).is_none() && finder.is_some_and(|finder| !finder.is_certain())
    })
}

/// Queries of one partition whose prefixes include each other are one.
fn together(
    partitions: &mut Vec<(Vec<Asking>, PartitionRange)>,
    asking: Asking,
    rows: PartitionRange,
) {
    let known = partitions.iter_mut().find(|(_, known)| {
        known.partition == rows.partition
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

/// The claim whose guard leads to the rows that refer by this, if the model names one.
fn claim_of(scope: &Scope, inbound: &Inbound) -> Option<(EntityId, usize)> {
    let attribute = scope.entity(inbound.entity).attribute(&inbound.attribute)?;
    let via = attribute.reference.as_ref()?.via?;
    match scope.model().pattern(via).way {
        Way::Through { entity, claim } => Some((entity, claim)),
        _ => None,
    }
}

/// Rows that guards lead to: all guards at once, then all rows.
async fn by_guards(
    reader: &Reader<'_>,
    guarded: Vec<(Asking, Item)>,
) -> Result<Vec<(Asking, TableId, Item)>, Interrupt> {
    let mut asked = Vec::new();
    for ((_, inbound), known) in &guarded {
        if let Some((entity, claim)) = claim_of(reader, inbound) {
            asked.push((entity, claim, known.clone()));
        }
    }
    let found = through::rows(reader, &asked).await?;
    let mut all = Vec::new();
    for ((asking, _), found) in guarded.into_iter().zip(found) {
        if let Some((record, item)) = found {
            all.push((asking, reader.entity(record.entity).table, item));
        }
    }
    Ok(all)
}
