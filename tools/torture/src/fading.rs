//! A table whose items go by themselves, and a table beside it that tells what they were.
//!
//! Both are written in one transaction. So what is missing in the one must have expired by what the other says.

use crate::version::Stamp;
use monotable_api::{
    CreateTableInput, ScalarAttributeType, StreamViewType, TransactPut, TransactWriteItem,
};
use monotable_item::{AttributeValue, Item, Number};
use std::time::{SystemTime, UNIX_EPOCH};

/// The table with time to live.
pub const FADING: &str = "fading";
/// The table that tells what its items were.
pub const TOLD: &str = "fading-told";
/// The attribute that says when an item goes.
pub const EXPIRES: &str = "expires";
/// How many items there are.
pub const ITEMS: u64 = 60;

/// The requests that make the tables.
#[must_use]
pub fn creations() -> [CreateTableInput; 2] {
    let table = |name| CreateTableInput::new(name, "pk", ScalarAttributeType::N);
    [
        table(FADING).stream(StreamViewType::NewAndOldImages),
        table(TOLD),
    ]
}

/// When an item goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expiry {
    /// It has expired when it is written.
    Past,
    /// In a second or so.
    Soon,
    /// Long after the torture.
    Far,
    /// Never: it does not say.
    Absent,
    /// Never: what it says is no number.
    Text,
}

impl Expiry {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Past, Self::Soon, Self::Far, Self::Absent, Self::Text];

    fn value(self) -> Option<AttributeValue> {
        let now = now_seconds();
        let time = match self {
            Self::Past => now - 1,
            Self::Soon => now + 1,
            Self::Far => now + 86_400,
            Self::Absent => return None,
            Self::Text => return Some((now - 1).to_string().into()),
        };
        Some(Number::from(time).into())
    }
}

/// Seconds since 1970.
#[must_use]
pub fn now_seconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default().as_secs()
}

/// The item that a thread writes.
#[must_use]
pub fn item(key: u64, stamp: Stamp, expiry: Expiry) -> Item {
    let item = Item::new().with("pk", key).with("stamp", stamp.to_string());
    match expiry.value() {
        Some(value) => item.with(EXPIRES, value),
        None => item,
    }
}

/// Puts an item into both tables.
#[must_use]
pub fn writes(item: &Item) -> Vec<TransactWriteItem> {
    let put = |table| TransactPut::new(table, item.clone()).into();
    vec![put(FADING), put(TOLD)]
}

/// Whether an item may be gone at this time.
#[must_use]
pub fn may_be_gone(item: &Item, now: u64) -> bool {
    match item.get(EXPIRES) {
        Some(AttributeValue::N(time)) => *time <= Number::from(now),
        _ => false,
    }
}
