//! Where a row is: its table and its primary key.

use crate::field_error::{FieldError, Problem};
use crate::record::{self, Circumstances};
use monotable_item::{AttributeValue, EncodedItem, Item, ItemBuilder, ItemView, ValueView, limits};
use monotable_model::compiled::CompiledModel;
use monotable_model::model::{EntityId, Model, TableId};
use std::fmt;

/// A table and a primary key in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Address {
    pub(crate) table: TableId,
    pub(crate) hash: String,
    pub(crate) range: Option<String>,
}

impl Address {
    /// Where a row with these values stands.
    pub(crate) fn of(
        model: &CompiledModel,
        entity: EntityId,
        values: &Item,
        circumstances: &Circumstances,
    ) -> Result<Self, FieldError> {
        let (hash, range) = record::primary_key(model, entity, values, circumstances)?;
        let table = model.model().entity(entity).table;
        Ok(Self { table, hash, range })
    }

    /// Where a stored item stands; None if it has no such key.
    pub(crate) fn of_item(model: &Model, table: TableId, item: &Item) -> Option<Self> {
        Self::of_texts(model, table, |name| match item.get(name) {
            Some(AttributeValue::S(text)) => Some(text.clone()),
            _ => None,
        })
    }

    /// The same for an item that is still encoded.
    pub(crate) fn of_view(model: &Model, table: TableId, item: ItemView<'_>) -> Option<Self> {
        Self::of_texts(model, table, |name| match item.get(name) {
            Some(ValueView::S(text)) => Some(text.to_owned()),
            _ => None,
        })
    }

    fn of_texts(
        model: &Model,
        table: TableId,
        text: impl Fn(&str) -> Option<String>,
    ) -> Option<Self> {
        let declared = model.table(table);
        let range = match &declared.range {
            Some(range) => Some(text(&range.value)?),
            None => None,
        };
        let hash = text(&declared.hash.value)?;
        Some(Self { table, hash, range })
    }

    /// The key as it is stored.
    pub(crate) fn encoded_key(&self, model: &Model) -> EncodedItem {
        let table = model.table(self.table);
        let mut key = ItemBuilder::new();
        key.push(&table.hash.value, ValueView::S(&self.hash));
        if let (Some(name), Some(range)) = (&table.range, &self.range) {
            key.push(&name.value, ValueView::S(range));
        }
        key.finish()
    }

    /// Whether DynamoDB takes the key.
    pub(crate) fn check(&self) -> Result<(), FieldError> {
        let parts = [
            (Some(&self.hash), limits::MAX_PARTITION_KEY_BYTES),
            (self.range.as_ref(), limits::MAX_SORT_KEY_BYTES),
        ];
        for (text, most) in parts {
            let bytes = text.map_or(1, String::len);
            if bytes == 0 || bytes > most {
                let why = format!("it would have {bytes} bytes; DynamoDB allows 1 to {most}");
                return Err(FieldError::new("key", Problem::Key { why }));
            }
        }
        Ok(())
    }

    /// The key as DynamoDB takes it.
    pub(crate) fn key(&self, model: &Model) -> Item {
        let table = model.table(self.table);
        let mut key = Item::new().with(table.hash.value.clone(), self.hash.as_str());
        if let (Some(name), Some(range)) = (&table.range, &self.range) {
            key.insert(name.value.clone(), range.as_str());
        }
        key
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.range {
            Some(range) if *range != self.hash => write!(f, "{} / {range}", self.hash),
            _ => f.write_str(&self.hash),
        }
    }
}
