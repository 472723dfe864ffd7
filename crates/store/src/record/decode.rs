//! A stored item as a row: recognised, and under the names of the model.

use super::Record;
use crate::{address, value};
use monotable_item::{AttributeValue, EncodedItem, Item, ItemView, ValueView};
use monotable_model::compiled::{
    CompiledEntity, CompiledKey, CompiledModel, Recognised, StoredKey,
};
use monotable_model::model::{Entity, EntityId, KeyPlace, Kind, TableId};
use std::borrow::Cow;

/// As much room as most items need, so that they are read without growing.
const USUAL_ATTRIBUTES: usize = 16;

/// What an item is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decoded {
    /// A row of an entity.
    Row {
        /// The row.
        record: Record,
        /// The layout it is stored in; none for the one the entity writes.
        layout: Option<String>,
    },
    /// A row that the model does not know; kept as it is.
    Unknown(Item),
}

/// Reads an item of a table. `prefix` is the tenant's, which its partition key begins with.
#[must_use]
pub fn decode(model: &CompiledModel, table: TableId, prefix: &str, item: &Item) -> Decoded {
    let encoded = EncodedItem::from(item);
    match decode_view(model, table, prefix, encoded.view()) {
        Some((record, layout)) => Decoded::Row { record, layout },
        None => Decoded::Unknown(item.clone()),
    }
}

/// Reads a stored item in place: the row and its layout. None: the model does not know it.
pub(crate) fn decode_view(
    model: &CompiledModel,
    table: TableId,
    prefix: &str,
    item: ItemView<'_>,
) -> Option<(Record, Option<String>)> {
    decode_expected(model, (table, None), prefix, item)
}

/// Reads a stored item that is probably of this entity: others are looked for only if it is not.
pub(crate) fn decode_expected(
    model: &CompiledModel,
    (table, expected): (TableId, Option<EntityId>),
    prefix: &str,
    item: ItemView<'_>,
) -> Option<(Record, Option<String>)> {
    let declared = model.model().table(table);
    // Read once, for what is looked up and for what is named.
    let mut attributes = Vec::with_capacity(USUAL_ATTRIBUTES);
    attributes.extend(item.iter());
    let attribute = |wanted: &str| {
        let mut known = attributes.iter();
        match known.find(|(name, _)| *name == wanted) {
            Some((_, ValueView::S(text))) => Some(*text),
            _ => None,
        }
    };
    let hash = attribute(&declared.hash.value).unwrap_or_default();
    if address::is_reserved(hash) {
        return None;
    }
    let key = StoredKey {
        hash: hash.strip_prefix(prefix).unwrap_or(hash),
        range: declared
            .range
            .as_ref()
            .and_then(|range| attribute(&range.value)),
    };
    let found = expected.and_then(|entity| model.recognise_as(entity, table, key, attribute));
    let found = found.or_else(|| model.recognise(table, key, attribute))?;
    let entity = model.model().entity(found.entity);
    let compiled = model.entity(found.entity)?;
    let mut values = name_attributes(model, entity, compiled, table, attributes.into_iter());
    complete_from_keys(entity, compiled, found, (prefix, key), item, &mut values);
    let layout = found
        .layout
        .and_then(|position| entity.layouts.get(position));
    let layout = layout.map(|layout| layout.name.value.clone());
    let entity = found.entity;
    Some((Record { entity, values }, layout))
}

/// Reads an item of an entity in place, in a partition whose attributes are known. Of its sort key only what the item
/// does not have is read back.
pub(crate) fn decode_among(
    model: &CompiledModel,
    entity: EntityId,
    partition: &Item,
    item: ItemView<'_>,
) -> Record {
    let declared = model.model().entity(entity);
    let Some(compiled) = model.entity(entity) else {
        let values = Item::new();
        return Record { entity, values };
    };
    let mut values = name_attributes(model, declared, compiled, declared.table, item.iter());
    for (name, value) in partition.iter() {
        if declared.attribute(name).is_some() {
            values.insert(name.clone(), value.clone());
        }
    }
    let layouts = compiled.layouts.iter().map(|(_, _, keys)| keys.as_slice());
    let keys = std::iter::once(compiled.keys.as_slice()).chain(layouts);
    let primary = keys.filter_map(|keys| {
        let mut keys = keys.iter();
        keys.find(|key| key.place == KeyPlace::Primary)
    });
    for key in primary {
        let (Some(template), Some(name)) = (&key.range, &key.range_attribute) else {
            continue;
        };
        if template.reads().all(|name| values.get(name).is_some()) {
            continue;
        }
        let parsed = text(item, name).and_then(|text| template.parse(text));
        for (name, text) in parsed.into_iter().flatten() {
            let attribute = declared.attribute(&name);
            let value = attribute.and_then(|attribute| value::read(&attribute.kind, text));
            if let (None, Some(value)) = (values.get(&name), value) {
                values.insert(name, value);
            }
        }
    }
    Record { entity, values }
}

/// What the primary key of a row tells of it, in the layout that is written.
pub(crate) fn read_key(
    model: &CompiledModel,
    entity: EntityId,
    prefix: &str,
    key: &Item,
) -> Record {
    let declared = model.model().entity(entity);
    let keys = model.entity(entity).map(|entity| entity.keys.as_slice());
    let mut keys = keys.unwrap_or_default().iter();
    let primary = keys.find(|key| key.place == KeyPlace::Primary);
    let item = EncodedItem::from(key);
    let mut values = Item::new();
    for (name, text) in primary
        .map(|key| read_back(key, prefix, item.view()))
        .unwrap_or_default()
    {
        let attribute = declared.attribute(&name);
        let value = attribute.and_then(|attribute| value::read(&attribute.kind, text));
        if let Some(value) = value {
            values.insert(name, value);
        }
    }
    Record { entity, values }
}

