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
mod key_texts;
mod reserved;
mod tenant_prefix;

pub(crate) use addressing::Addressing;
pub(crate) use finder::Finder;
pub(crate) use key_problem::KeyProblem;
pub(crate) use key_texts::KeyTexts;
pub(crate) use reserved::{is_reserved, is_store, is_token};
pub(crate) use tenant_prefix::tenant_ids;

use monotable_item::{AttributeValue, EncodedItem, Item, Number};
use monotable_model::model::{KeyPlace, Model, TableId};
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
    /// The other values of a partition key of several attributes.
    further: Vec<KeyValue>,
    owner: Owner,
}

/// The items of a partition whose sort keys begin alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartitionRange {
    pub(crate) partition: Partition,
    /// The values of the first attributes of a sort key of several.
    pub(crate) leading: Vec<KeyValue>,
    /// How the sort keys begin; of several attributes, how the one behind `leading` does.
    pub(crate) prefix: String,
}

impl Address {
    pub(crate) const fn table(&self) -> TableId {
        self.table
    }

    pub(crate) fn partition_key(&self) -> &str {
        &self.partition
    }

    pub(crate) const fn owner(&self) -> Owner {
        self.owner
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
            further: Vec::new(),
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
    /// A text, or the number that it is in an index on a number that rows have anyway.
    pub(crate) fn of_text(text: String, is_number: bool) -> Self {
        match text.parse() {
            Ok(number) if is_number => Self::N(number),
            _ => Self::S(text),
        }
    }

    /// A value of a key; none if it is neither a text nor a number.
    pub(crate) fn of_value(value: &AttributeValue) -> Option<Self> {
        match value {
            AttributeValue::S(text) => Some(Self::S(text.clone())),
            AttributeValue::N(number) => Some(Self::N(*number)),
            _ => None,
        }
    }

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

    pub(crate) const fn owner(&self) -> Owner {
        self.owner
    }

    /// The partition key as text.
    pub(crate) fn key_text(&self) -> String {
        self.key.to_string()
    }

    /// The attributes that hold the key, and their values.
    pub(crate) fn values<'m>(
        &'m self,
        model: &'m Model,
    ) -> impl Iterator<Item = (&'m str, &'m KeyValue)> {
        let names = model
            .table(self.table)
            .partition_attributes(self.place)
            .map(|name| name.value.as_str());
        names.zip(std::iter::once(&self.key).chain(&self.further))
    }

    /// The attributes that the order in it follows from.
    pub(crate) fn sort_attributes<'m>(
        &self,
        model: &'m Model,
    ) -> impl Iterator<Item = &'m str> + use<'m> {
        let names = model.table(self.table).sort_attributes(self.place);
        names.map(|name| name.value.as_str())
    }

    /// Whether an item, or a key of one, stands in it.
    pub(crate) fn holds(&self, model: &Model, key: &Item) -> bool {
        self.values(model)
            .all(|(name, value)| key.get(name) == Some(&value.to_value()))
    }

    /// The partition of an index on a number, if the key is one.
    pub(crate) fn of_number(mut self) -> Self {
        if let KeyValue::S(text) = self.key {
            self.key = KeyValue::of_text(text, true);
        }
        self
    }

    /// The partition of an index whose partition key has these values behind the first.
    pub(crate) fn with_further(mut self, further: Vec<KeyValue>) -> Self {
        self.further = further;
        self
    }

    /// All of it.
    pub(crate) const fn whole(self) -> PartitionRange {
        self.beginning_with(String::new())
    }

    /// The items whose sort keys begin so.
    pub(crate) const fn beginning_with(self, prefix: String) -> PartitionRange {
        PartitionRange {
            partition: self,
            leading: Vec::new(),
            prefix,
        }
    }

    const fn parts(&self) -> (&TableId, &KeyPlace, &KeyValue, &Vec<KeyValue>) {
        (&self.table, &self.place, &self.key, &self.further)
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
