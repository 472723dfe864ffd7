//! Sequence numbers: where a record stands among all records.

use crate::catalog::{RelationId, StreamId};
use crate::store::KeyRange;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::fmt;

/// How many bits tell the records of one group of commits apart. A group has at most 1024 requests of at most a hundred
/// actions.
const PLACE_BITS: u32 = 20;

/// The number of a record: that of its group of commits, then its place in the group.
///
/// As text it has a leading 1 and 20 digits, the shortest that AWS's description allows, so that texts have the order of
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Sequence(u64);

impl Sequence {
    /// The place in this group.
    pub(crate) const fn new(group: u64, place: u32) -> Self {
        Self(group << PLACE_BITS | place as u64)
    }

    pub(crate) const fn from_number(number: u64) -> Self {
        Self(number)
    }

    pub(crate) const fn number(self) -> u64 {
        self.0
    }

    /// Before everything that groups after this one write.
    pub(crate) const fn after_group(group: u64) -> Self {
        Self::new(group + 1, 0)
    }

    pub(crate) const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// Reads the text of a number.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('1').filter(|rest| rest.len() == 20)?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        plain.then(|| digits.parse().ok().map(Self))?
    }

    /// The key of a record's row: stream id (4) | number (8).
    pub(crate) fn row_key(self, stream: StreamId) -> Bytes {
        let mut key = Vec::with_capacity(12);
        key.extend_from_slice(&RelationId::from(stream).to_bytes());
        key.extend_from_slice(&self.0.to_be_bytes());
        key.into()
    }

    /// The number in the key of a record's row.
    pub(crate) fn of_row_key(key: &[u8]) -> Option<Self> {
        let number = key.get(4..)?.try_into().ok()?;
        Some(Self(u64::from_be_bytes(number)))
    }
}

/// The numbers from `start` on and before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SequenceRange {
    pub(crate) start: Sequence,
    pub(crate) end: Sequence,
}

impl SequenceRange {
    /// From this number on.
    pub(crate) const fn from(start: Sequence) -> Self {
        Self {
            start,
            end: Sequence(u64::MAX),
        }
    }

    /// The rows of the records with these numbers.
    pub(crate) fn rows(self, stream: StreamId) -> KeyRange {
        KeyRange {
            start: self.start.row_key(stream),
            end: Some(self.end.row_key(stream)),
        }
    }

    /// The number in the middle; none if there is none.
    pub(crate) fn middle(self) -> Option<Sequence> {
        let length = self.end.0.checked_sub(self.start.0)?;
        (length > 0).then_some(Sequence(self.start.0 + length / 2))
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1{:020}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_and_keys_have_the_order_of_numbers(a: u64, b: u64) {
            let (first, second) = (Sequence(a), Sequence(b));
            prop_assert_eq!(first.to_string().len(), 21);
            prop_assert_eq!(first.to_string().cmp(&second.to_string()), a.cmp(&b));
            let key = |sequence: Sequence| sequence.row_key(StreamId(7));
            prop_assert_eq!(key(first).cmp(&key(second)), a.cmp(&b));
            prop_assert_eq!(Sequence::parse(&first.to_string()), Some(first));
            prop_assert_eq!(Sequence::of_row_key(&key(first)), Some(first));
        }
    }

    #[test]
    fn groups_come_before_places() {
        assert!(Sequence::new(1, 1_000_000) < Sequence::new(2, 0));
        assert_eq!(Sequence::after_group(1), Sequence::new(2, 0));
        for text in [
            "",
            "1",
            "100000000000000000001x",
            "2000000000000000000001",
            "1+0000000000000000000",
        ] {
            assert_eq!(Sequence::parse(text), None, "{text}");
        }
    }
}
