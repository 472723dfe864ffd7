//! Row keys of items and index entries.
//!
//! ```text
//! item  = table id (4) | hash of the partition key (8) | partition key | sort key
//! entry = index id (4) | hash of the index's partition key (8) | index keys | table keys
//! ```
//!
//! The hash spreads partitions evenly, so that the segments of a parallel Scan are ranges of it. Ids are
//! never reused; key values are `monotable_item::key` components.

use crate::catalog::{Index, RelationId, Table};
use crate::store::{KeyRange, after_prefix};
use bytes::Bytes;
use monotable_api::KeyAttribute;
use monotable_item::{ItemView, ValueView, key};
use xxhash_rust::xxh3::xxh3_64;

/// The row key of an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ItemKey(pub(crate) Bytes);

/// Writes the key of a row piece by piece.
pub(crate) struct KeyWriter(Vec<u8>);

/// Where the hash stands in a key.
const HASH: std::ops::Range<usize> = 4..12;

impl KeyWriter {
    /// A key in this table or index, with this partition key. None if a value is missing or not of a key
    /// type.
    pub(crate) fn partition<'a>(
        relation: RelationId,
        hash: impl Iterator<Item = Option<ValueView<'a>>>,
    ) -> Option<Self> {
        let mut writer = Self(Vec::with_capacity(96));
        writer.0.extend_from_slice(&relation.to_bytes());
        writer.0.extend_from_slice(&[0; HASH.end - HASH.start]);
        writer.push_all(hash)?;
        let hash = xxh3_64(writer.0.get(HASH.end..)?).to_be_bytes();
        writer.0.get_mut(HASH)?.copy_from_slice(&hash);
        Some(writer)
    }

    /// Appends one more value.
    pub(crate) fn push(&mut self, value: ValueView<'_>) -> Option<()> {
        key::write_component(&mut self.0, value).then_some(())
    }

    fn push_all<'a>(&mut self, values: impl Iterator<Item = Option<ValueView<'a>>>) -> Option<()> {
        for value in values {
            self.push(value?)?;
        }
        Some(())
    }

    /// Appends what every string or binary starts with that starts with `prefix`.
    pub(crate) fn push_prefix(&mut self, prefix: &[u8]) {
        key::write_prefix(&mut self.0, prefix);
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn finish(self) -> Bytes {
        self.0.into()
    }
}

/// The values of key attributes in an item.
fn values<'a>(
    attributes: &[KeyAttribute],
    item: ItemView<'a>,
) -> impl Iterator<Item = Option<ValueView<'a>>> {
    attributes.iter().map(move |key| item.get(&key.name))
}

/// The row key of an item, or of a key given as an item.
pub(crate) fn item_key(table: &Table, item: ItemView<'_>) -> Option<ItemKey> {
    let mut writer = KeyWriter::partition(table.id.into(), values(&table.key.hash, item))?;
    writer.push_all(values(&table.key.range, item))?;
    Some(ItemKey(writer.finish()))
}

/// The row key of an item's entry in an index; none if the item is not in the index.
pub(crate) fn entry_key(table: &Table, index: &Index, item: ItemView<'_>) -> Option<Bytes> {
    let mut writer = KeyWriter::partition(index.id.into(), values(&index.key.hash, item))?;
    for keys in [&index.key.range, &table.key.hash, &table.key.range] {
        writer.push_all(values(keys, item))?;
    }
    Some(writer.finish())
}

/// The rows of segment `segment` of `total` equal ones.
pub(crate) fn segment_range(relation: RelationId, segment: u32, total: u32) -> KeyRange {
    let bound = |segment: u32| {
        let hashes = u128::from(u64::MAX) + 1;
        let hash = hashes * u128::from(segment) / u128::from(total.max(1));
        u64::try_from(hash).ok().map(|hash| {
            let mut bytes = relation.to_bytes().to_vec();
            bytes.extend_from_slice(&hash.to_be_bytes());
            Bytes::from(bytes)
        })
    };
    let all = KeyRange::prefix(&relation.to_bytes());
    KeyRange {
        start: bound(segment).unwrap_or(all.start),
        end: bound(segment.saturating_add(1)).or(after_prefix(&relation.to_bytes())),
    }
}
