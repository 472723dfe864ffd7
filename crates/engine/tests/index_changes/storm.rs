//! An index that is added while everything is being written equals the one that is worked out afterwards.

use crate::{
    INDEX, TABLE, addition, assert_index_is_the_tables, await_status, cases, described, put,
    removal, scan, table,
};
use monotable_api::{
    DeleteItemInput, IndexStatus, ScanInput, StreamViewType, TransactPut, TransactWriteItemsInput,
    UpdateItemInput,
};
use monotable_engine::{Durability, Engine, EngineOptions};
use monotable_item::{Item, Number};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Items that the writers fight about, and items that nobody touches.
const HOT: u32 = 60;
const COLD: u32 = 3_000;

fn random_item(dice: &mut fastrand::Rng) -> Item {
    let id = dice.u32(0..HOT);
    let item = Item::new().with("id", format!("hot{id}"));
    let item = match dice.u8(0..4) {
        0 => item,
        _ => item.with("state", ["A", "B", "C"][dice.usize(0..3)]),
    };
    match dice.u8(0..4) {
        0 => item,
        _ => item.with("n", Number::from(u64::from(dice.u32(0..5)))),
    }
}

fn key(dice: &mut fastrand::Rng) -> Item {
    Item::new().with("id", format!("hot{}", dice.u32(0..HOT)))
}

/// One write of any kind.
fn write(engine: &Engine, dice: &mut fastrand::Rng) {
    match dice.u8(0..6) {
        0 | 1 => put(engine, random_item(dice)).unwrap(),
        2 => {
            let delete = DeleteItemInput::new(TABLE, key(dice));
            engine.delete_item(delete).unwrap();
        }
        3 => {
            let update = UpdateItemInput::new(TABLE, key(dice)).update("SET #s = :s ADD n :one");
            let update = update.name("#s", "state").value(":one", 1);
            engine.update_item(update.value(":s", "A")).unwrap();
        }
        4 => {
            let update = UpdateItemInput::new(TABLE, key(dice)).update("REMOVE #s");
            engine.update_item(update.name("#s", "state")).unwrap();
        }
        _ => {
            let (first, second) = (random_item(dice), random_item(dice));
            if first.get("id") != second.get("id") {
                let puts = [first, second].map(|item| TransactPut::new(TABLE, item));
                let transaction = TransactWriteItemsInput::new(puts);
                engine.transact_write_items(transaction).unwrap();
            }
        }
    }
}

fn storm(engine: &Engine, seed: u64) {
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for writer in 0..3 {
            let (done, mut dice) = (&done, fastrand::Rng::with_seed(seed << 8 | writer));
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    write(engine, &mut dice);
                }
            });
        }
        let mut dice = fastrand::Rng::with_seed(seed);
        for round in 0..2 {
            engine.update_table(addition()).unwrap();
            // Now and then it is removed before it is full.
            if round == 0 && dice.bool() {
                thread::sleep(std::time::Duration::from_millis(dice.u64(0..20)));
                engine.update_table(removal()).unwrap();
                await_status(engine, None);
                continue;
            }
            await_status(engine, Some(IndexStatus::Active));
            if round == 0 {
                engine.update_table(removal()).unwrap();
                await_status(engine, None);
            }
        }
        done.store(true, Ordering::Relaxed);
    });
    assert!(described(engine).is_some());
    assert_index_is_the_tables(engine);
    let in_index = scan(engine, ScanInput::new(TABLE).index(INDEX)).len();
    assert!(in_index >= COLD as usize, "{in_index}");
}

fn load(engine: &Engine, seed: u64) {
    // A stream reads each item before it is written, and so takes another path.
    let table = match seed % 2 {
        0 => table(),
        _ => table().stream(StreamViewType::KeysOnly),
    };
    engine.create_table(table).unwrap();
    for number in 0..COLD {
        let item = crate::order(number).with("id", format!("cold{number}"));
        put(engine, item).unwrap();
    }
}

#[test]
fn in_memory() {
    for seed in 0..u64::from(cases::cases(6)) {
        let engine = EngineOptions::new().in_memory().unwrap();
        load(&engine, seed);
        storm(&engine, seed);
    }
}

#[test]
fn on_disk() {
    for seed in 0..u64::from(cases::cases(3)) {
        let directory = tempfile::tempdir().unwrap();
        let options = EngineOptions::new().durability(Durability::Relaxed);
        let engine = options.open(directory.path()).unwrap();
        load(&engine, seed);
        storm(&engine, seed);
    }
}
