//! A stored item as a row: recognised, and under the names of the model.

use super::Record;
use crate::value;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::{CompiledKey, CompiledModel, Recognised, StoredKey};
use monotable_model::model::{Attribute, Entity, KeyPlace, Kind, TableId};

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
    let declared = model.model().table(table);
    let text = |name: &str| match item.get(name) {
        Some(AttributeValue::S(text)) => Some(text.as_str()),
        _ => None,
    };
    let hash = text(&declared.hash.value).unwrap_or_default();
    let key = StoredKey {
        hash: hash.strip_prefix(prefix).unwrap_or(hash),
        range: declared.range.as_ref().and_then(|range| text(&range.value)),
    };
    let Some(found) = model.recognise(table, key, text) else {
        return Decoded::Unknown(item.clone());
    };
    let entity = model.model().entity(found.entity);
    let mut values = named(entity, item, model, table);
    complete_from_keys(model, entity, found, prefix, item, &mut values);
    let layout = found
        .layout
        .and_then(|position| entity.layouts.get(position));
    Decoded::Row {
        record: Record {
            entity: found.entity,
            values,
        },
        layout: layout.map(|layout| layout.name.value.clone()),
    }
}

/// The attributes under the model's names, without keys and nulls.
fn named(entity: &Entity, item: &Item, model: &CompiledModel, table: TableId) -> Item {
    let mut values = Item::new();
    for attribute in entity
        .attributes
        .iter()
        .filter(|attribute| !attribute.key_only)
    {
        if let Some(value) = found(entity, attribute, item) {
            values.insert(
                attribute.name.value.clone(),
                spelled(&attribute.kind, value),
            );
        }
    }
    let keys = key_attributes(model, table);
    for (name, value) in item.iter() {
        let known = entity
            .attributes
            .iter()
            .any(|attribute| spellings(entity, attribute).any(|spelling| spelling == *name));
        let kept = entity.open || entity.family(name).is_some();
        if !known && kept && !keys.contains(name) && *value != AttributeValue::Null {
            values.insert(name.clone(), value.clone());
        }
    }
    values
}

/// The value of an attribute, under any of its names; null is absent.
fn found<'i>(entity: &Entity, attribute: &Attribute, item: &'i Item) -> Option<&'i AttributeValue> {
    let mut values = spellings(entity, attribute).filter_map(|name| item.get(&name));
    values.find(|value| **value != AttributeValue::Null)
}

/// The names under which an item may have an attribute: the stored one first.
pub(super) fn spellings<'a>(
    entity: &Entity,
    attribute: &'a Attribute,
) -> impl Iterator<Item = String> + use<'a> {
    let camel = entity
        .also_camel_case
        .then(|| camel_case(&attribute.stored));
    std::iter::once(attribute.stored.clone())
        .chain(attribute.aliases.iter().cloned())
        .chain(camel)
}

fn camel_case(name: &str) -> String {
    let mut characters = name.chars();
    let first = characters
        .next()
        .map(|first| first.to_lowercase().to_string());
    first.unwrap_or_default() + characters.as_str()
}

/// Another spelling of a word becomes the one that is written.
fn spelled(kind: &Kind, found: &AttributeValue) -> AttributeValue {
    match kind {
        Kind::Enum(_) => value::accept(kind, found.clone()).unwrap_or_else(|_| found.clone()),
        _ => found.clone(),
    }
}

/// The attributes of all keys of a table: they are not the row's own.
pub(super) fn key_attributes(model: &CompiledModel, table: TableId) -> Vec<String> {
    let table = model.model().table(table);
    let indexes = table
        .indexes
        .iter()
        .flat_map(|index| std::iter::once(&index.hash).chain(&index.range));
    let all = std::iter::once(&table.hash)
        .chain(&table.range)
        .chain(indexes);
    all.map(|name| name.value.clone()).collect()
}

/// What is in keys only, or missing in old rows, is read back from the keys.
fn complete_from_keys(
    model: &CompiledModel,
    entity: &Entity,
    found: Recognised,
    prefix: &str,
    item: &Item,
    values: &mut Item,
) {
    let Some(compiled) = model.entity(found.entity) else {
        return;
    };
    let layout = found
        .layout
        .and_then(|position| compiled.layouts.get(position));
    let keys: &[CompiledKey] = layout.map_or(&compiled.keys, |(_, _, keys)| keys);
    for key in keys.iter().filter(|key| !key.implied) {
        for (name, text) in read_back(key, prefix, item) {
            let Some(attribute) = entity.attribute(&name) else {
                continue;
            };
            let trusted = key.place == KeyPlace::Primary
                || attribute.key_only
                || !attribute.may_change();
            if values.get(&name).is_none()
                && trusted
                && let Some(value) = value::read(&attribute.kind, text)
            {
                values.insert(name, value);
            }
        }
    }
}

/// The attributes that the texts of a key give back.
fn read_back(key: &CompiledKey, prefix: &str, item: &Item) -> Vec<(String, String)> {
    let text = |attribute: &str| match item.get(attribute) {
        Some(AttributeValue::S(text)) => Some(text.as_str()),
        _ => None,
    };
    let hash = text(&key.hash_attribute)
        .and_then(|text| key.hash.parse(text.strip_prefix(prefix).unwrap_or(text)));
    let range = key
        .range_attribute
        .as_deref()
        .and_then(text)
        .zip(key.range.as_ref());
    let range = range.and_then(|(text, template)| template.parse(text));
    hash.into_iter()
        .flatten()
        .chain(range.into_iter().flatten())
        .collect()
}
