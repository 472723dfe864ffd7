//! What items hold: everything follows from who wrote them when, so that the parent knows each byte.

use crate::place::Place;
use monotable_item::{AttributeValue, Item};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Which request wrote something. No two are the same in one directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Stamp {
    /// The writer, counted from one.
    pub writer: u32,
    /// The thread.
    pub thread: u8,
    /// The request of that thread.
    pub sequence: u32,
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.writer, self.thread, self.sequence)
    }
}

impl Stamp {
    fn dice(self, key: u16) -> fastrand::Rng {
        let request = u64::from(self.writer) << 32 | u64::from(self.sequence);
        let item = u64::from(self.thread) << 16 | u64::from(key);
        fastrand::Rng::with_seed(request.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ item)
    }
}

/// The item that a put writes. Index keys are missing now and then, so that entries come and go.
#[must_use]
pub fn put(place: Place, stamp: Stamp, size: u32) -> Item {
    let mut dice = stamp.dice(place.key);
    // Random, so that no compression makes it small.
    let mut payload = vec![0; size as usize];
    dice.fill(&mut payload);
    let mut item = place
        .key(stamp.thread)
        .with("stamp", stamp.to_string())
        .with("order", stamp.sequence)
        .with("checksum", checksum(&stamp.to_string(), &payload))
        .with("payload", AttributeValue::B(payload));
    if dice.u8(0..4) > 0 {
        item.insert("g1", format!("g{}", dice.u8(0..5)));
    }
    if dice.u8(0..3) > 0 {
        item.insert("g2", u32::from(dice.u8(0..7)));
    }
    if dice.u8(0..4) > 0 {
        item.insert("l1", dice.u32(0..100));
    }
    item
}

/// What an update sets: a moved index key.
#[must_use]
pub fn touched_group(place: Place, stamp: Stamp) -> String {
    format!("g{}", stamp.dice(place.key).u8(0..5))
}

/// Whether what a put wrote is still what it wrote, as far as the item itself can say.
#[must_use]
pub fn is_whole(item: &Item) -> bool {
    match (item.get("stamp"), item.get("payload"), item.get("checksum")) {
        (
            Some(AttributeValue::S(stamp)),
            Some(AttributeValue::B(payload)),
            Some(AttributeValue::S(sum)),
        ) => *sum == checksum(stamp, payload),
        // Made by an update: there was no put, and all three are missing.
        (None, None, None) => true,
        _ => false,
    }
}

/// FNV-1a.
fn checksum(stamp: &str, payload: &[u8]) -> String {
    let bytes = stamp.bytes().chain(payload.iter().copied());
    let sum = bytes.fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    format!("{sum:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_knows_when_its_payload_is_of_another_version() {
        let place = Place::all().next().unwrap();
        let stamp = |sequence| Stamp {
            writer: 1,
            thread: 2,
            sequence,
        };
        let mut item = put(place, stamp(3), 100);
        assert_eq!(item, put(place, stamp(3), 100));
        assert!(is_whole(&item));
        let other = put(place, stamp(4), 100);
        item.insert("payload", other.get("payload").unwrap().clone());
        assert!(!is_whole(&item));
    }
}
