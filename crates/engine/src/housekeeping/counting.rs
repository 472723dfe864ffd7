//! Counts the rows of tables that were written to.
//!
//! Reading a table takes time that requests want, too. So a table is counted slice by slice with pauses between, and the more rows it has, the longer
//! the next count waits. Each slice has a snapshot of its own: one for all would keep memtables in memory that are long written
//! to disk. So the count is not of one moment; it is an estimate anyway.

use crate::catalog::{Counts, RelationId, Table, TableId};
use crate::clock::Clock;
use crate::commit::Published;
use crate::moment::Moment;
use crate::page::beyond;
use crate::store::{Direction, KeyRange, Space, StoreFault};
use monotable_item::EncodedItem;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long to wait for each row of a slice before the next one: reading a row takes one to five microseconds. Measured time would let
/// one slow moment of a busy machine put the next slice off for long.
const PAUSE_IN_COUNT: Duration = Duration::from_micros(50);
/// How long to wait for each row of the whole table before it is counted again.
const PAUSE_AFTER_COUNT: Duration = Duration::from_micros(200);

/// Rows that are counted on one snapshot.
const SLICE: usize = 4096;

/// How far each table is counted.
#[derive(Default)]
pub(super) struct Counting {
    tables: HashMap<TableId, Progress>,
}

/// When a table is looked at again, and the count of it that is going on.
struct Progress {
    due: Moment,
    count: Option<Count>,
}

/// A count that is going on.
struct Count {
    /// Every snapshot that is taken for it holds this group.
    group: u64,
    /// The table and its indexes, as far as they are not counted; the first one is being counted.
    relations: VecDeque<Relation>,
    /// What was counted of all relations.
    rows: u32,
}

/// The rows of a table or of an index.
struct Relation {
    space: Space,
    rest: KeyRange,
    counts: Arc<Counts>,
    rows: u64,
    bytes: u64,
}

/// How a slice has ended.
enum Slice {
    /// There are more rows than that.
    Full,
    /// All rows are counted.
    Last,
}

impl Counting {
    /// Counts a slice of every table that is due.
    pub(super) fn round(
        &mut self,
        published: &Published,
        clock: &dyn Clock,
        closing: &AtomicBool,
    ) -> Result<(), StoreFault> {
        let catalog = published.catalog.load_full();
        self.tables
            .retain(|id, _| catalog.tables().any(|table| table.id == *id));
        for table in catalog.tables() {
            if closing.load(Ordering::Relaxed) {
                return Ok(());
            }
            let now = Moment::now(clock);
            let progress = self.tables.entry(table.id).or_insert(Progress {
                due: now,
                count: None,
            });
            let is_wanted = progress.count.is_some() || table.counts.is_stale();
            if is_wanted && now >= progress.due {
                progress.advance(published, table, clock)?;
            }
        }
        Ok(())
    }
}

impl Progress {
    fn advance(
        &mut self,
        published: &Published,
        table: &Table,
        clock: &dyn Clock,
    ) -> Result<(), StoreFault> {
        let mut count = match self.count.take() {
            Some(count) => count,
            None => Count::begin(published, table),
        };
        let before = count.rows;
        let slice = count.count_slice(published)?;
        let pause = match slice {
            Slice::Full => PAUSE_IN_COUNT * (count.rows - before),
            Slice::Last => PAUSE_AFTER_COUNT * count.rows,
        };
        self.due = Moment::now(clock) + pause;
        match slice {
            Slice::Full => self.count = Some(count),
            Slice::Last => table.counts.counted_to(count.group),
        }
        Ok(())
    }
}

impl Count {
    fn begin(published: &Published, table: &Table) -> Self {
        // The number first: every snapshot taken later holds that group.
        let group = published.group();
        let items = Relation::new(Space::Items, table.id.into(), &table.counts);
        let indexes = table.indexes.iter();
        let indexes =
            indexes.map(|index| Relation::new(Space::Indexes, index.id.into(), &index.counts));
        Self {
            group,
            relations: std::iter::once(items).chain(indexes).collect(),
            rows: 0,
        }
    }

    /// Counts so many rows as a slice has, of one relation after the other.
    fn count_slice(&mut self, published: &Published) -> Result<Slice, StoreFault> {
        let mut most = SLICE;
        while let Some(relation) = self.relations.front_mut() {
            let counted = relation.count_rows(published, most)?;
            self.rows = self
                .rows
                .saturating_add(u32::try_from(counted).unwrap_or(u32::MAX));
            most -= counted;
            if most == 0 {
                return Ok(Slice::Full);
            }
            relation.counts.set(relation.rows, relation.bytes);
            self.relations.pop_front();
        }
        Ok(Slice::Last)
    }
}

impl Relation {
    fn new(space: Space, relation: RelationId, counts: &Arc<Counts>) -> Self {
        Self {
            space,
            rest: KeyRange::prefix(&relation.to_bytes()),
            counts: Arc::clone(counts),
            rows: 0,
            bytes: 0,
        }
    }

    /// Counts the next rows; fewer than the most if there are no more.
    fn count_rows(&mut self, published: &Published, most: usize) -> Result<usize, StoreFault> {
        let snapshot = published.snapshot();
        let slice = snapshot.range(self.space, self.rest.clone(), Direction::Forwards);
        let mut counted = 0;
        let mut last = None;
        for row in slice.take(most) {
            let (key, value) = row?;
            counted += 1;
            self.bytes += EncodedItem::from_stored(value).size() as u64;
            last = Some(key);
        }
        self.rows += counted as u64;
        if let Some(last) = last {
            self.rest = beyond(self.rest.clone(), &last, Direction::Forwards);
        }
        Ok(counted)
    }
}
