//! An index that comes and goes while the threads write. What it holds is worked out from the items, like that of every
//! other index, so nobody has to know when it was added.

use monotable_api::{
    AttributeDefinition, DescribeTableInput, Error, GlobalSecondaryIndex,
    GlobalSecondaryIndexUpdate, IndexStatus, ScalarAttributeType, UpdateTableInput,
};
use monotable_engine::Engine;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const TABLE: &str = "wide";
pub(super) const INDEX: &str = "by-late";
/// The longest that an index stays as it is.
const MOST_MILLIS: u64 = 60;
/// How often a checker asks whether an index is full, or gone.
const ASKED: Duration = Duration::from_millis(10);
/// How often it asks at most: two minutes in all.
const MOST_ASKED: usize = 12_000;

/// Adds and removes the index until the writers end, or the store refuses.
pub(super) fn run(engine: &Engine, seed: u64, ended: &AtomicBool) {
    let mut dice = fastrand::Rng::with_seed(seed);
    while !ended.load(Ordering::Relaxed) {
        // It may be there from an earlier writer, or still be filled: then the request is refused.
        let update = if dice.bool() {
            addition()
        } else {
            change(GlobalSecondaryIndexUpdate::delete(INDEX))
        };
        if let Err(Error::InternalServerError { .. }) = engine.update_table(update) {
            return;
        }
        thread::sleep(Duration::from_millis(dice.u64(0..MOST_MILLIS)));
    }
}

fn addition() -> UpdateTableInput {
    let number = |name| AttributeDefinition::new(name, ScalarAttributeType::N);
    let index = GlobalSecondaryIndex::new(INDEX, "g2").range("order");
    UpdateTableInput {
        attribute_definitions: Some(vec![number("g2"), number("order")]),
        ..change(GlobalSecondaryIndexUpdate::create(index))
    }
}

fn change(update: GlobalSecondaryIndexUpdate) -> UpdateTableInput {
    UpdateTableInput {
        table_name: Some(TABLE.to_owned()),
        global_secondary_index_updates: Some(vec![update]),
        ..UpdateTableInput::default()
    }
}

/// Waits until the index is full or gone: what a crash interrupted goes on by itself.
pub(super) fn await_end(engine: &Engine) -> Result<(), Error> {
    for _ in 0..MOST_ASKED {
        let table = match engine.describe_table(DescribeTableInput::new(TABLE)) {
            Err(Error::ResourceNotFoundException { .. }) => return Ok(()),
            described => described?.table.unwrap_or_default(),
        };
        let mut indexes = table.global_secondary_indexes.iter().flatten();
        if indexes.all(|index| index.index_status == Some(IndexStatus::Active)) {
            return Ok(());
        }
        thread::sleep(ASKED);
    }
    Err(Error::internal(
        "an index is neither full nor gone after two minutes",
    ))
}
