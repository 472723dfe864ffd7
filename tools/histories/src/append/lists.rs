//! Lists as items: a table whose every append moves the entries of two indexes.

use crate::history::{Key, Step, Value};
use monotable_api::{
    CreateTableInput, GlobalSecondaryIndex, KeysAndAttributes, LocalSecondaryIndex, QueryInput,
    ScalarAttributeType, TransactUpdate, UpdateItemInput,
};
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::collections::BTreeMap;

pub(super) const TABLE: &str = "Lists";

/// How many lists a history has. Each belongs to a group (the partition of the table) and to a shelf (of the global index).
pub(super) const LISTS: Key = 6;
const GROUPS: Key = 2;
const SHELVES: Key = 3;

const APPEND: &str =
    "SET #v = list_append(if_not_exists(#v, :none), :more), Shelf = :shelf ADD Amount :count";

pub(super) fn table() -> CreateTableInput {
    CreateTableInput::new(TABLE, "Group", ScalarAttributeType::S)
        .range("List", ScalarAttributeType::N)
        .attribute("Amount", ScalarAttributeType::N)
        .attribute("Shelf", ScalarAttributeType::S)
        .local_index(LocalSecondaryIndex::new("ByAmount", "Group", "Amount"))
        .global_index(GlobalSecondaryIndex::new("ByShelf", "Shelf").range("Amount"))
}

/// The lists of one history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lists {
    pub(super) history: u32,
}

/// Several lists that one query reads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Family {
    /// Those of a group, in the table.
    Group(Key),
    /// Those of a group, in the local index.
    GroupByAmount(Key),
    /// Those of a shelf, in the global index.
    Shelf(Key),
}

impl Family {
    pub(super) fn list_all() -> impl Iterator<Item = Self> {
        let groups = (0..GROUPS).flat_map(|group| [Self::Group(group), Self::GroupByAmount(group)]);
        groups.chain((0..SHELVES).map(Self::Shelf))
    }

    fn has(self, key: Key) -> bool {
        match self {
            Self::Group(group) | Self::GroupByAmount(group) => key % GROUPS == group,
            Self::Shelf(shelf) => key % SHELVES == shelf,
        }
    }

    pub(super) fn keys(self) -> impl Iterator<Item = Key> {
        (0..LISTS).filter(move |key| self.has(*key))
    }
}

impl Lists {
    pub(super) fn key(self, key: Key) -> Item {
        Item::new()
            .with("Group", self.group(key % GROUPS))
            .with("List", key)
    }

    fn group(self, group: Key) -> String {
        format!("{}-{group}", self.history)
    }

    pub(super) fn update(self, key: Key, values: &[Value]) -> UpdateItemInput {
        let mut update = UpdateItemInput::new(TABLE, self.key(key))
            .update(APPEND)
            .name("#v", "Values");
        for (name, value) in self.placeholders(key, values) {
            update = update.value(name, value);
        }
        update
    }

    pub(super) fn transact_update(self, key: Key, values: &[Value]) -> TransactUpdate {
        let mut update = TransactUpdate::new(TABLE, self.key(key), APPEND).name("#v", "Values");
        for (name, value) in self.placeholders(key, values) {
            update = update.value(name, value);
        }
        update
    }

    fn placeholders(self, key: Key, values: &[Value]) -> [(&'static str, AttributeValue); 4] {
        let more: Vec<AttributeValue> = values.iter().map(|value| (*value).into()).collect();
        [
            (":count", (more.len() as u64).into()),
            (":more", more.into()),
            (":none", AttributeValue::L(Vec::new())),
            (":shelf", self.group(key % SHELVES).into()),
        ]
    }

    pub(super) fn query(self, family: Family) -> QueryInput {
        let query = |attribute: &str, value: String| {
            QueryInput::new(TABLE, "#p = :p")
                .name("#p", attribute)
                .value(":p", value)
        };
        match family {
            Family::Group(group) => query("Group", self.group(group)).consistent(),
            Family::GroupByAmount(group) => query("Group", self.group(group)).index("ByAmount"),
            Family::Shelf(shelf) => query("Shelf", self.group(shelf)).index("ByShelf"),
        }
    }

    pub(super) fn batch(self, keys: &[Key]) -> KeysAndAttributes {
        KeysAndAttributes::new(keys.iter().map(|key| self.key(*key)))
    }
}

/// What was seen of some lists; a list that is not among the items is empty.
pub(super) fn read_lists<'i>(
    keys: impl IntoIterator<Item = Key>,
    items: impl IntoIterator<Item = &'i EncodedItem>,
) -> Result<Vec<Step>, String> {
    let mut found = BTreeMap::new();
    for item in items {
        let (key, values) = read_list(item)?;
        if found.insert(key, values).is_some() {
            return Err(format!("one answer has list {key} twice"));
        }
    }
    let steps = keys.into_iter().map(|key| {
        let values = found.remove(&key).unwrap_or_default();
        Step::Read { key, values }
    });
    let steps = steps.collect();
    match found.keys().next() {
        None => Ok(steps),
        Some(key) => Err(format!("an answer has list {key}, which was not asked for")),
    }
}

/// One list, whose length must be what its item says.
fn read_list(item: &EncodedItem) -> Result<(Key, Vec<Value>), String> {
    let item = item.to_item();
    let number = |value: &AttributeValue| match value {
        AttributeValue::N(number) => number.to_string().parse().ok(),
        _ => None,
    };
    let key = item.get("List").and_then(number);
    let length = item.get("Amount").and_then(number);
    let values = match item.get("Values") {
        Some(AttributeValue::L(values)) => {
            values.iter().map(number).collect::<Option<Vec<Value>>>()
        }
        _ => None,
    };
    let (Some(key), Some(length), Some(values)) = (key, length, values) else {
        return Err(format!("an item is not a list: {item:?}"));
    };
    if length == values.len() as u64 {
        let key = Key::try_from(key).map_err(|_| format!("there is no list {key}"))?;
        Ok((key, values))
    } else {
        Err(format!(
            "list {key} says that its length is {length}: {values:?}"
        ))
    }
}
