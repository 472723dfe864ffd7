//! The items: orders of users, as a single-table design has them.
//!
//! Everything is made from numbers, so that both sides, and every process, make the same bytes.

use monotable_api::{CreateTableInput, GlobalSecondaryIndex, ScalarAttributeType};
use monotable_item::{EncodedItem, Item};

pub(crate) const TABLE: &str = "Shop";
/// How many orders a user has: one partition.
pub(crate) const ORDERS: u64 = 25;

pub(crate) const PARTITION: &str = "PK";
pub(crate) const SORT: &str = "SK";
/// The keys of the two indexes: partition key and sort key of each.
pub(crate) const INDEX_KEYS: [[&str; 2]; 2] = [["GSI1PK", "GSI1SK"], ["GSI2PK", "GSI2SK"]];

const WORDS: [&str; 64] = [
    "a",
    "the",
    "of",
    "to",
    "in",
    "is",
    "for",
    "on",
    "with",
    "as",
    "by",
    "at",
    "from",
    "or",
    "an",
    "be",
    "parcel",
    "door",
    "bell",
    "please",
    "ring",
    "twice",
    "leave",
    "neighbour",
    "garden",
    "signed",
    "fragile",
    "gift",
    "wrapped",
    "invoice",
    "separate",
    "weekend",
    "delivery",
    "courier",
    "called",
    "customer",
    "wants",
    "refund",
    "colour",
    "blue",
    "green",
    "large",
    "small",
    "medium",
    "exchange",
    "warehouse",
    "shelf",
    "picked",
    "packed",
    "shipped",
    "delayed",
    "weather",
    "tracking",
    "number",
    "carrier",
    "address",
    "changed",
    "second",
    "attempt",
    "paid",
    "card",
    "voucher",
    "summer",
    "sale",
];
const STATES: [&str; 4] = ["PLACED", "PAID", "SHIPPED", "DELIVERED"];

/// One order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) user: u64,
    pub(crate) number: u64,
    /// How often it was rewritten: changes what is in it, not its keys.
    pub(crate) revision: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Dataset {
    pub(crate) items: u64,
    /// The length of every encoded item.
    pub(crate) value_bytes: usize,
}

impl Dataset {
    /// What an item is made of, for the report.
    pub(crate) fn description(&self) -> String {
        format!(
            "{} items of {} encoded bytes: {PARTITION} \"USER#<uuid>\", {SORT} \"ORDER#<n>\", four index key \
             attributes, state, total, and a text of words; {ORDERS} to a partition",
            self.items, self.value_bytes
        )
    }

    /// The item that was loaded as `number`.
    pub(crate) const fn loaded(&self, number: u64) -> Order {
        Order {
            user: number / ORDERS,
            number: number % ORDERS,
            revision: 0,
        }
    }

    /// A random item among the loaded ones.
    pub(crate) fn random(&self, random: &mut fastrand::Rng) -> Order {
        self.loaded(random.u64(..self.items))
    }

    /// A random user with all of its orders.
    pub(crate) fn random_user(&self, random: &mut fastrand::Rng) -> u64 {
        random.u64(..(self.items / ORDERS).max(1))
    }

    /// An item that was not loaded, at a random place in the store.
    pub(crate) const fn fresh(&self, number: u64) -> Order {
        Order {
            user: self.items.div_ceil(ORDERS) + number,
            number: 0,
            revision: 0,
        }
    }

    pub(crate) fn item(&self, order: Order) -> EncodedItem {
        let without_text = EncodedItem::from(attributes(order).with("Text", ""));
        // The length of a text of 128 bytes or more takes one byte more than that of an empty one.
        let text = self
            .value_bytes
            .saturating_sub(without_text.as_bytes().len() + 1);
        attributes(order).with("Text", words(order, text)).into()
    }
}

pub(crate) fn partition_key(user: u64) -> String {
    let mut random = fastrand::Rng::with_seed(user);
    let (high, low) = (random.u64(..), random.u64(..));
    format!(
        "USER#{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

fn sort_key(order: Order) -> String {
    format!("ORDER#{:010}", order.user * ORDERS + order.number)
}

impl Order {
    /// The key of the item.
    pub(crate) fn key(self) -> EncodedItem {
        Item::new()
            .with(PARTITION, partition_key(self.user))
            .with(SORT, sort_key(self))
            .into()
    }
}

fn attributes(order: Order) -> Item {
    let mut random = fastrand::Rng::with_seed(order.user * ORDERS + order.number);
    let day = random.u32(1..=365);
    let second = random.u32(..86_400);
    let product = random.u32(..10_000);
    let [
        [first_partition, first_sort],
        [second_partition, second_sort],
    ] = INDEX_KEYS;
    let state = STATES.get(order.revision as usize % STATES.len());
    Item::new()
        .with(PARTITION, partition_key(order.user))
        .with(SORT, sort_key(order))
        .with(first_partition, format!("PRODUCT#{product:05}"))
        .with(first_sort, format!("DAY#{day:03}T{second:05}"))
        .with(second_partition, format!("DAY#{day:03}"))
        .with(second_sort, format!("{second:05}#{product:05}"))
        .with("State", state.copied().unwrap_or_default())
        .with("Total", i64::from(random.u32(100..1_000_000)))
}

/// A text of exactly so many bytes.
fn words(order: Order, length: usize) -> String {
    let mut random =
        fastrand::Rng::with_seed(!(order.user * ORDERS + order.number) ^ order.revision);
    let mut text = String::with_capacity(length + 16);
    while text.len() < length {
        text.push_str(random.choice(WORDS).unwrap_or_default());
        text.push(' ');
    }
    text.truncate(length);
    text
}

/// The table, with or without its two indexes.
pub(crate) fn table(indexes: bool) -> CreateTableInput {
    let string = ScalarAttributeType::S;
    let table = CreateTableInput::new(TABLE, PARTITION, string).range(SORT, string);
    if !indexes {
        return table;
    }
    let with_index = |table: CreateTableInput, [partition, sort]: [&str; 2]| {
        let index = GlobalSecondaryIndex::new(format!("By{partition}"), partition).range(sort);
        table
            .attribute(partition, string)
            .attribute(sort, string)
            .global_index(index)
    };
    INDEX_KEYS.into_iter().fold(table, with_index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_has_the_length_asked_for() {
        let dataset = Dataset {
            items: 1_000_000,
            value_bytes: 1024,
        };
        for number in [0, 1, 24, 25, 999_999] {
            assert_eq!(dataset.item(dataset.loaded(number)).as_bytes().len(), 1024);
            assert_eq!(dataset.item(dataset.fresh(number)).as_bytes().len(), 1024);
        }
    }

    #[test]
    fn a_revision_changes_the_item_and_not_its_keys() {
        let dataset = Dataset {
            items: 1_000,
            value_bytes: 1024,
        };
        let order = dataset.loaded(77);
        let revised = Order {
            revision: 3,
            ..order
        };
        assert_ne!(dataset.item(order), dataset.item(revised));
        for name in [[PARTITION, SORT], INDEX_KEYS[0], INDEX_KEYS[1]].concat() {
            let (item, other) = (dataset.item(order), dataset.item(revised));
            assert_eq!(item.view().get(name), other.view().get(name), "{name}");
        }
    }
}
