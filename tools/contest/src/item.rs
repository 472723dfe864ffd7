//! The items: of an exact size by DynamoDB's count, with a body that does not compress.
//!
//! Everything about an item follows from its number, so that an item that was read can be compared
//! with the one that was written without keeping either. Ids look random, as most people's do.

use fastrand::Rng;
use std::fmt::Write;

/// The size of most items, in bytes by DynamoDB's count.
pub(crate) const ITEM_BYTES: usize = 1024;
/// The size of an item that a query returns.
pub(crate) const ROW_BYTES: usize = 256;
/// How many items a query returns: one partition.
pub(crate) const ROWS: u64 = 20;

/// How much of the end of an item's body tells it from all others.
const TAIL_BYTES: usize = 24;

/// Which items: each kind has keys of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// There before the clock starts.
    Loaded,
    /// In partitions of twenty, there before the clock starts.
    Row,
    Put,
    Indexed,
    Transacted,
}

/// One item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Names and values of its attributes, all of them strings.
    attributes: Vec<(&'static str, String)>,
    /// The last bytes of its body.
    pub(crate) tail: String,
}

impl Item {
    pub(crate) fn new(kind: Kind, number: u64) -> Self {
        let mut attributes = key(kind, number);
        attributes.push(("Kind", format!("{kind:?}")));
        if kind == Kind::Indexed {
            attributes.extend(index_keys(number));
        }
        let bytes = match kind {
            Kind::Row => ROW_BYTES,
            _ => ITEM_BYTES,
        };
        let used: usize = attributes
            .iter()
            .map(|(name, value)| name.len() + value.len())
            .sum();
        let mut random = Rng::with_seed(seed(kind, number));
        let length = bytes.saturating_sub(used + "Body".len());
        let body: String = (0..length).map(|_| random.alphanumeric()).collect();
        let tail = body.get(body.len().saturating_sub(TAIL_BYTES)..);
        let tail = tail.unwrap_or_default().to_owned();
        attributes.push(("Body", body));
        Self { attributes, tail }
    }

    pub(crate) fn json(&self) -> String {
        json(&self.attributes)
    }

    #[cfg(test)]
    fn size(&self) -> usize {
        self.attributes
            .iter()
            .map(|(name, value)| name.len() + value.len())
            .sum()
    }
}

/// The key of an item, as JSON.
pub(crate) fn key_json(kind: Kind, number: u64) -> String {
    json(&key(kind, number))
}

/// The partition key of an item.
pub(crate) fn partition(kind: Kind, number: u64) -> String {
    let number = match kind {
        Kind::Row => number / ROWS,
        _ => number,
    };
    format!("{kind:?}#{:016x}", seed(kind, number))
}

/// The partition key of an item in the first index of the indexed table.
pub(crate) fn index_partition(number: u64) -> String {
    format!("FIRST#{:016x}", seed(Kind::Indexed, number / ROWS))
}

fn key(kind: Kind, number: u64) -> Vec<(&'static str, String)> {
    let sort = match kind {
        Kind::Row => format!("ROW#{:02}", number % ROWS),
        _ => "DATA".to_owned(),
    };
    vec![("PK", partition(kind, number)), ("SK", sort)]
}

fn index_keys(number: u64) -> [(&'static str, String); 4] {
    let id = seed(Kind::Indexed, number);
    [
        ("GSI1PK", index_partition(number)),
        ("GSI1SK", format!("{:02}", number % ROWS)),
        ("GSI2PK", format!("SECOND#{:04}", id % 1_000)),
        ("GSI2SK", format!("{id:016x}")),
    ]
}

/// A number that looks random and is the item's own.
fn seed(kind: Kind, number: u64) -> u64 {
    Rng::with_seed(number.wrapping_mul(8) + kind as u64).u64(..)
}

fn json(attributes: &[(&'static str, String)]) -> String {
    let mut text = String::with_capacity(ITEM_BYTES * 2);
    for (name, value) in attributes {
        let start = if text.is_empty() { '{' } else { ',' };
        // Nothing in names and values needs escaping; writing to a string does not fail.
        let _ = write!(text, "{start}\"{name}\":{{\"S\":\"{value}\"}}");
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn items_have_their_size() {
        for kind in [Kind::Loaded, Kind::Put, Kind::Indexed, Kind::Transacted] {
            assert_eq!(Item::new(kind, 7).size(), 1024, "{kind:?}");
        }
        assert_eq!(Item::new(Kind::Row, 7).size(), 256);
    }

    #[test]
    fn items_are_valid_json_with_their_tail() {
        let item = Item::new(Kind::Indexed, 3);
        let json: serde_json::Value = serde_json::from_str(&item.json()).unwrap();
        assert!(json["Body"]["S"].as_str().unwrap().ends_with(&item.tail));
        assert_eq!(json["PK"]["S"], partition(Kind::Indexed, 3));
        assert_eq!(json["GSI1PK"]["S"], index_partition(3));
    }

    #[test]
    fn items_differ_and_rows_share_a_partition() {
        let keys: HashSet<String> = (0..1_000)
            .map(|number| key_json(Kind::Put, number))
            .collect();
        assert_eq!(keys.len(), 1_000);
        assert_eq!(partition(Kind::Row, 20), partition(Kind::Row, 39));
        assert_ne!(partition(Kind::Row, 19), partition(Kind::Row, 20));
        assert_ne!(key_json(Kind::Row, 20), key_json(Kind::Row, 39));
    }
}
