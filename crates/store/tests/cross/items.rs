//! The raw items of a store, as judges look at them.

use monotable_item::{AttributeValue, Item};

/// All items of the table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Items(pub(crate) Vec<Item>);

impl Items {
    /// The items of an entity.
    pub(crate) fn of_type(&self, wanted: &str) -> impl Iterator<Item = &Item> {
        self.0.iter().filter(move |item| kind(item) == wanted)
    }

    /// The things that are there, with those in the bin.
    pub(crate) fn things_and_binned(&self) -> impl Iterator<Item = &Item> {
        self.of_type("Thing").chain(self.of_type("Binned"))
    }

    /// Whether an item of this type has these texts.
    pub(crate) fn has(&self, wanted: &str, texts: &[(&str, &str)]) -> bool {
        self.of_type(wanted)
            .any(|item| texts.iter().all(|(name, value)| text(item, name) == *value))
    }
}

/// The entity of an item: what its type says, or its key where rows have no type or keep that of another entity.
pub(crate) fn kind(item: &Item) -> &str {
    let (partition, sort) = (text(item, "PK"), text(item, "SK"));
    let tree = ["TREE#", "DIR#"]
        .iter()
        .any(|start| partition.starts_with(start));
    match text(item, "Type") {
        _ if partition.starts_with("BIN#") && sort.starts_with("BIN#") => "BinnedRest",
        _ if partition.starts_with("BIN#") => "Binned",
        "" if partition.starts_with("TREE#") && sort.starts_with("F#") => "Thing",
        "" if tree && sort.starts_with("F#") => "Entry",
        known => known,
    }
}

/// The text of an attribute; empty if there is none.
pub(crate) fn text<'i>(item: &'i Item, name: &str) -> &'i str {
    match item.get(name) {
        Some(AttributeValue::S(text)) => text,
        _ => "",
    }
}

pub(crate) fn number(item: &Item, name: &str) -> Option<i64> {
    match item.get(name) {
        Some(AttributeValue::N(number)) => number.to_string().parse().ok(),
        _ => None,
    }
}

pub(crate) fn flag(item: &Item, name: &str) -> bool {
    item.get(name) == Some(&AttributeValue::Bool(true))
}

/// The texts of a list.
pub(crate) fn texts<'i>(item: &'i Item, name: &str) -> Vec<&'i str> {
    match item.get(name) {
        Some(AttributeValue::L(values)) => values
            .iter()
            .filter_map(|value| match value {
                AttributeValue::S(text) => Some(text.as_str()),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// A list of texts.
pub(crate) fn list(values: &[String]) -> AttributeValue {
    AttributeValue::L(values.iter().cloned().map(AttributeValue::S).collect())
}