fn text<'i>(item: ItemView<'i>, name: &str) -> Option<&'i str> {
    match item.get(name) {
        Some(ValueView::S(text)) => Some(text),
        _ => None,
    }
}

/// The attributes under the model's names, without keys and nulls.
fn name_attributes<'i>(
    model: &CompiledModel,
    entity: &Entity,
    compiled: &CompiledEntity,
    table: TableId,
    attributes: impl Iterator<Item = (&'i str, ValueView<'i>)>,
) -> Item {
    // Collected first: a map that is built at once is cheaper than one that grows.
    let mut found: Vec<(String, AttributeValue)> = Vec::with_capacity(entity.attributes.len());
    let mut others = Vec::new();
    for (name, value) in attributes {
        if matches!(value, ValueView::Null) {
            continue;
        }
        let Some(spelling) = compiled.spellings.get(name) else {
            let kept = entity.open || entity.family(name).is_some();
            let is_key = model.is_key_attribute(table, name);
            if kept && (!is_key || model.is_own_attribute(table, name)) {
                found.push((name.to_owned(), value.to_value()));
            }
            continue;
        };
        match entity.attributes.get(spelling.attribute) {
            Some(attribute) if !attribute.key_only && spelling.rank == 0 => {
                found.push((
                    attribute.name.value.clone(),
                    spelled(&attribute.kind, value),
                ));
            }
            Some(attribute) if !attribute.key_only => {
                others.push((spelling.rank, attribute, value))
            }
            Some(_) | None => {}
        }
    }
    let mut values: Item = found.into_iter().collect();
    // Other names count where the written one is not there.
    others.sort_by_key(|(rank, ..)| *rank);
    for (_, attribute, value) in others {
        if values.get(&attribute.name.value).is_none() {
            values.insert(
                attribute.name.value.clone(),
                spelled(&attribute.kind, value),
            );
        }
    }
    values
}

/// Another spelling of a word becomes the one that is written.
fn spelled(kind: &Kind, found: ValueView<'_>) -> AttributeValue {
    let found = found.to_value();
    match kind {
        Kind::Enum(words) => match &found {
            // As it is written, most of the time.
            AttributeValue::S(text) if words.iter().any(|known| known.word == *text) => found,
            _ => value::accept(kind, found.clone()).unwrap_or(found),
        },
        _ => found,
    }
}

/// What is in keys only, or missing in old rows, is read back from the keys. Where an attribute contradicts the primary
/// key, the key counts: the row stands there and nowhere else.
fn complete_from_keys(
    entity: &Entity,
    compiled: &CompiledEntity,
    found: Recognised,
    (prefix, stored): (&str, StoredKey<'_>),
    item: ItemView<'_>,
    values: &mut Item,
) {
    let layout = found
        .layout
        .and_then(|position| compiled.layouts.get(position));
    let keys: &[CompiledKey] = layout.map_or(&compiled.keys, |(_, _, keys)| keys);
    for key in keys.iter().filter(|key| !key.implied) {
        let is_primary = key.place == KeyPlace::Primary;
        let count = if has_one_text(key) { 1 } else { usize::MAX };
        let templates = key.templates().take(count);
        let mut reads = templates.flat_map(|template| template.reads());
        let is_complete = reads.all(|name| values.get(name).is_some());
        if is_complete && (!is_primary || agrees(key, stored, values)) {
            continue;
        }
        for (name, text) in read_back(key, prefix, item) {
            let Some(attribute) = entity.attribute(&name) else {
                continue;
            };
            let trusted = is_primary || attribute.key_only || !attribute.may_change();
            if (is_primary || values.get(&name).is_none())
                && trusted
                && let Some(value) = value::read(&attribute.kind, text)
            {
                values.insert(name, value);
            }
        }
    }
}

/// Whether the texts of a primary key show these values.
fn agrees(key: &CompiledKey, stored: StoredKey<'_>, values: &Item) -> bool {
    let value = |name: &str| match values.get(name) {
        Some(AttributeValue::S(text)) => Some(Cow::Borrowed(text.as_str())),
        Some(AttributeValue::N(number)) => Some(Cow::Owned(number.to_string())),
        _ => None,
    };
    if !key.hash.agrees(stored.hash, value) {
        return false;
    }
    let Some((text, template)) = stored.range.zip(key.range.as_ref()) else {
        return true;
    };
    let is_same = text == stored.hash && has_one_text(key);
    is_same || template.agrees(text, value)
}

/// Whether the partition key and the sort key are one string, which says the same twice.
fn has_one_text(key: &CompiledKey) -> bool {
    let range = key.range.as_ref();
    key.further.is_empty()
        && range.is_some_and(|range| range.template().text == key.hash.template().text)
}

/// The attributes that the texts of a key give back.
fn read_back(key: &CompiledKey, prefix: &str, item: ItemView<'_>) -> Vec<(String, String)> {
    let hash = text(item, &key.hash_attribute)
        .and_then(|text| key.hash.parse(text.strip_prefix(prefix).unwrap_or(text)));
    let range = key
        .range_attribute
        .as_deref()
        .and_then(|name| text(item, name))
        .zip(key.range.as_ref());
    let range = range.and_then(|(text, template)| template.parse(text));
    let further = key.further.hash.iter().chain(&key.further.range);
    let further = further.filter_map(|part| part.template.parse(text(item, &part.attribute)?));
    hash.into_iter()
        .flatten()
        .chain(range.into_iter().flatten())
        .chain(further.flatten())
        .collect()
}
