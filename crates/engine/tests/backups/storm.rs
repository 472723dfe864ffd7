//! While everything is being written, a restored backup is the table when it was asked for, and a table that is restored to a
//! point in time is the table at that time.
//!
//! One thread writes items of its own and knows what the table must hold of them at each moment. Others write pairs of items
//! in transactions: the two of a pair are the same in every state.

use crate::{
    Contents, NOW, TABLE, await_backup, await_table, begin_backup, cases, clock, contents, options,
    restore, stores, table,
};
use monotable_api::{
    DeleteItemInput, PutItemInput, RestoreTableToPointInTimeInput, Timestamp, TransactPut,
    TransactWriteItemsInput, UpdateContinuousBackupsInput, UpdateItemInput,
};
use monotable_engine::{Durability, Engine, ManualClock};
use monotable_item::{AttributeValue, Item, Number};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const OWN: u32 = 40;
const PAIRS: u32 = 20;
const MOMENTS: u64 = 6;

/// The items of the one thread, by their keys.
type Model = BTreeMap<u32, Item>;

fn own_key(number: u32) -> Item {
    Item::new()
        .with("id", format!("own{}", number / 3))
        .with("part", number % 3)
}

fn write_own(engine: &Engine, dice: &mut fastrand::Rng, model: &mut Model) {
    let number = dice.u32(0..OWN);
    let key = own_key(number);
    match dice.u8(0..4) {
        0 => {
            engine
                .delete_item(DeleteItemInput::new(TABLE, key))
                .unwrap();
            model.remove(&number);
        }
        1 => {
            let n = Number::from(u64::from(dice.u32(0..9)));
            let update = UpdateItemInput::new(TABLE, key.clone()).update("SET n = :n");
            engine.update_item(update.value(":n", n)).unwrap();
            let item = model.entry(number).or_insert(key);
            *item = item.clone().with("n", n);
        }
        _ => {
            let state = ["A", "B", "C"][dice.usize(0..3)];
            let item = key.with("state", state).with("n", dice.u32(0..9));
            engine
                .put_item(PutItemInput::new(TABLE, item.clone()))
                .unwrap();
            model.insert(number, item);
        }
    }
}

fn write_pair(engine: &Engine, dice: &mut fastrand::Rng) {
    let (pair, n) = (dice.u32(0..PAIRS), dice.u32(..));
    let puts = [0, 1].map(|part| {
        let id = format!("pair{pair}");
        let item = Item::new().with("id", id).with("part", part).with("n", n);
        TransactPut::new(TABLE, item)
    });
    let transaction = TransactWriteItemsInput::new(puts);
    engine.transact_write_items(transaction).unwrap();
}

fn id(item: &Item) -> &str {
    match item.get("id") {
        Some(AttributeValue::S(id)) => id,
        other => panic!("{other:?}"),
    }
}

fn assert_state(contents: &Contents, model: &Model, what: &str) {
    let (own, pairs): (Vec<&Item>, Vec<&Item>) = contents.0[0]
        .iter()
        .partition(|item| id(item).starts_with("own"));
    let mut expected: Vec<&Item> = model.values().collect();
    expected.sort_by_cached_key(|item| format!("{item:?}"));
    assert_eq!(own, expected, "{what}");
    let mut values: BTreeMap<&str, Vec<Option<&AttributeValue>>> = BTreeMap::new();
    for item in pairs {
        values.entry(id(item)).or_default().push(item.get("n"));
    }
    for (pair, values) in values {
        assert_eq!(values.len(), 2, "{what}, {pair}");
        assert_eq!(values[0], values[1], "{what}, {pair}");
    }
}

/// Ends the other writers, also when an assertion has failed.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A millisecond in which a backup and a restore of the latest state were asked for.
struct Moment {
    time: Timestamp,
    /// What the table held of the thread's own items when they were.
    requested: Model,
    /// What it held of them at the end of the millisecond.
    ended: Model,
    backup: String,
    latest: String,
}

fn storm(engine: &Engine, clock: &ManualClock, seed: u64) {
    engine.create_table(table()).unwrap();
    let enable = UpdateContinuousBackupsInput::enable(TABLE);
    engine.update_continuous_backups(enable).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for writer in 0..2 {
            let (done, mut dice) = (&done, fastrand::Rng::with_seed(seed << 8 | writer));
            scope.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    write_pair(engine, &mut dice);
                }
            });
        }
        let _stop = Stop(&done);
        let mut dice = fastrand::Rng::with_seed(seed);
        let mut model = Model::new();
        let mut moments = Vec::new();
        for moment in 0..MOMENTS {
            for _ in 0..dice.u32(0..60) {
                write_own(engine, &mut dice, &mut model);
            }
            let backup = begin_backup(engine, "moment");
            let latest = format!("Latest{moment}");
            engine
                .restore_table_to_point_in_time(RestoreTableToPointInTimeInput::latest(
                    TABLE, &latest,
                ))
                .unwrap();
            let requested = model.clone();
            // Writes of the same millisecond are part of the time, but neither of the backup nor of the latest state.
            for _ in 0..20 {
                write_own(engine, &mut dice, &mut model);
            }
            moments.push(Moment {
                time: Timestamp::from_millis(NOW + moment),
                requested,
                ended: model.clone(),
                backup,
                latest,
            });
            clock.advance(Duration::from_millis(1));
        }
        for _ in 0..50 {
            write_own(engine, &mut dice, &mut model);
        }
        for (at, moment) in moments.iter().enumerate() {
            let backup = format!("Backup{at}");
            await_backup(engine, &moment.backup);
            restore(engine, &moment.backup, &backup);
            assert_state(&contents(engine, &backup), &moment.requested, "backup");
            await_table(engine, &moment.latest);
            let latest = contents(engine, &moment.latest);
            assert_state(&latest, &moment.requested, "latest");
            let target = format!("Time{at}");
            let input = RestoreTableToPointInTimeInput::at(TABLE, &target, moment.time);
            engine.restore_table_to_point_in_time(input).unwrap();
            await_table(engine, &target);
            assert_state(&contents(engine, &target), &moment.ended, "time");
        }
    });
    stores::assert_sound(engine);
}

#[test]
fn in_memory() {
    for seed in 0..u64::from(cases::cases(4)) {
        let clock = clock();
        let engine = options(&clock).in_memory().unwrap();
        storm(&engine, &clock, seed);
    }
}

#[test]
fn on_disk() {
    for seed in 0..u64::from(cases::cases(2)) {
        let clock = clock();
        let directory = tempfile::tempdir().unwrap();
        let options = options(&clock).durability(Durability::Relaxed);
        let engine = options.open(directory.path()).unwrap();
        storm(&engine, &clock, seed);
    }
}
