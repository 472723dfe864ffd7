//! Rows as callers see them.

use crate::allowed::Allowed;
use crate::record::Record;
use crate::secret;
use crate::wire::PlainValue;
use monotable_item::{AttributeValue, Item};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{Attribute, Entity};
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
    /// A row that the caller may see, without secrets.
    pub(crate) fn reveal(model: &CompiledModel, record: Allowed<Record>) -> Self {
        let record = record.into_inner();
        let entity = model.model().entity(record.entity);
        let covered = model
            .entity(record.entity)
            .map(|entity| entity.covered.as_slice())
            .unwrap_or_default();
        let covered = covered
            .iter()
            .filter_map(|position| entity.attributes.get(*position));
        Self {
            entity: entity.name.value.clone(),
            values: mask(covered, record.values),
        }
    }

    /// What the caller who has made a row sees of it: also the secrets that the store has made, this once.
    pub(crate) fn reveal_new(model: &CompiledModel, record: Allowed<Record>, given: &Item) -> Self {
        let entity = model.model().entity(record.entity);
        let made: Vec<_> = entity
            .attributes
            .iter()
            .filter(|attribute| attribute.secret.is_some() && attribute.generated.is_some())
            .map(|attribute| &attribute.name.value)
            .filter(|name| given.get(name).is_none())
            .filter_map(|name| Some((name.clone(), record.values.get(name)?.clone())))
            .collect();
        let mut row = Self::reveal(model, record);
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

/// The attributes of a row without what is the store's own, secrets masked.
pub(crate) fn mask_secrets(entity: &Entity, values: Item) -> Item {
    mask(entity.attributes.iter(), values)
}

/// Removes those of these attributes that are the store's own, and masks those that are secrets.
fn mask<'e>(attributes: impl Iterator<Item = &'e Attribute>, mut values: Item) -> Item {
    for attribute in attributes {
        let name = &attribute.name.value;
        if attribute.internal {
            values.remove(name);
        } else if let Some(secret) = attribute.secret
            && let Some(value) = values.remove(name)
            && let Some(masked) = secret::masked(&value, secret.mask)
        {
            values.insert(name.clone(), masked);
        }
    }
    values
}
