//! Durable writes of many writers to a table with two indexes and a stream, against the same without the stream.
//!
//! Both tables are of one engine and get the same items in turns, so that the only difference is the stream.

use crate::contest::{Outcome, Side};
use crate::dataset::table;
use crate::failure::Failure;
use crate::load::LoadTask;
use crate::workspace::Workspace;
use crate::writers::WRITERS;
use monotable_api::{PutItemInput, StreamViewType};
use monotable_engine::{Durability, Engine, EngineOptions};
use monotable_item::EncodedItem;

const WITH: &str = "WithStream";
const WITHOUT: &str = "WithoutStream";
/// Turns of each side, and writes of one writer in a turn.
const ROUNDS: u64 = 41;
const WRITES: u64 = 150;
/// A turn writes about this part of the items at most.
const PART: u64 = 100;

/// The table with the stream is the engine's side of the outcome, the other one the raw side.
pub(crate) fn measure(workspace: &Workspace, task: &LoadTask) -> Result<Outcome, Failure> {
    let scratch = workspace.scratch("stream")?;
    let engine = EngineOptions::new()
        .durability(Durability::Sync)
        .cache_bytes(task.cache_bytes)
        .open(scratch.path().join("engine"))?;
    let dataset = task.dataset();
    for name in [WITH, WITHOUT] {
        let mut definition = table(true);
        definition.table_name = Some(name.to_owned());
        engine.create_table(match name {
            WITH => definition.stream(StreamViewType::NewAndOldImages),
            _ => definition,
        })?;
    }
    let mut outcome = Outcome::default();
    let each = (task.items / PART / WRITERS as u64).clamp(10, WRITES);
    let mut number = 0;
    for round in 0..ROUNDS {
        let mut item = || {
            number += 1;
            dataset.item(dataset.fresh(number))
        };
        let mut list = || (0..each).map(|_| item()).collect();
        let items: Vec<Vec<EncodedItem>> = (0..WRITERS).map(|_| list()).collect();
        if round % 2 == 0 {
            turn(&mut outcome.engine, &engine, WITH, &items)?;
            turn(&mut outcome.raw, &engine, WITHOUT, &items)?;
        } else {
            turn(&mut outcome.raw, &engine, WITHOUT, &items)?;
            turn(&mut outcome.engine, &engine, WITH, &items)?;
        }
    }
    Ok(outcome)
}

fn turn(
    side: &mut Side,
    engine: &Engine,
    table: &str,
    items: &[Vec<EncodedItem>],
) -> Result<(), Failure> {
    let requests = items.iter().map(|list| {
        let puts = list.iter();
        let puts = puts.map(|item| PutItemInput::new(table, item.clone()));
        puts.collect()
    });
    side.round(requests.collect(), |request| {
        engine.put_item(request)?;
        Ok(())
    })
}
