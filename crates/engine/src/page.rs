//! A page of a Query or Scan: read rows of a range, filter, shape, and stop where AWS stops.
//!
//! A page can be read in pieces: the reader remembers its place, so that a few rows are read at once on
//! an async worker and a long page goes on elsewhere, on the same snapshot.

use crate::catalog::{Index, Table};
use crate::store::{Direction, KeyRange, Snapshot, Space, StoreFault, after_key};
use crate::{index, keys};
use bytes::Bytes;
use monotable_expr::partiql::Columns;
use monotable_expr::{Condition, Projection};
use monotable_item::limits::READ_UNIT_BYTES;
use monotable_item::{EncodedItem, ItemView};
use std::sync::Arc;

/// What to read.
pub(crate) struct PagePlan {
    pub(crate) table: Arc<Table>,
    /// The index to read instead of the table, by its place in the table.
    pub(crate) index: Option<usize>,
    pub(crate) range: KeyRange,
    pub(crate) direction: Direction,
    pub(crate) limit: Option<usize>,
    pub(crate) filter: Option<Condition>,
    pub(crate) shape: Shape,
    /// Whether entries of the index lack attributes that are asked for.
    pub(crate) fetch: bool,
    /// How many bytes may be read; the page ends with the item that reaches them.
    pub(crate) room: usize,
}

impl PagePlan {
    pub(crate) fn index(&self) -> Option<&Index> {
        self.index.and_then(|place| self.table.indexes.get(place))
    }

    fn space(&self) -> Space {
        match self.index {
            Some(_) => Space::Indexes,
            None => Space::Items,
        }
    }

    /// The names that a start key has.
    fn start_key(&self) -> &[String] {
        match self.index() {
            Some(index) => &index.start_key,
            None => &self.table.start_key,
        }
    }
}

/// What to return of an item.
#[derive(Clone)]
pub(crate) enum Shape {
    Whole,
    /// What the index holds of a fetched item.
    Held,
    Projected(Projection),
    /// Paths, each under its last name.
    Columns(Columns),
    Nothing,
}

/// What was read.
#[derive(Default)]
pub(crate) struct Page {
    pub(crate) items: Vec<EncodedItem>,
    /// Items that passed the filter.
    pub(crate) count: u64,
    /// Items that were looked at.
    pub(crate) scanned: u64,
    /// Where the next page starts.
    pub(crate) last_key: Option<EncodedItem>,
    /// Bytes read of the table or index itself.
    pub(crate) bytes: usize,
    /// Bytes of items that were fetched from the table for index entries, each rounded up to a read
    /// unit.
    pub(crate) fetched_bytes: usize,
}

/// Reads a page.
pub(crate) struct PageReader {
    plan: PagePlan,
    snapshot: Snapshot,
    /// What is left of the range; none when the page is complete.
    rest: Option<KeyRange>,
    page: Page,
}

impl PageReader {
    pub(crate) fn new(plan: PagePlan, snapshot: Snapshot) -> Self {
        Self {
            rest: Some(plan.range.clone()),
            plan,
            snapshot,
            page: Page::default(),
        }
    }

    /// Whether the page is complete.
    pub(crate) const fn is_done(&self) -> bool {
        self.rest.is_none()
    }

    pub(crate) fn finish(self) -> (PagePlan, Page) {
        (self.plan, self.page)
    }

    /// Reads on until the page is complete or `budget` bytes more are read.
    pub(crate) fn advance(&mut self, budget: usize) -> Result<(), StoreFault> {
        let Some(range) = self.rest.take() else {
            return Ok(());
        };
        let Self {
            plan,
            snapshot,
            rest,
            page,
        } = self;
        let end = page.bytes.saturating_add(budget);
        for row in snapshot.range(plan.space(), range.clone(), plan.direction) {
            let (key, value) = row?;
            if page.take(plan, snapshot, &key, value)? {
                return Ok(());
            }
            if page.bytes >= end {
                *rest = Some(beyond(range, &key, plan.direction));
                return Ok(());
            }
        }
        Ok(())
    }
}

impl Page {
    /// Looks at one row; returns whether it was the last of the page.
    fn take(
        &mut self,
        plan: &PagePlan,
        snapshot: &Snapshot,
        key: &Bytes,
        value: Bytes,
    ) -> Result<bool, StoreFault> {
        let entry = EncodedItem::from_stored(value);
        self.scanned += 1;
        self.bytes += entry.size();
        let full =
            plan.limit.is_some_and(|limit| self.scanned >= limit as u64) || self.bytes >= plan.room;
        if full {
            self.last_key = Some(index::pick(plan.start_key(), entry.view()));
        }
        let item = if plan.fetch {
            self.fetch(plan, snapshot, key, entry.view())?
        } else {
            entry
        };
        let filter = plan.filter.as_ref();
        if filter.is_none_or(|filter| filter.matches(item.view())) {
            self.count += 1;
            match &plan.shape {
                Shape::Whole => self.items.push(item),
                Shape::Held => self.items.push(match plan.index() {
                    Some(index) => index::project(index, &item),
                    None => item,
                }),
                Shape::Projected(projection) => self.items.push(projection.project(item.view())),
                Shape::Columns(columns) => self.items.push(columns.project(item.view())),
                Shape::Nothing => {}
            }
        }
        Ok(full)
    }

    /// The whole item of an index entry, from the same snapshot.
    fn fetch(
        &mut self,
        plan: &PagePlan,
        snapshot: &Snapshot,
        key: &Bytes,
        entry: ItemView<'_>,
    ) -> Result<EncodedItem, StoreFault> {
        let missing = || StoreFault::Damaged {
            what: format!("index entry {key:02x?} has no item"),
        };
        let item_key = keys::item_key(&plan.table, entry).ok_or_else(missing)?;
        let value = snapshot
            .get(Space::Items, &item_key.0)?
            .ok_or_else(missing)?;
        let item = EncodedItem::from_stored(value);
        self.fetched_bytes += item.size().next_multiple_of(READ_UNIT_BYTES);
        Ok(item)
    }
}

/// The part of a range that comes after `key`.
pub(crate) fn beyond(range: KeyRange, key: &Bytes, direction: Direction) -> KeyRange {
    match direction {
        Direction::Forwards => KeyRange {
            start: after_key(key),
            ..range
        },
        Direction::Backwards => KeyRange {
            end: Some(key.clone()),
            ..range
        },
    }
}
