//! Where items are: the tables of the torture, and the keys that each thread has to itself.
//!
//! Every thread writes keys of its own, so that what it sent, in order, says exactly what must be there.

use monotable_api::{
    CreateTableInput, GlobalSecondaryIndex, IndexProjection, LocalSecondaryIndex,
    ScalarAttributeType, StreamViewType,
};
use monotable_item::{AttributeValue, Item};
use serde::{Deserialize, Serialize};

/// A table as a thread sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Table {
    /// Partition and sort key, two local and two global indexes.
    Wide,
    /// A number as key and no index: writes to it are blind.
    Plain,
    /// The thread's own, made and deleted over and over under one name.
    Side,
}

/// The name of the table with the counters that all threads share.
pub const SHARED: &str = "shared";

/// How many shared counters there are.
pub const COUNTERS: u8 = 4;

/// The tables that are made once.
pub const LASTING: [&str; 3] = ["wide", "plain", SHARED];

impl Table {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Wide, Self::Plain, Self::Side];

    /// Its name, for this thread.
    #[must_use]
    pub fn name(self, thread: u8) -> String {
        match self {
            Self::Wide => "wide".to_owned(),
            Self::Plain => "plain".to_owned(),
            Self::Side => format!("side-{thread}"),
        }
    }

    /// How many keys a thread has in it.
    #[must_use]
    pub const fn keys(self) -> u16 {
        match self {
            Self::Wide => 60,
            Self::Plain => 40,
            Self::Side => 12,
        }
    }
}

/// One item of one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The table.
    pub table: Table,
    /// Which of the thread's keys.
    pub key: u16,
}

impl Place {
    /// The counter that every transaction with a token adds one to. Nothing else writes it.
    pub const TOKEN_COUNTER: Self = Self {
        table: Table::Plain,
        key: Table::Plain.keys(),
    };

    /// Every place of a thread.
    pub fn all() -> impl Iterator<Item = Self> {
        let keys = |table: Table| (0..table.keys()).map(move |key| Self { table, key });
        let places = Table::ALL.into_iter().flat_map(keys);
        places.chain([Self::TOKEN_COUNTER])
    }

    /// The key attributes.
    #[must_use]
    pub fn key(self, thread: u8) -> Item {
        match self.table {
            Table::Wide => Item::new()
                .with("pk", format!("t{thread}#{}", self.key % 4))
                .with("sk", format!("k{:04}", self.key)),
            Table::Plain => {
                Item::new().with("pk", u32::from(thread) * 10_000 + u32::from(self.key))
            }
            Table::Side => {
                let bytes = [b"side".as_slice(), &self.key.to_be_bytes()].concat();
                Item::new().with("pk", AttributeValue::B(bytes))
            }
        }
    }
}

/// The key of a shared counter.
#[must_use]
pub fn counter_key(counter: u8) -> Item {
    Item::new().with("pk", format!("counter-{counter}"))
}

/// The attribute of a shared counter that counts what one thread added.
#[must_use]
pub fn counter_attribute(thread: u8) -> String {
    format!("t{thread}")
}

/// The request that makes a table.
#[must_use]
pub fn creation(name: &str) -> CreateTableInput {
    use ScalarAttributeType::{B, N, S};
    match name {
        "wide" => CreateTableInput::new(name, "pk", S)
            .range("sk", S)
            .attribute("g1", S)
            .attribute("order", N)
            .attribute("g2", N)
            .attribute("l1", N)
            .attribute("stamp", S)
            .global_index(GlobalSecondaryIndex::new("by-g1", "g1").range("order"))
            .global_index(
                GlobalSecondaryIndex::new("by-g2", "g2")
                    .projection(IndexProjection::include(["checksum", "n"])),
            )
            .local_index(
                LocalSecondaryIndex::new("by-l1", "pk", "l1")
                    .projection(IndexProjection::keys_only()),
            )
            .local_index(
                LocalSecondaryIndex::new("by-stamp", "pk", "stamp")
                    .projection(IndexProjection::include(["g1"])),
            )
            // Only keys: a checker reads the stream from its beginning, and most of what is written goes here.
            .stream(StreamViewType::KeysOnly),
        "plain" => CreateTableInput::new(name, "pk", N),
        SHARED => CreateTableInput::new(name, "pk", S).stream(StreamViewType::NewAndOldImages),
        _ => CreateTableInput::new(name, "pk", B)
            .attribute("g1", S)
            .global_index(
                GlobalSecondaryIndex::new("by-g1", "g1").projection(IndexProjection::keys_only()),
            )
            .stream(StreamViewType::NewAndOldImages),
    }
}
