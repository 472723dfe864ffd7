//! One page of several reads, one after another, on one snapshot.

use crate::capacity::{Kind, Tally, read_units};
use crate::ops::partiql::next_token::Place;
use crate::page::{Page, PagePlan, PageReader};
use crate::store::{Snapshot, StoreFault};
use monotable_api::{ExecuteStatementOutput, ReturnConsumedCapacity, TableName};
use monotable_item::EncodedItem;
use monotable_item::limits::PAGE_BYTES;
use std::collections::VecDeque;

/// What the answer says beside the items.
pub(super) struct Continuation {
    /// What tells the statement from others.
    pub(super) statement: u128,
    /// Whether each read can find one item at most.
    pub(super) finds_one_item: bool,
    pub(super) table: TableName,
    pub(super) consistent: bool,
    pub(super) capacity: ReturnConsumedCapacity,
}

pub(super) struct Reading {
    /// The reads that have not begun.
    waiting: VecDeque<PagePlan>,
    current: Option<PageReader>,
    /// The position of the current read among all of them.
    read: usize,
    /// How many items may still be read.
    limit: Option<usize>,
    room: usize,
    snapshot: Snapshot,
    items: Vec<EncodedItem>,
    tally: Tally,
    /// Where the next page begins.
    next: Option<Place>,
    last_key: Option<EncodedItem>,
    continuation: Continuation,
}

impl Reading {
    /// The reads from the one at position `read` on.
    pub(super) fn new(
        plans: Vec<PagePlan>,
        read: usize,
        limit: Option<usize>,
        snapshot: Snapshot,
        continuation: Continuation,
    ) -> Self {
        Self {
            waiting: plans.into(),
            current: None,
            read,
            limit,
            room: PAGE_BYTES,
            snapshot,
            items: Vec::new(),
            tally: Tally::default(),
            next: None,
            last_key: None,
            continuation,
        }
    }

    /// Reads on until the page is complete or about `budget` bytes more are read. Says whether it is complete.
    pub(super) fn advance(&mut self, budget: usize) -> Result<bool, StoreFault> {
        let stop = self.room.saturating_sub(budget);
        loop {
            let mut reader = match self.current.take() {
                Some(reader) => reader,
                None => match self.waiting.pop_front() {
                    Some(plan) => self.begin(plan),
                    None => return Ok(true),
                },
            };
            reader.advance(budget)?;
            if !reader.is_done() {
                self.current = Some(reader);
                return Ok(false);
            }
            let (plan, page) = reader.finish();
            if self.take(&plan, page) {
                return Ok(true);
            }
            if self.room <= stop && !self.waiting.is_empty() {
                return Ok(false);
            }
        }
    }

    fn begin(&self, mut plan: PagePlan) -> PageReader {
        plan.limit = self.limit;
        plan.room = self.room;
        PageReader::new(plan, self.snapshot.clone())
    }

    /// Adds what a read has found; says whether the page is full.
    fn take(&mut self, plan: &PagePlan, page: Page) -> bool {
        self.count(plan, &page);
        self.items.extend(page.items);
        self.room = self.room.saturating_sub(page.bytes);
        let scanned = usize::try_from(page.scanned).unwrap_or(usize::MAX);
        self.limit = self.limit.map(|limit| limit.saturating_sub(scanned));
        let Some(key) = page.last_key else {
            self.read += 1;
            return false;
        };
        let place = if self.continuation.finds_one_item {
            Place {
                read: self.read + 1,
                after: None,
            }
        } else {
            Place {
                read: self.read,
                after: Some(key.clone()),
            }
        };
        if place.after.is_some() || !self.waiting.is_empty() {
            self.next = Some(place);
            self.last_key = Some(key);
        }
        true
    }

    fn count(&mut self, plan: &PagePlan, page: &Page) {
        let consistent = self.continuation.consistent;
        let units = read_units(page.bytes, consistent);
        match plan.index() {
            None => self.tally.add_table(units),
            Some(index) => {
                self.tally.add_index(index, units);
                if page.fetched_bytes > 0 {
                    let units = read_units(page.fetched_bytes, consistent);
                    self.tally.add_table(units);
                }
            }
        }
    }

    /// The answer.
    pub(super) fn finish(self) -> ExecuteStatementOutput {
        let Continuation {
            statement,
            table,
            capacity,
            ..
        } = self.continuation;
        ExecuteStatementOutput {
            items: Some(self.items),
            next_token: self.next.map(|place| place.to_token(statement)),
            consumed_capacity: self.tally.describe(table.given(), capacity, Kind::Plain),
            last_evaluated_key: self.last_key,
        }
    }
}
