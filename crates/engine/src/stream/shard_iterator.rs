//! Iterators: a place in a shard, as text that a client gives back.
//!
//! ```text
//! ARN |1| stream id (4) first (8) position (8) created (8) checksum (8), as hexadecimal digits
//! ```
//!
//! Everything is in the text, so an iterator outlives a restart. The checksum is over all that is before it; it tells texts
//! that were cut off or made up from iterators, and keeps no secret. Whoever makes one up still names a stream by its ARN:
//! that is what a server judges the request by, so GetRecords insists that it is the ARN of the stream with the id.

use super::Sequence;
use crate::catalog::StreamId;
use xxhash_rust::xxh3::xxh3_64;

/// How long an iterator can be used, in milliseconds.
pub(crate) const ITERATOR_MILLIS: u64 = 15 * 60 * 1000;

/// Stands between the ARN and the rest.
const MARK: &str = "|1|";
const HEX: usize = 16;

/// A place in a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShardIterator {
    pub(crate) stream: StreamId,
    /// Where the shard begins; says which one it is.
    pub(crate) shard: Sequence,
    /// The number of the first record to read.
    pub(crate) position: Sequence,
    /// Milliseconds since 1970.
    pub(crate) created: u64,
}

impl ShardIterator {
    /// The text of the iterator.
    pub(crate) fn render(self, arn: &str) -> String {
        let Self {
            stream,
            shard,
            position,
            created,
        } = self;
        let text = format!(
            "{arn}{MARK}{:08x}{:016x}{:016x}{created:016x}",
            stream.0,
            shard.number(),
            position.number()
        );
        let checksum = xxh3_64(text.as_bytes());
        format!("{text}{checksum:016x}")
    }

    /// The ARN in the text of an iterator.
    pub(crate) fn arn(text: &str) -> Option<&str> {
        text.rsplit_once(MARK).map(|(arn, _)| arn)
    }

    /// Reads the text of an iterator.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (_, digits) = text.rsplit_once(MARK)?;
        let (content, checksum) = text.split_at_checked(text.len().checked_sub(HEX)?)?;
        if digits.len() != 8 + 4 * HEX || number(checksum)? != xxh3_64(content.as_bytes()) {
            return None;
        }
        let at = |start: usize, length: usize| number(digits.get(start..start + length)?);
        Some(Self {
            stream: StreamId(at(0, 8)?.try_into().ok()?),
            shard: Sequence::from_number(at(8, HEX)?),
            position: Sequence::from_number(at(8 + HEX, HEX)?),
            created: at(8 + 2 * HEX, HEX)?,
        })
    }
}

fn number(digits: &str) -> Option<u64> {
    u64::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_rendered_is_read(stream: u32, shard: u64, position: u64, created: u64) {
            let iterator = ShardIterator {
                stream: StreamId(stream),
                shard: Sequence::from_number(shard),
                position: Sequence::from_number(position),
                created,
            };
            let text = iterator.render("arn:aws:dynamodb:local:000000000000:table/A/stream/L");
            prop_assert_eq!(ShardIterator::parse(&text), Some(iterator));
            prop_assert_eq!(ShardIterator::parse(&text[..text.len() - 1]), None);
            prop_assert_eq!(ShardIterator::parse(&text.replacen("table/A", "table/B", 1)), None);
        }

        #[test]
        fn any_text_is_an_iterator_or_none(text in ".*") {
            let _ = ShardIterator::parse(&text);
        }
    }
}
