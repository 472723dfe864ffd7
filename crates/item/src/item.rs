//! Items as a tree.

use crate::AttributeValue;
use std::collections::{BTreeMap, btree_map};

/// Attributes by name. A map value is an item too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Item(BTreeMap<String, AttributeValue>);

impl Item {
    /// An item without attributes.
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// The item with one more attribute.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<AttributeValue>) -> Self {
        self.insert(name, value);
        self
    }

    /// Sets an attribute; returns the value it had.
    pub fn insert(
        &mut self,
        name: impl Into<String>,
        value: impl Into<AttributeValue>,
    ) -> Option<AttributeValue> {
        self.0.insert(name.into(), value.into())
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&AttributeValue> {
        self.0.get(name)
    }

    /// The value of an attribute, to change it.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut AttributeValue> {
        self.0.get_mut(name)
    }

    /// Removes an attribute; returns the value it had.
    pub fn remove(&mut self, name: &str) -> Option<AttributeValue> {
        self.0.remove(name)
    }

    /// The attributes, by name.
    pub fn iter(&self) -> btree_map::Iter<'_, String, AttributeValue> {
        self.0.iter()
    }

    /// How many attributes there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no attribute.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(String, AttributeValue)> for Item {
    fn from_iter<I: IntoIterator<Item = (String, AttributeValue)>>(attributes: I) -> Self {
        Self(attributes.into_iter().collect())
    }
}

impl IntoIterator for Item {
    type Item = (String, AttributeValue);
    type IntoIter = btree_map::IntoIter<String, AttributeValue>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Item {
    type Item = (&'a String, &'a AttributeValue);
    type IntoIter = btree_map::Iter<'a, String, AttributeValue>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
