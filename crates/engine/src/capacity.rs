//! Consumed capacity, as AWS counts it.

use crate::catalog::{Index, IndexKind, Table};
use crate::commit::Effect;
use crate::index;
use monotable_api::{Capacity, ConsumedCapacity, ReturnConsumedCapacity, VectorCapacity};
use monotable_item::EncodedItem;
use monotable_item::limits::{READ_UNIT_BYTES, WRITE_UNIT_BYTES};
use std::collections::BTreeMap;

/// A transactional read or write costs this many times as much.
pub(crate) const TRANSACTIONAL: f64 = 2.0;

/// Whether an operation also tells read and write units apart, as transactions do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    TransactionalRead,
    TransactionalWrite,
}

/// Units consumed of one table and its indexes.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    table: f64,
    local: BTreeMap<String, f64>,
    global: BTreeMap<String, f64>,
    /// Bytes that were written to vector indexes, which are not counted in units.
    vector: BTreeMap<String, f64>,
}

impl Tally {
    pub(crate) fn add_table(&mut self, units: f64) {
        self.table += units;
    }

    pub(crate) fn add_index(&mut self, index: &Index, units: f64) {
        let indexes = match index.kind {
            IndexKind::Local => &mut self.local,
            IndexKind::Global => &mut self.global,
            IndexKind::Vector => &mut self.vector,
        };
        *indexes.entry(index.name.clone()).or_default() += units;
    }

    /// Adds what a write consumed; `factor` is 1, or that of a transaction.
    pub(crate) fn add_write(&mut self, table: &Table, effect: &Effect, factor: f64) {
        let units = write_units(effect.old.as_ref()).max(write_units(effect.new.as_ref()));
        self.table += units.max(1.0) * factor;
        for index in table.indexes.iter().filter(|index| index.is_kept()) {
            let measure = match index.kind {
                IndexKind::Local | IndexKind::Global => write_units,
                IndexKind::Vector => entry_bytes,
            };
            let units = entry_units(table, index, effect, measure);
            if units > 0.0 {
                self.add_index(index, units * factor);
            }
        }
    }

    /// As AWS returns it, if it is asked for.
    pub(crate) fn describe(
        self,
        table: &str,
        asked: ReturnConsumedCapacity,
        kind: Kind,
    ) -> Option<ConsumedCapacity> {
        let detailed = match asked {
            ReturnConsumedCapacity::None => return None,
            ReturnConsumedCapacity::Total => false,
            ReturnConsumedCapacity::Indexes => true,
        };
        let indexes = self.local.values().chain(self.global.values());
        let total = share(self.table + indexes.sum::<f64>(), kind);
        let shares = |indexes: BTreeMap<String, f64>| {
            let shares = indexes
                .into_iter()
                .map(|(name, units)| (name, share(units, kind)));
            let shares: BTreeMap<_, _> = shares.collect();
            (detailed && !shares.is_empty()).then_some(shares)
        };
        let vectors = self.vector.into_iter().map(|(name, bytes)| {
            let capacity = VectorCapacity {
                vector_search_request_bytes: None,
                vector_write_request_bytes: Some(bytes),
            };
            (name, capacity)
        });
        let vectors: BTreeMap<_, _> = vectors.collect();
        Some(ConsumedCapacity {
            vector_indexes: (detailed && !vectors.is_empty()).then_some(vectors),
            table_name: Some(table.to_owned()),
            capacity_units: total.capacity_units,
            read_capacity_units: total.read_capacity_units,
            write_capacity_units: total.write_capacity_units,
            table: detailed.then(|| share(self.table, kind)),
            local_secondary_indexes: shares(self.local),
            global_secondary_indexes: shares(self.global),
        })
    }
}

fn share(units: f64, kind: Kind) -> Capacity {
    Capacity {
        capacity_units: Some(units),
        read_capacity_units: (kind == Kind::TransactionalRead).then_some(units),
        write_capacity_units: (kind == Kind::TransactionalWrite).then_some(units),
    }
}

fn write_units(item: Option<&EncodedItem>) -> f64 {
    item.map_or(0.0, |item| {
        item.size().div_ceil(WRITE_UNIT_BYTES).max(1) as f64
    })
}

/// What an index costs when its entry changes: a changed key is a delete and a put.
/// The bytes of an entry.
fn entry_bytes(entry: Option<&EncodedItem>) -> f64 {
    entry.map_or(0, EncodedItem::size) as f64
}

fn entry_units(
    table: &Table,
    index: &Index,
    effect: &Effect,
    measure: impl Fn(Option<&EncodedItem>) -> f64,
) -> f64 {
    let entry = |item: Option<&EncodedItem>| item.and_then(|item| index::entry(table, index, item));
    let (old, new) = (entry(effect.old.as_ref()), entry(effect.new.as_ref()));
    let size = |value: &bytes::Bytes| measure(Some(&EncodedItem::from_stored(value.clone())));
    match (old, new) {
        (None, None) => 0.0,
        (Some((_, value)), None) | (None, Some((_, value))) => size(&value),
        (Some(old), Some(new)) if old == new => 0.0,
        (Some((old_key, old)), Some((new_key, new))) if old_key == new_key => {
            size(&old).max(size(&new))
        }
        (Some((_, old)), Some((_, new))) => size(&old) + size(&new),
    }
}

/// What a search consumed that has compared so many bytes, if that is asked for.
pub(crate) fn vector_capacity(
    asked: ReturnConsumedCapacity,
    bytes: usize,
) -> Option<VectorCapacity> {
    match asked {
        ReturnConsumedCapacity::None => None,
        ReturnConsumedCapacity::Total | ReturnConsumedCapacity::Indexes => Some(VectorCapacity {
            vector_search_request_bytes: Some(bytes as f64),
            vector_write_request_bytes: None,
        }),
    }
}

/// Read units of so many bytes that were read together.
pub(crate) fn read_units(bytes: usize, consistent: bool) -> f64 {
    let units = bytes.div_ceil(READ_UNIT_BYTES).max(1) as f64;
    if consistent { units } else { units / 2.0 }
}

/// Read units of one item, or of finding none.
pub(crate) fn item_read_units(item: Option<&EncodedItem>, consistent: bool) -> f64 {
    read_units(item.map_or(0, EncodedItem::size), consistent)
}
