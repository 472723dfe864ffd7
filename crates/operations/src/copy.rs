//! Every item of a model's tables, from one DynamoDB to another.
//!
//! Tables are scanned in segments side by side. After each page that is written, the place is noted in a file, so that a copy that was
//! killed goes on there; a page that is written twice does no harm. Afterwards counts and checksums of both sides are
//! compared, and streams tell what has changed meanwhile (`follow.rs`).

mod follow;
mod limiter;
mod place;

pub use follow::Follower;
pub use place::CopyPlace;

use crate::backup::{ItemDifference, sum_table};
use crate::error::Error;
use futures_util::future::try_join_all;
use limiter::Limiter;
use monotable_api::{Dynamo, DynamoExt, ScanInput};
use monotable_model::model::TableId;
use monotable_store::Store;
use place::SegmentPlace;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

/// Is told how many items were copied.
pub type CopyWatch<'w> = &'w (dyn Fn(u64) + Send + Sync);

/// How a copy is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CopyOptions {
    /// How many segments of a table are read at once.
    pub segments: u32,
    /// How many items are written in a second; none is as fast as it goes.
    pub rate: Option<u64>,
}

impl Default for CopyOptions {
    fn default() -> Self {
        Self {
            segments: 4,
            rate: None,
        }
    }
}

/// Copies the tables of a model.
#[derive(Debug)]
pub struct Copier<'c> {
    from: &'c Store,
    to: &'c Store,
    options: CopyOptions,
}

impl<'c> Copier<'c> {
    /// Copies from one store of a model to another, whose tables must be there.
    #[must_use]
    pub const fn new(from: &'c Store, to: &'c Store, options: CopyOptions) -> Self {
        Self { from, to, options }
    }

    /// Copies what is not copied yet; how many items that was, without the store's own.
    pub async fn copy(&self, place: CopyPlace, watch: CopyWatch<'_>) -> Result<u64, Error> {
        let limiter = Limiter::new(self.options.rate);
        let copied = AtomicU64::new(0);
        let place = Mutex::new(place);
        for id in self.from.model().stored_tables() {
            let name = self.from.model().table(id).name.value.clone();
            let segments = {
                let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
                place.begin_table(&name, self.options.segments)?
            };
            let total = segments.len();
            let segments = segments.into_iter().enumerate();
            let work = segments.map(|(segment, at)| {
                let part = Part {
                    id,
                    name: &name,
                    segment,
                    total,
                };
                self.copy_segment(part, at, (&place, &limiter, &copied), watch)
            });
            try_join_all(work).await?;
        }
        Ok(copied.load(Ordering::Relaxed))
    }

    async fn copy_segment(
        &self,
        part: Part<'_>,
        at: SegmentPlace,
        (place, limiter, copied): (&Mutex<CopyPlace>, &Limiter, &AtomicU64),
        watch: CopyWatch<'_>,
    ) -> Result<(), Error> {
        let sender = self.from.sender();
        let table = &self.from.model().table(part.id).physical;
        let mut input = ScanInput {
            consistent_read: Some(true),
            segment: i64::try_from(part.segment).ok(),
            total_segments: i64::try_from(part.total).ok(),
            ..ScanInput::new(table)
        };
        match at {
            SegmentPlace::Done => return Ok(()),
            SegmentPlace::Beginning => {}
            SegmentPlace::After(key) => input.exclusive_start_key = Some(key.into()),
        }
        loop {
            let page = sender.scan(input.clone()).await?;
            let items = page.items.unwrap_or_default();
            let items = items.iter().map(|item| {
                let prepared = self.from.prepare_backup(part.id, item.to_item());
                prepared.item
            });
            let written = self.to.restore_items(part.id, items.collect()).await?.items;
            let total = copied.fetch_add(written, Ordering::Relaxed) + written;
            watch(total);
            let next = match page.last_evaluated_key {
                Some(key) => SegmentPlace::After(key),
                None => SegmentPlace::Done,
            };
            {
                let mut place = place.lock().unwrap_or_else(PoisonError::into_inner);
                place.note(part.name, part.segment, next.clone())?;
            }
            match next {
                SegmentPlace::After(key) => input.exclusive_start_key = Some(key.into()),
                SegmentPlace::Beginning | SegmentPlace::Done => return Ok(()),
            }
            limiter.wait(total).await;
        }
    }

    /// Compares both sides, item by item: the tables that differ.
    pub async fn verify(&self, watch: CopyWatch<'_>) -> Result<Vec<ItemDifference>, Error> {
        let mut differences = Vec::new();
        for id in self.from.model().stored_tables() {
            let (from, to) = (self.from.sender(), self.to.sender());
            let wanted = sum_table(self.from, &from as &dyn Dynamo, id, watch).await?;
            let found = sum_table(self.to, &to as &dyn Dynamo, id, watch).await?;
            if wanted != found {
                differences.push(ItemDifference {
                    table: self.to.model().table(id).physical.clone(),
                    wanted,
                    found,
                });
            }
        }
        Ok(differences)
    }
}

/// A segment of a table.
struct Part<'p> {
    id: TableId,
    name: &'p str,
    segment: usize,
    total: usize,
}
