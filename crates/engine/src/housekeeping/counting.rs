//! Counts the rows of tables that were written to. Reading a table takes time, so the longer a count
//! took, the longer the next one waits.

use crate::catalog::{Counts, RelationId, Table, TableId};
use crate::commit::Published;
use crate::store::{Direction, KeyRange, Snapshot, Space, StoreFault};
use monotable_item::EncodedItem;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A count may take one part in this many of the time.
const SHARE: u32 = 200;

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
            if !count_table(&published.snapshot(), table, closing)? {
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
    snapshot: &Snapshot,
    table: &Table,
    closing: &AtomicBool,
) -> Result<bool, StoreFault> {
    let indexes = table.indexes.iter();
    let indexes = indexes.map(|index| (Space::Indexes, index.id.into(), &index.counts));
    for (space, relation, counts) in [(Space::Items, table.id.into(), &table.counts)]
        .into_iter()
        .chain(indexes)
    {
        if !count_rows(snapshot, space, relation, counts, closing)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn count_rows(
    snapshot: &Snapshot,
    space: Space,
    relation: RelationId,
    counts: &Counts,
    closing: &AtomicBool,
) -> Result<bool, StoreFault> {
    let (mut rows, mut bytes) = (0, 0);
    let range = KeyRange::prefix(&relation.to_bytes());
    for row in snapshot.range(space, range, Direction::Forwards) {
        let (_, value) = row?;
        rows += 1;
        bytes += EncodedItem::from_stored(value).view().size() as u64;
        if closing.load(Ordering::Relaxed) {
            return Ok(false);
        }
    }
    counts.set(rows, bytes);
    Ok(true)
}
