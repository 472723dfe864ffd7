//! What a row of a snapshot is called on one line: its kind, its key, and the first that it says.

use super::declared::{Declared, is_said};
use crate::notation::Notation;
use crate::output::visible;
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::{Assigned, Attribute, Entity, Kind};
use monotable_store::Row;

/// The longest text of a value, in characters.
const MOST: usize = 60;

/// `DRIVER d1 Health`.
pub(super) fn label(declared: &Declared<'_>, row: &Row) -> String {
    let named = declared.model.entity_named(&row.entity);
    let Some((_, entity)) = named else {
        return visible(&row.entity);
    };
    let shared = declared.head().key_attributes();
    let mut key = entity.key_attributes();
    key.retain(|name| !shared.contains(name) && *name != declared.revision());
    let kind = first(entity, row, &key, |kind| matches!(kind, Kind::Enum(_)));
    let text = first(entity, row, &key, |kind| matches!(kind, Kind::Text(_)));
    let names = kind.into_iter().chain(key).chain(text);
    let values = names.filter_map(|name| row.get(name)).map(shown);
    values.collect::<Vec<_>>().join(" ")
}

/// What a row is called, and whether it has a tombstone.
pub(super) fn marked(declared: &Declared<'_>, row: &Row) -> String {
    let label = label(declared, row);
    let entity = declared.model.entity_named(&row.entity);
    if entity.is_some_and(|(_, entity)| is_buried(entity, row)) {
        format!("{label} (deleted)")
    } else {
        label
    }
}

/// The first attribute of a tombstone tells, as it does to the store.
fn is_buried(entity: &Entity, row: &Row) -> bool {
    entity.tombstone.first().is_some_and(|assignment| {
        let value = row.get(&assignment.name.value);
        match &assignment.value {
            Assigned::Flag(flag) => value == Some(&AttributeValue::Bool(*flag)),
            Assigned::Number(_) | Assigned::Template(_) => value.is_some(),
        }
    })
}

/// The first attribute of a kind that the row has.
fn first<'m>(
    entity: &'m Entity,
    row: &Row,
    key: &[&str],
    is_kind: impl Fn(&Kind) -> bool,
) -> Option<&'m str> {
    let is_wanted = |attribute: &&Attribute| {
        let name = attribute.name.value.as_str();
        is_said(attribute)
            && is_kind(&attribute.kind)
            && !key.contains(&name)
            && !attribute.key_only
            && row.get(name).is_some()
    };
    let found = entity.attributes.iter().find(is_wanted)?;
    Some(&found.name.value)
}

/// A value on one line: texts as they are, others as JSON.
pub(super) fn shown(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => cut(visible(text)),
        value => cut(json(value)),
    }
}

/// A value as JSON, on one line.
pub(super) fn json(value: &AttributeValue) -> String {
    let item = EncodedItem::from(Item::new().with("value", value.clone()));
    let view = item.view().get("value");
    visible(&view.map_or_else(String::new, |view| Notation::Plain.value(view)))
}

fn cut(text: String) -> String {
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
