//! Counts the rows of tables that were written to. Reading a table takes time, so the more rows it has,
//! the longer the next count waits.

use crate::catalog::{Counts, RelationId, Table, TableId};
use crate::clock::Clock;
use crate::commit::Published;
use crate::moment::Moment;
use crate::page::beyond;
use crate::store::{Direction, KeyRange, Space, StoreFault};
use monotable_item::EncodedItem;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long to wait for each row that was counted: reading one takes about a microsecond, so that
/// counting takes one part in two hundred of the time. Measured time would let one slow moment of a
/// busy machine put the next count off for long.
const PAUSE_PER_ROW: Duration = Duration::from_micros(200);

/// Rows that are counted on one snapshot.
const SLICE: usize = 4096;

/// When each table may be counted next.
#[derive(Default)]
pub(super) struct Counting {
    due: HashMap<TableId, Moment>,
}

impl Counting {
    pub(super) fn round(
        &mut self,
        published: &Published,
        clock: &dyn Clock,
        closing: &AtomicBool,
    ) -> Result<(), StoreFault> {
        let catalog = published.catalog.load_full();
        self.due
            .retain(|id, _| catalog.tables().any(|table| table.id == *id));
        for table in catalog.tables() {
            let is_due = |due: &Moment| Moment::now(clock) >= *due;
            if !table.counts.is_stale() || !self.due.get(&table.id).is_none_or(is_due) {
                continue;
            }
            // The number first: every snapshot taken later holds that group.
            let group = published.group();
            let Some(rows) = count_table(published, table, closing)? else {
                return Ok(());
            };
            table.counts.counted_to(group);
            let rows = u32::try_from(rows).unwrap_or(u32::MAX);
            self.due
                .insert(table.id, Moment::now(clock) + PAUSE_PER_ROW * rows);
        }
        Ok(())
    }
}

/// The number of rows of the table and its indexes; none if the engine closes meanwhile.
fn count_table(
    published: &Published,
    table: &Table,
    closing: &AtomicBool,
) -> Result<Option<u64>, StoreFault> {
    let indexes = table.indexes.iter();
    let indexes = indexes.map(|index| (Space::Indexes, index.id.into(), &index.counts));
    let mut rows = 0;
    for (space, relation, counts) in [(Space::Items, table.id.into(), &table.counts)]
        .into_iter()
        .chain(indexes)
    {
        if !count_rows(published, space, relation, counts, closing)? {
            return Ok(None);
        }
        rows += counts.rows();
    }
    Ok(Some(rows))
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
            bytes += EncodedItem::from_stored(value).size() as u64;
            if place + 1 == SLICE {
                rest = Some(beyond(range.clone(), &key, Direction::Forwards));
            }
        }
    }
    counts.set(rows, bytes);
    Ok(true)
}
