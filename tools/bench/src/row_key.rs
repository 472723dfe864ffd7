//! Row keys, as the engine lays them out.
//!
//! ```text
//! item  = table id (4) | hash of the partition key (8) | partition key | sort key
//! entry = index id (4) | hash of the index's partition key (8) | index keys | table keys
//! ```
//!
//! The raw side uses the same bytes; when a pair of stores is opened, that is checked on rows of the
//! engine's own.

use crate::dataset::{PARTITION, SORT};
use crate::failure::Failure;
use bytes::Bytes;
use monotable_item::{ItemView, ValueView, key};
use xxhash_rust::xxh3::xxh3_64;

/// The number that all rows of a table or index start with.
pub(crate) type RelationId = [u8; 4];

const HASH: std::ops::Range<usize> = 4..12;

/// The row key of an item.
pub(crate) fn item(table: RelationId, item: ItemView<'_>) -> Result<Bytes, Failure> {
    let mut row = partition_of(table, value(item, PARTITION)?)?;
    push(&mut row, value(item, SORT)?)?;
    Ok(row.into())
}

/// The row key of an item's entry in an index.
pub(crate) fn entry(
    index: RelationId,
    [partition, sort]: [&str; 2],
    item: ItemView<'_>,
) -> Result<Bytes, Failure> {
    let mut row = partition_of(index, value(item, partition)?)?;
    for name in [sort, PARTITION, SORT] {
        push(&mut row, value(item, name)?)?;
    }
    Ok(row.into())
}

/// What all row keys of a partition start with.
pub(crate) fn partition(table: RelationId, key: &str) -> Result<Vec<u8>, Failure> {
    partition_of(table, ValueView::S(key))
}

fn partition_of(relation: RelationId, key: ValueView<'_>) -> Result<Vec<u8>, Failure> {
    let mut row = Vec::with_capacity(96);
    row.extend_from_slice(&relation);
    row.extend_from_slice(&[0; 8]);
    push(&mut row, key)?;
    let hash = row.get(HASH.end..).map(xxh3_64).unwrap_or_default();
    if let Some(place) = row.get_mut(HASH) {
        place.copy_from_slice(&hash.to_be_bytes());
    }
    Ok(row)
}

fn push(row: &mut Vec<u8>, value: ValueView<'_>) -> Result<(), Failure> {
    if key::write_component(row, value) {
        Ok(())
    } else {
        Err("not a key value".into())
    }
}

fn value<'a>(item: ItemView<'a>, name: &str) -> Result<ValueView<'a>, Failure> {
    item.get(name).ok_or_else(|| format!("no {name}").into())
}
