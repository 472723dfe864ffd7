//! Counts the rows of tables that were written to. Reading a table takes time, so the longer a count
//! took, the longer the next one waits.

use crate::catalog::{Counts, RelationId, Table, TableId};
use crate::commit::Published;
use crate::page::beyond;
use crate::store::{Direction, KeyRange, Space, StoreFault};
use monotable_item::EncodedItem;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A count may take one part in this many of the time.
const SHARE: u32 = 200;

/// Rows that are counted on one snapshot.
const SLICE: usize = 4096;

/// When each table may be counted next.
#[derive(Default)]
pub(super) struct Counting {
    due: HashMap<TableId, Instant>,
}

impl Counting {
    pub(super) fn round(
        &mut self,
        published: &Published,
        closing: &AtomicBool,
    ) -> Result<(), StoreFault> {
        let catalog = published.catalog.load_full();
        self.due
            .retain(|id, _| catalog.tables().any(|table| table.id == *id));
        for table in catalog.tables() {
            let start = Instant::now();
            let is_due = self.due.get(&table.id).is_none_or(|due| start >= *due);
            if !is_due || !table.counts.take_stale() {
                continue;
            }
            if !count_table(published, table, closing)? {
                table.counts.mark_stale();
                return Ok(());
            }
            let pause = (start.elapsed() * SHARE).max(Duration::from_millis(100));
            self.due.insert(table.id, start + pause);
        }
        Ok(())
    }
}

/// Whether all was counted before the engine closed.
fn count_table(
    published: &Published,
    table: &Table,
    closing: &AtomicBool,
) -> Result<bool, StoreFault> {
    let indexes = table.indexes.iter();
    let indexes = indexes.map(|index| (Space::Indexes, index.id.into(), &index.counts));
    for (space, relation, counts) in [(Space::Items, table.id.into(), &table.counts)]
        .into_iter()
        .chain(indexes)
    {
        if !count_rows(published, space, relation, counts, closing)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Counts in slices, each on a snapshot of its own: one for all would keep memtables in memory that are
/// long written to disk. So the count is not of one moment; it is an estimate anyway.
fn count_rows(
    published: &Published,
    space: Space,
    relation: RelationId,
    counts: &Counts,
    closing: &AtomicBool,
) -> Result<bool, StoreFault> {
    let (mut rows, mut bytes) = (0, 0);
    let mut rest = Some(KeyRange::prefix(&relation.to_bytes()));
    while let Some(range) = rest.take() {
        if closing.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let snapshot = published.snapshot();
        let slice = snapshot.range(space, range.clone(), Direction::Forwards);
        for (place, row) in slice.take(SLICE).enumerate() {
            let (key, value) = row?;
            rows += 1;
            bytes += EncodedItem::from_stored(value).view().size() as u64;
            if place + 1 == SLICE {
                rest = Some(beyond(range.clone(), &key, Direction::Forwards));
            }
        }
    }
    counts.set(rows, bytes);
    Ok(true)
}
