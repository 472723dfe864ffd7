//! What can happen to a stored item.

use crate::sample::Sample;
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::Role;

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Removed,
    /// A copy stands under another key.
    Copied,
    AttributeRemoved(String),
    /// Another value of the same type.
    AttributeChanged(String),
    /// A value of another type.
    AttributeRetyped(String),
    AttributeAdded(String),
}

/// One change of one item.
#[derive(Clone, Debug)]
pub(crate) struct Damage {
    pub(crate) index: usize,
    pub(crate) kind: Kind,
    /// What is put.
    pub(crate) after: Option<Item>,
    /// Whether the item goes.
    pub(crate) removes: bool,
}

impl Damage {
    pub(crate) const fn remove_item(index: usize) -> Self {
        Self {
            index,
            kind: Kind::Removed,
            after: None,
            removes: true,
        }
    }

    pub(crate) const fn is_about(&self, index: usize) -> bool {
        self.index == index
    }

    pub(crate) fn describe(&self, sample: &Sample) -> String {
        let item = &sample.items[self.index];
        let entity = item
            .entity
            .map_or("guard", |id| &sample.model().entity(id).name.value);
        format!(
            "{entity} {:?} {:?}",
            sample.key(item.table, &item.item),
            self.kind
        )
    }
}

/// Every damage of a store.
pub(crate) fn damages(sample: &Sample) -> Vec<Damage> {
    let mut all = Vec::new();
    for (index, stored) in sample.items.iter().enumerate() {
        let declared = sample.model().table(stored.table);
        let is_key = |name: &str| declared.is_key(name);
        all.push(Damage::remove_item(index));
        let change = |kind: Kind, item: Item| Damage {
            index,
            kind,
            after: Some(item),
            removes: false,
        };
        let last = declared.range.as_ref().unwrap_or(&declared.hash);
        let copy = appended(&stored.item, &last.value);
        all.extend(copy.map(|copy| change(Kind::Copied, copy)));
        for (name, value) in stored.item.iter().filter(|(name, _)| !is_key(name)) {
            let mut without = stored.item.clone();
            without.remove(name);
            all.push(change(Kind::AttributeRemoved(name.clone()), without));
            if let Some(other) = changed(value) {
                let item = stored.item.clone().with(name.clone(), other);
                all.push(change(Kind::AttributeChanged(name.clone()), item));
            }
            // DynamoDB itself keeps the type of index keys.
            let mut indexes = declared.indexes.iter();
            let is_index_key = indexes.any(|index| {
                let mut names = std::iter::once(&index.hash).chain(&index.range);
                names.any(|known| known.value == *name)
            });
            if !is_index_key {
                let item = stored.item.clone().with(name.clone(), retyped(value));
                all.push(change(Kind::AttributeRetyped(name.clone()), item));
            }
        }
        if let Some(entity) = stored.entity {
            let attributes = sample.model().entity(entity).attributes.iter();
            let marks = attributes.filter(|known| known.role == Some(Role::Deleting));
            for mark in marks.filter(|mark| stored.item.get(&mark.stored).is_none()) {
                let item = stored
                    .item
                    .clone()
                    .with(mark.stored.clone(), "2025-01-01T00:00:00.000Z");
                all.push(change(Kind::AttributeAdded(mark.stored.clone()), item));
            }
        }
    }
    all
}

fn appended(item: &Item, name: &str) -> Option<Item> {
    match item.get(name) {
        Some(AttributeValue::S(text)) => Some(
            item.clone()
                .with(name.to_owned(), format!("{text}x").as_str()),
        ),
        _ => None,
    }
}

fn changed(value: &AttributeValue) -> Option<AttributeValue> {
    Some(match value {
        AttributeValue::S(text) => format!("{text}x").as_str().into(),
        AttributeValue::N(number) => AttributeValue::N(number.checked_add(Number::from(1)).ok()?),
        AttributeValue::Bool(flag) => AttributeValue::Bool(!flag),
        AttributeValue::L(values) if !values.is_empty() => {
            AttributeValue::L(values.iter().skip(1).cloned().collect())
        }
        _ => return None,
    })
}

fn retyped(value: &AttributeValue) -> AttributeValue {
    match value {
        AttributeValue::B(_) => AttributeValue::Bool(true),
        _ => AttributeValue::B(vec![1]),
    }
}
