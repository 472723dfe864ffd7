//! Reads of twenty items of a partition.

use crate::contest::{Contest, look_at};
use crate::dataset::{PARTITION, TABLE, partition_key};
use crate::failure::Failure;
use crate::pair::Pair;
use crate::row_key;
use monotable_api::QueryInput;
use monotable_engine::Engine;
use std::hint::black_box;

pub(crate) const LIMIT: u32 = 20;

/// Query with a limit, against a snapshot and the first rows of a range.
pub(crate) struct Query<'a>(pub(crate) &'a Pair);

/// From a row key on, and before another.
type Range = (Vec<u8>, Vec<u8>);

impl Contest for Query<'_> {
    type EngineRequest = QueryInput;
    type RawRequest = Range;

    fn prepare(&self, random: &mut fastrand::Rng) -> Result<(QueryInput, Range), Failure> {
        let key = partition_key(self.0.dataset.random_user(random));
        let start = row_key::partition(self.0.raw.table(), &key)?;
        let mut end = start.clone();
        // Ends in the mark of the end of a component, which is not the highest byte.
        if let Some(last) = end.last_mut() {
            *last += 1;
        }
        Ok((request(key), (start, end)))
    }

    fn engine(&self, request: QueryInput) -> Result<(), Failure> {
        query(&self.0.engine, request)
    }

    fn raw(&self, (start, end): Range) -> Result<(), Failure> {
        let rows = self.0.raw.range(&start, &end, LIMIT as usize)?;
        rows.iter().for_each(|(_, value)| look_at(value));
        check(black_box(rows).len())
    }
}

/// The first items of a user.
pub(crate) fn request(partition_key: String) -> QueryInput {
    let query = QueryInput::new(TABLE, format!("{PARTITION} = :user"));
    query.value(":user", partition_key).limit(LIMIT)
}

/// Reads a page and looks at its items.
pub(crate) fn query(engine: &Engine, request: QueryInput) -> Result<(), Failure> {
    let page = black_box(engine.query(request)?);
    let items = page.items.unwrap_or_default();
    items.iter().for_each(|item| look_at(item.as_bytes()));
    check(items.len())
}

fn check(found: usize) -> Result<(), Failure> {
    if found == LIMIT as usize {
        Ok(())
    } else {
        Err(format!("{found} items instead of {LIMIT}").into())
    }
}
