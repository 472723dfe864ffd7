//! Rows that stand where the model would not put them today: under the key of an old layout, or under a key that has a time
//! in another spelling.
//!
//! A store remembers which layouts its rows may have, and whether other programs may have written some (`store_item`). Only
//! then is anything read here, and only of entities whose rows can stand elsewhere.

use super::Finder;
use crate::address::Address;
use crate::interrupt::Interrupt;
use crate::pattern::{respell_key_times, second_of, time_field};
use crate::reader::Reader;
use crate::record::{self, Record};
use crate::scope::Scope;
use crate::store_item::row_history;
use crate::value;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::render_parts;
use monotable_model::model::{Attribute, EntityId, Part};
use monotable_model::plan::KeyText;

/// Where a row stands that is not at the place of today.
#[derive(Clone, Debug)]
pub(crate) struct StandsElsewhere {
    pub(crate) address: Address,
    pub(crate) record: Record,
    pub(crate) item: Item,
}

/// The row with this key, if it stands elsewhere.
pub(crate) async fn find_elsewhere(
    reader: &Reader<'_>,
    entity: EntityId,
    key: &Item,
) -> Result<Option<StandsElsewhere>, Interrupt> {
    if !can_stand_elsewhere(reader, entity) {
        return Ok(None);
    }
    let asked = KeyQuery::new(reader, entity, key);
    let mut ways: Vec<_> = asked.respelled(reader).into_iter().collect();
    let history = row_history(reader).await?;
    if history.may_be_elsewhere(reader.name(entity)) {
        ways.extend(in_layouts(reader, entity, &asked.values));
        if !history.is_adopted {
            ways.extend(in_same_second(reader, entity, &asked.values));
        }
    }
    Box::pin(first_found(reader, &asked, ways)).await
}

/// Whether a key that a caller gives spells a time otherwise than the model writes it.
pub(crate) fn has_other_spelling(scope: &Scope, entity: EntityId, key: &Item) -> bool {
    can_stand_elsewhere(scope, entity) && KeyQuery::new(scope, entity, key).is_respelled
}

/// The key of a row that is looked for.
struct KeyQuery {
    entity: EntityId,
    /// The attributes of the key, and nothing that another row may have otherwise; times as the model writes them.
    values: Item,
    /// A time was given in another spelling.
    is_respelled: bool,
}

impl KeyQuery {
    fn new(scope: &Scope, entity: EntityId, key: &Item) -> Self {
        let values = record::key_values(scope.compiled(), entity, key, &scope.circumstances);
        let mut values = values.unwrap_or_else(|_| key.clone());
        let of_key = scope.entity(entity).key_attributes();
        let others = values.iter().map(|(name, _)| name.clone());
        let others: Vec<_> = others
            .filter(|name| !of_key.contains(&name.as_str()))
            .collect();
        for name in others {
            values.remove(&name);
        }
        let mut row = Record { entity, values };
        let is_respelled = respell_key_times(scope, &mut row);
        Self {
            entity,
            values: row.values,
            is_respelled,
        }
    }

    /// The place of the row, if the caller spells a time otherwise than the model writes it.
    fn respelled(&self, scope: &Scope) -> Option<Finder> {
        let place = scope.addressing().locate_row(self.entity, &self.values);
        place.ok().filter(|_| self.is_respelled).map(Finder::Key)
    }
}

/// Whether the store may have rows of an entity that stand elsewhere.
pub(crate) async fn may_stand_elsewhere(
    reader: &Reader<'_>,
    entity: EntityId,
) -> Result<bool, Interrupt> {
    if !can_stand_elsewhere(reader, entity) {
        return Ok(false);
    }
    let history = row_history(reader).await?;
    Ok(history.may_be_elsewhere(reader.name(entity)))
}

/// Whether rows of an entity can stand elsewhere at all.
fn can_stand_elsewhere(scope: &Scope, entity: EntityId) -> bool {
    let declared = scope.entity(entity);
    let plan = scope.plans().entity(entity);
    let sort = plan.primary().and_then(|key| key.sort.as_ref());
    let mut parts = sort.into_iter().flatten();
    !plan.layouts.is_empty() || parts.any(|part| time_field(declared, part).is_some())
}

