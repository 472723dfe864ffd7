//! What has changed in a period, from the log of point-in-time recovery.
//!
//! The log tells what each item was before each change. So the first record of an item in the period has what it was at
//! the beginning; what it was at the end is in the table that nobody sees, which is worked out for that time. A file has the
//! next items in the order of their keys. The log is read once for each file, so that no more than a file is held in memory.

use super::{FILE_BYTES, FILE_ITEMS};
use crate::bucket::TransferError;
use crate::catalog::{ExportDefinition, RequestedPeriod, Table, TableDefinition, TableOrigin};
use crate::keys;
use crate::ops::ExportFilter;
use crate::store::{Direction, Snapshot, Space, StoreFault};
use crate::stream::{Sequence, SequenceRange, StoredRecord};
use bytes::Bytes;
use monotable_exports::{ExportFile, ItemChange};
use monotable_item::EncodedItem;
use std::collections::BTreeMap;

/// A file with the next changes, and the key of the last item that it has; none if there is no further change.
pub(super) fn fill(
    snapshot: &Snapshot,
    export: &ExportDefinition,
    (scratch, filter): (&TableDefinition, &ExportFilter),
    period: RequestedPeriod,
) -> Result<(ExportFile, Option<Vec<u8>>), TransferError> {
    let changed = read_log(snapshot, export, (scratch, filter), period)?;
    let last = changed.last_key_value().map(|(key, _)| key.to_vec());
    let mut file = ExportFile::default();
    for (key, mut change) in changed {
        let new = snapshot.get(Space::Items, &key)?;
        change.new = new.map(EncodedItem::from_stored);
        // The filter looks at what an item has become, and at what a deleted one was, as AWS documents it.
        let latest = change.new.as_ref().or(change.old.as_ref());
        if !latest.is_some_and(|image| filter.takes(image.view())) {
            continue;
        }
        change.new = change.new.map(|image| filter.project(image));
        change.old = change.old.map(|image| filter.project(image));
        file.push_change(&change, period.view)?;
    }
    Ok((file, last))
}

/// The next items that have changed, by their rows in the table that nobody sees, with what they were.
fn read_log(
    snapshot: &Snapshot,
    export: &ExportDefinition,
    (scratch, filter): (&TableDefinition, &ExportFilter),
    period: RequestedPeriod,
) -> Result<BTreeMap<Bytes, ItemChange>, StoreFault> {
    let Some(TableOrigin::Table { log, end, .. }) = scratch.origin else {
        return Ok(BTreeMap::new());
    };
    let table = Table::new(scratch.clone());
    let damaged = || StoreFault::Damaged {
        what: format!("a record of the changes of table {}", table.name()),
    };
    let times = period.from..export.period_end();
    let records = SequenceRange {
        start: Sequence::from_number(0),
        end,
    };
    let mut chosen = Chosen::default();
    for row in snapshot.range(Space::Indexes, records.rows(log), Direction::Forwards) {
        let (_, value) = row?;
        let time = StoredRecord::time_of(&value).ok_or_else(damaged)?;
        if !times.contains(&time) {
            continue;
        }
        let record = StoredRecord::read(&value, &table.start_key).ok_or_else(damaged)?;
        let key = keys::item_key(&table, record.key.view()).ok_or_else(damaged)?;
        let is_next = export.last.as_deref().is_none_or(|last| *key.0 > *last);
        if is_next && filter.range.contains(&key.0) {
            chosen.add(key.0, record);
        }
    }
    Ok(chosen.changes)
}

/// The changes with the smallest keys, as many as a file takes.
#[derive(Default)]
struct Chosen {
    changes: BTreeMap<Bytes, ItemChange>,
    bytes: u64,
    /// Items from this one on are for later files. A later record of one of them is not its first.
    ceiling: Option<Bytes>,
}

impl Chosen {
    fn add(&mut self, key: Bytes, record: StoredRecord) {
        if self.ceiling.as_ref().is_some_and(|ceiling| key >= *ceiling) {
            return;
        }
        if let Some(known) = self.changes.get_mut(&key) {
            known.time = record.time;
            return;
        }
        let change = ItemChange {
            keys: record.key,
            old: record.old,
            new: None,
            time: record.time,
        };
        self.bytes += size(&change);
        self.changes.insert(key, change);
        let is_full =
            |chosen: &Self| chosen.changes.len() as u64 > FILE_ITEMS || chosen.bytes > FILE_BYTES;
        while self.changes.len() > 1 && is_full(self) {
            if let Some((key, change)) = self.changes.pop_last() {
                self.bytes -= size(&change);
                self.ceiling = Some(key);
            }
        }
    }
}

fn size(change: &ItemChange) -> u64 {
    change.old.as_ref().map_or(0, EncodedItem::size) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Author;
    use monotable_api::OperationType;
    use monotable_item::Item;

    fn record(key: u32, bytes: usize, time: u64) -> (Bytes, StoredRecord) {
        let old = Item::new().with("id", key).with("text", "x".repeat(bytes));
        let record = StoredRecord {
            time,
            kind: OperationType::Modify,
            author: Author::Client,
            key: EncodedItem::from(&Item::new().with("id", key)),
            old: Some(EncodedItem::from(&old)),
            new: None,
        };
        (Bytes::copy_from_slice(&key.to_be_bytes()), record)
    }

    #[test]
    fn an_item_that_did_not_fit_is_not_taken_by_a_later_record() {
        let mut chosen = Chosen::default();
        let half = FILE_BYTES as usize / 2 + 1;
        for (key, bytes) in [(1, half), (3, half), (2, 10), (3, 10), (1, 10)] {
            let (key, record) = record(key, bytes, bytes as u64);
            chosen.add(key, record);
        }
        let keys: Vec<u8> = chosen.changes.keys().map(|key| key[3]).collect();
        assert_eq!(keys, [1, 2]);
        let first = chosen.changes.first_key_value().unwrap().1;
        assert!(size(first) > half as u64, "the first record counts");
        assert_eq!(first.time, 10, "and the last time");
    }
}
