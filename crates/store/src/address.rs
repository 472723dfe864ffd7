//! Where items stand, and whose they are.
//!
//! Every key that is read or written is an [`Address`] or a [`Partition`], and only [`Addressing`] makes them: it fills in
//! the model's templates, puts the tenant's prefix before them, holds them against DynamoDB's limits and keeps them apart from
//! the store's own items. So whoever has an address need not ask any of this again.
//!
//! Layout: `addressing.rs` renders keys; `finder.rs` renders as much as is known; `tenant_prefix.rs` tells tenants by the beginning of a partition key;
//! `reserved.rs` is where the store's own items stand; `key_problem.rs` is why there is no key.

mod addressing;
mod finder;
mod key_problem;
mod reserved;
mod tenant_prefix;

pub(crate) use addressing::{Addressing, KeyTexts};
pub(crate) use finder::Finder;
pub(crate) use key_problem::KeyProblem;
pub(crate) use reserved::{is_reserved, is_store, is_token};
pub(crate) use tenant_prefix::tenant_ids;

use monotable_item::{AttributeValue, EncodedItem, Item, Number};
use monotable_model::model::{KeyPlace, Model, Table, TableId};
use std::cmp::Ordering;
use std::fmt;

/// Whose a partition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// That of the tenant that the operation is about.
    Tenant,
    /// Of no tenant: the model has none, or the key is for all of them.
    Shared,
    /// The store's own, which no caller can name.
    Reserved,
}

/// A table and a primary key in it.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    table: TableId,
    partition: String,
    sort: Option<String>,
    owner: Owner,
}

/// The value of a partition key: a text, or of an index on a number that rows have anyway, that number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum KeyValue {
    S(String),
    N(Number),
}

/// All items of a table, or of an index, that have one partition key.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    table: TableId,
    place: KeyPlace,
    key: KeyValue,
    owner: Owner,
}

/// The items of a partition whose sort keys begin alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartitionRange {
    pub(crate) partition: Partition,
    /// How the sort keys begin.
    pub(crate) prefix: String,
}

impl Address {
    pub(crate) const fn table(&self) -> TableId {
        self.table
    }

    pub(crate) fn partition_key(&self) -> &str {
        &self.partition
    }

    pub(crate) fn sort_key(&self) -> Option<&str> {
        self.sort.as_deref()
    }

    /// The partition that the item is in.
    pub(crate) fn partition(&self) -> Partition {
        Partition {
            table: self.table,
            place: KeyPlace::Primary,
            key: KeyValue::S(self.partition.clone()),
            owner: self.owner,
        }
    }

    /// The key as it is stored.
    pub(crate) fn encoded_key(&self, model: &Model) -> EncodedItem {
        let table = model.table(self.table);
        let sort = table.range.as_ref().zip(self.sort.as_deref());
        let sort = sort.map(|(name, sort)| (name.value.as_str(), sort));
        EncodedItem::from_texts((&table.hash.value, &self.partition), sort)
    }

    /// The key as DynamoDB takes it.
    pub(crate) fn key(&self, model: &Model) -> Item {
        let table = model.table(self.table);
        let mut key = Item::new().with(table.hash.value.clone(), self.partition.as_str());
        if let (Some(name), Some(sort)) = (&table.range, &self.sort) {
            key.insert(name.value.clone(), sort.as_str());
        }
        key
    }

    const fn parts(&self) -> (&TableId, &String, &Option<String>) {
        (&self.table, &self.partition, &self.sort)
    }
}

// Two addresses with one key are the same, whether they were rendered or read.
impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Address {}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Address {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sort {
            Some(sort) if *sort != self.partition => write!(f, "{} / {sort}", self.partition),
            _ => f.write_str(&self.partition),
        }
    }
}

impl KeyValue {
    pub(crate) fn to_value(&self) -> AttributeValue {
        match self {
            Self::S(text) => AttributeValue::S(text.clone()),
            Self::N(number) => AttributeValue::N(*number),
        }
    }
}

impl fmt::Display for KeyValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::S(text) => f.write_str(text),
            Self::N(number) => write!(f, "{number}"),
        }
    }
}

impl Partition {
    pub(crate) const fn table(&self) -> TableId {
        self.table
    }

    pub(crate) const fn place(&self) -> KeyPlace {
        self.place
    }

    pub(crate) const fn key(&self) -> &KeyValue {
        &self.key
    }

    pub(crate) const fn owner(&self) -> Owner {
        self.owner
    }

    /// The partition key as text.
    pub(crate) fn key_text(&self) -> String {
        self.key.to_string()
    }

    /// The attributes that hold the key: that of the partition, and that of the order in it.
    pub(crate) fn attributes<'m>(&self, model: &'m Model) -> (&'m str, Option<&'m str>) {
        key_attributes(model.table(self.table), self.place)
    }

    /// The partition of an index on a number, if the key is one.
    pub(crate) fn of_number(mut self) -> Self {
        if let KeyValue::S(text) = &self.key
            && let Ok(number) = text.parse()
        {
            self.key = KeyValue::N(number);
        }
        self
    }

    /// All of it.
    pub(crate) const fn whole(self) -> PartitionRange {
        PartitionRange {
            partition: self,
            prefix: String::new(),
        }
    }

    const fn parts(&self) -> (&TableId, &KeyPlace, &KeyValue) {
        (&self.table, &self.place, &self.key)
    }
}

impl PartialEq for Partition {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for Partition {}

impl PartialOrd for Partition {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Partition {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl PartitionRange {
    pub(crate) const fn table(&self) -> TableId {
        self.partition.table
    }

    /// Whether an item of the table stands in it.
    pub(crate) fn holds(&self, address: &Address) -> bool {
        let sort = address.sort_key().unwrap_or_default();
        self.partition == address.partition() && sort.starts_with(&self.prefix)
    }

    /// The position of the index; none for the table.
    pub(crate) const fn index(&self) -> Option<usize> {
        match self.partition.place {
            KeyPlace::Primary => None,
            KeyPlace::Index(position) => Some(position),
        }
    }
}

/// The attributes of a key of a table or of an index: that of the partition, and that of the order in it.
pub(crate) fn key_attributes(table: &Table, place: KeyPlace) -> (&str, Option<&str>) {
    let index = match place {
        KeyPlace::Primary => None,
        KeyPlace::Index(position) => table.indexes.get(position),
    };
    let (partition, sort) = index.map_or((&table.hash, &table.range), |index| {
        (&index.hash, &index.range)
    });
    let sort = sort.as_ref().map(|sort| sort.value.as_str());
    (&partition.value, sort)
}