/// The ways to a row in the layouts that are only read. Where its key is not known there, an index leads to it.
fn in_layouts(scope: &Scope, entity: EntityId, values: &Item) -> Vec<Finder> {
    let plan = scope.plans().entity(entity);
    let find = |key: &KeyText| scope.addressing().find(key, values);
    let (mut ways, mut ranges) = (Vec::new(), Vec::new());
    for way in plan.layouts.iter().filter_map(find) {
        match way {
            Finder::Key(_) => ways.push(way),
            Finder::Range(_) => ranges.push(way),
        }
    }
    if plan.layouts.len() > ways.len() {
        let indexes = plan.layout_indexes.iter().filter_map(find);
        let closer = |way: &Finder| match way {
            Finder::Range(rows) => !rows.prefix.is_empty(),
            Finder::Key(_) => true,
        };
        let indexes: Vec<_> = indexes.filter(closer).collect();
        ways.extend(if indexes.is_empty() { ranges } else { indexes });
    }
    ways
}

/// The places of a row in the layouts that are only read, as far as its key leads there.
pub(crate) fn old_places(scope: &Scope, entity: EntityId, key: &Item) -> Vec<Address> {
    let plan = scope.plans().entity(entity);
    let values = &KeyQuery::new(scope, entity, key).values;
    let ways = plan.layouts.iter();
    let ways = ways.filter_map(|key| scope.addressing().find(key, values));
    let places = ways.filter_map(|way| match way {
        Finder::Key(address) => Some(address),
        Finder::Range(_) => None,
    });
    places.collect()
}

/// The way to rows whose first time in the sort key is of the same second.
fn in_same_second(scope: &Scope, entity: EntityId, values: &Item) -> Option<Finder> {
    let declared = scope.entity(entity);
    let key = scope.plans().entity(entity).primary()?;
    let sort = key.sort.as_ref()?;
    let is_time = |part: &Part| time_field(declared, part).is_some();
    let time = sort.iter().position(is_time)?;
    let addressing = scope.addressing();
    let partition = addressing.render_known(&key.partition, values);
    let beginning = sort.get(..=time)?;
    let beginning = render_parts(beginning, |path| addressing.find_value(values, path)).ok()?;
    let prefix = second_of(&beginning)?.to_owned();
    partition.is_whole.then(|| {
        let partition = addressing.partition(&key.at, partition.text);
        Finder::Range(partition.beginning_with(prefix))
    })
}

async fn first_found(
    reader: &Reader<'_>,
    asked: &KeyQuery,
    ways: Vec<Finder>,
) -> Result<Option<StandsElsewhere>, Interrupt> {
    for way in ways {
        let (table, items) = match way {
            Finder::Key(address) => {
                let items = reader
                    .get_many_or_none(std::slice::from_ref(&address))
                    .await?;
                (address.table(), items.into_iter().flatten().collect())
            }
            Finder::Range(rows) => {
                let items = reader.all(std::slice::from_ref(&rows)).await?;
                let items: Vec<_> = items.into_iter().flatten().collect();
                (rows.table(), items)
            }
        };
        for item in items {
            let record = reader.decode(table, &item);
            let record = record.filter(|record| is_same_row(reader, record, asked));
            let address = reader.addressing().locate_item(table, &item);
            if let Some((record, address)) = record.zip(address) {
                return Ok(Some(StandsElsewhere {
                    address,
                    record,
                    item,
                }));
            }
        }
    }
    Ok(None)
}

/// Whether a row has the key that is asked for, however its times are spelled.
fn is_same_row(scope: &Scope, row: &Record, asked: &KeyQuery) -> bool {
    let KeyQuery { entity, values, .. } = asked;
    let declared = scope.entity(*entity);
    let spelled = |attribute: Option<&Attribute>, value: &AttributeValue| match attribute {
        Some(attribute) => value::accept(&attribute.kind, value.clone()).ok(),
        None => Some(value.clone()),
    };
    row.entity == *entity
        && declared.key_attributes().into_iter().all(|name| {
            let attribute = declared.attribute(name);
            match (row.values.get(name), values.get(name)) {
                (Some(own), Some(asked)) => {
                    own == asked || spelled(attribute, own) == spelled(attribute, asked)
                }
                (own, asked) => own == asked,
            }
        })
}
