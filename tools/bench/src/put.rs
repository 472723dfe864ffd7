//! Durable writes of many writers.

use crate::contest::{Outcome, Side};
use crate::dataset::{Order, TABLE};
use crate::failure::Failure;
use crate::pair::Pair;
use crate::raw_committer::RawCommitter;
use crate::raw_store::{RawStore, Row};
use crate::writers::WRITERS;
use fjall::PersistMode;
use monotable_api::PutItemInput;
use monotable_item::EncodedItem;

/// How many turns each side has: many and short, so that flushes and compactions, which go on behind
/// them and are the same on both sides, hit both alike.
const ROUNDS: u64 = 41;
/// Writes of one writer in a turn.
const MOST_WRITES: u64 = 150;
const LEAST_WRITES: u64 = 10;
/// A turn writes about this part of the table at most.
const PART: u64 = 100;

/// Which items are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Fresh,
    Existing,
}

/// What was measured, and how many writes a group had on each side.
pub(crate) struct Writes {
    pub(crate) outcome: Outcome,
    pub(crate) engine_group: f64,
    pub(crate) raw_group: f64,
}

/// PutItem, against the raw group commit of one row.
pub(crate) fn plain(pair: &Pair, target: Target) -> Result<Writes, Failure> {
    measure(pair, target, |raw, item| Ok([raw.row(item)?]))
}

/// PutItem to a table with two indexes, against the raw group commit of three rows.
pub(crate) fn indexed(pair: &Pair, target: Target) -> Result<Writes, Failure> {
    measure(pair, target, RawStore::indexed_rows)
}

fn measure<const N: usize>(
    pair: &Pair,
    target: Target,
    rows: impl Fn(&RawStore, &EncodedItem) -> Result<[Row; N], Failure>,
) -> Result<Writes, Failure> {
    pair.settle()?;
    let committer = RawCommitter::start(pair.raw.clone(), PersistMode::SyncData)?;
    let mut outcome = Outcome::default();
    let each = (pair.dataset.items / PART / WRITERS as u64).clamp(LEAST_WRITES, MOST_WRITES);
    // One write for the groups to have a number.
    let first = pair.dataset.item(pair.dataset.loaded(0));
    pair.engine.put_item(PutItemInput::new(TABLE, first))?;
    let groups_before = pair.engine_groups()?;
    for round in 0..ROUNDS {
        let items = items(pair, target, round, each);
        let requests = lists(&items, |item| Ok(PutItemInput::new(TABLE, item.clone())))?;
        let raw_rows = lists(&items, |item| rows(&pair.raw, item))?;
        if round % 2 == 0 {
            engine_turn(&mut outcome.engine, pair, requests)?;
            raw_turn(&mut outcome.raw, &committer, raw_rows)?;
        } else {
            raw_turn(&mut outcome.raw, &committer, raw_rows)?;
            engine_turn(&mut outcome.engine, pair, requests)?;
        }
    }
    let writes = (ROUNDS * each * WRITERS as u64) as f64;
    let engine_groups = pair.engine_groups()? - groups_before;
    let raw_groups = committer.groups();
    committer.close()?;
    Ok(Writes {
        outcome,
        engine_group: writes / engine_groups.max(1) as f64,
        raw_group: writes / raw_groups.max(1) as f64,
    })
}

fn engine_turn(side: &mut Side, pair: &Pair, lists: Vec<Vec<PutItemInput>>) -> Result<(), Failure> {
    side.round(lists, |request| {
        pair.engine.put_item(request)?;
        Ok(())
    })
}

fn raw_turn<const N: usize>(
    side: &mut Side,
    committer: &RawCommitter<N>,
    lists: Vec<Vec<[Row; N]>>,
) -> Result<(), Failure> {
    let writer = committer.writer();
    side.round(lists, |rows| writer.write(rows))
}

/// The items of a round, for each writer.
fn items(pair: &Pair, target: Target, round: u64, each: u64) -> Vec<Vec<EncodedItem>> {
    let dataset = pair.dataset;
    let mut random = fastrand::Rng::with_seed(round + 1);
    let mut next = round * each * WRITERS as u64;
    let mut order = || match target {
        Target::Fresh => {
            next += 1;
            dataset.fresh(next)
        }
        Target::Existing => Order {
            revision: round + 1,
            ..dataset.random(&mut random)
        },
    };
    let mut list = || (0..each).map(|_| dataset.item(order())).collect();
    (0..WRITERS).map(|_| list()).collect()
}

fn lists<R>(
    items: &[Vec<EncodedItem>],
    make: impl Fn(&EncodedItem) -> Result<R, Failure>,
) -> Result<Vec<Vec<R>>, Failure> {
    let lists = items.iter();
    lists.map(|list| list.iter().map(&make).collect()).collect()
}
