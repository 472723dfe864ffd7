//! Rows as callers see them.

use crate::operation::wire::PlainValue;
use crate::record::Record;
use crate::secret;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::Model;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A row: its entity and its attributes by the names of the model, without secrets and what is the store's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The entity's name.
    pub entity: String,
    /// Its attributes.
    pub values: Item,
}

impl Serialize for Row {
    /// The entity's name as `$entity`, and the attributes beside it.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.values.len() + 1))?;
        map.serialize_entry("$entity", &self.entity)?;
        for (name, value) in self.values.iter() {
            map.serialize_entry(name, &PlainValue(value))?;
        }
        map.end()
    }
}

impl Row {
    /// What a caller may see of a row.
    pub(crate) fn of(model: &Model, record: Record) -> Self {
        let entity = model.entity(record.entity);
        let mut values = record.values;
        for attribute in &entity.attributes {
            let name = &attribute.name.value;
            let Some(hidden) = (match (attribute.internal, attribute.secret) {
                (true, _) => values.remove(name).map(|_| None),
                (false, Some(secret)) => values
                    .remove(name)
                    .map(|value| secret::masked(&value, secret.mask)),
                (false, None) => None,
            }) else {
                continue;
            };
            if let Some(shown) = hidden {
                values.insert(name.clone(), shown);
            }
        }
        let entity = entity.name.value.clone();
        Self { entity, values }
    }

    /// What the caller who has made a row sees of it: also the secrets that the store has made, this once.
    pub(crate) fn made(model: &Model, record: Record, given: &Item) -> Self {
        let entity = model.entity(record.entity);
        let made: Vec<_> = entity
            .attributes
            .iter()
            .filter(|attribute| attribute.secret.is_some() && attribute.generated.is_some())
            .map(|attribute| &attribute.name.value)
            .filter(|name| given.get(name).is_none())
            .filter_map(|name| Some((name.clone(), record.values.get(name)?.clone())))
            .collect();
        let mut row = Self::of(model, record);
        for (name, value) in made {
            row.values.insert(name, value);
        }
        row
    }

    /// The value of an attribute.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&AttributeValue> {
        self.values.get(name)
    }

    /// The text of an attribute; empty if it has none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        match self.values.get(name) {
            Some(AttributeValue::S(text)) => text,
            _ => "",
        }
    }
}
