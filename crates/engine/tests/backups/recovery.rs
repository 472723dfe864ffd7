//! Point-in-time recovery: switched on and off, and what can be restored.

use crate::{
    Contents, NOW, RESTORED, TABLE, await_table, clock, contents, load, options, order, put, stores,
};
use monotable_api::{
    DeleteItemInput, DescribeContinuousBackupsInput, Error, PointInTimeRecoveryDescription,
    PointInTimeRecoveryStatus, RestoreTableToPointInTimeInput, Timestamp, TransactPut,
    TransactWriteItemsInput, UpdateContinuousBackupsInput,
};
use monotable_engine::{Clock, Engine, EngineOptions};
use monotable_item::Item;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;

fn described(engine: &Engine) -> PointInTimeRecoveryDescription {
    let answer = engine.describe_continuous_backups(DescribeContinuousBackupsInput::new(TABLE));
    let description = answer.unwrap().continuous_backups_description.unwrap();
    description.point_in_time_recovery_description.unwrap()
}

fn enable(engine: &Engine) {
    engine
        .update_continuous_backups(UpdateContinuousBackupsInput::enable(TABLE))
        .unwrap();
}

fn restore_at(engine: &Engine, target: &str, time: u64) -> Result<Contents, Error> {
    let time = Timestamp::from_millis(time);
    engine
        .restore_table_to_point_in_time(RestoreTableToPointInTimeInput::at(TABLE, target, time))?;
    await_table(engine, target);
    Ok(contents(engine, target))
}

fn delete(engine: &Engine, number: u32) {
    let key = Item::new()
        .with("id", (number / 4).to_string())
        .with("part", number % 4);
    engine
        .delete_item(DeleteItemInput::new(TABLE, key))
        .unwrap();
}

#[test]
fn a_table_is_restored_as_it_was_at_each_time() {
    let clock = clock();
    let directory = tempfile::tempdir().unwrap();
    let engine = options(&clock).open(directory.path()).unwrap();
    load(&engine, 30);
    enable(&engine);
    let mut states = vec![(NOW, contents(&engine, TABLE))];
    for round in 1..6u32 {
        clock.advance(Duration::from_secs(60));
        put(&engine, order(30 + round));
        put(&engine, order(round).with("state", "CHANGED"));
        delete(&engine, round * 3);
        let time = NOW + u64::from(round) * 60_000;
        states.push((time, contents(&engine, TABLE)));
    }
    clock.advance(Duration::from_secs(60));
    for (at, (time, state)) in states.iter().enumerate() {
        // Nothing happens until the next minute.
        for (part, time) in [(0, *time), (1, time + 59_999)] {
            let target = format!("At{at}-{part}");
            assert_eq!(restore_at(&engine, &target, time).as_ref(), Ok(state));
        }
    }
    stores::assert_sound(&engine);
    drop(engine);
    let engine = options(&clock).open(directory.path()).unwrap();
    assert_eq!(
        restore_at(&engine, RESTORED, states[2].0).as_ref(),
        Ok(&states[2].1)
    );
    stores::assert_sound(&engine);
}

#[test]
fn times_outside_of_the_window_are_refused() {
    let clock = clock();
    let engine = options(&clock).in_memory().unwrap();
    load(&engine, 3);
    let latest = RestoreTableToPointInTimeInput::latest(TABLE, RESTORED);
    assert_eq!(
        engine
            .restore_table_to_point_in_time(latest.clone())
            .unwrap_err()
            .to_string(),
        "PointInTimeRecoveryUnavailableException: Point in time recovery is not enabled for table 'Orders'"
    );
    assert_eq!(
        described(&engine).point_in_time_recovery_status,
        Some(PointInTimeRecoveryStatus::Disabled)
    );
    enable(&engine);
    clock.advance(Duration::from_secs(10));
    let description = described(&engine);
    assert_eq!(description.recovery_period_in_days, Some(35));
    let millis = |time: Option<Timestamp>| time.unwrap().as_millis();
    assert_eq!(millis(description.earliest_restorable_date_time), NOW);
    assert_eq!(
        millis(description.latest_restorable_date_time),
        NOW + 10_000
    );
    for time in [0, NOW - 1, NOW + 10_001] {
        let error = restore_at(&engine, RESTORED, time).unwrap_err();
        assert_eq!(error.code(), "InvalidRestoreTimeException");
    }
    assert_eq!(
        restore_at(&engine, TABLE, NOW).unwrap_err().code(),
        "TableAlreadyExistsException"
    );
    restore_at(&engine, RESTORED, NOW).unwrap();
}

#[test]
fn the_log_goes_with_time_and_with_the_recovery() {
    let clock = clock();
    let engine = options(&clock).in_memory().unwrap();
    load(&engine, 3);
    let days = UpdateContinuousBackupsInput::enable(TABLE).days(2);
    engine.update_continuous_backups(days).unwrap();
    clock.advance(DAY);
    put(&engine, order(3));
    let then = contents(&engine, TABLE);
    clock.advance(DAY * 2);
    engine.background_step().unwrap();
    put(&engine, order(4));
    let earliest = described(&engine).earliest_restorable_date_time.unwrap();
    assert_eq!(earliest.as_millis(), NOW + DAY_MILLIS);
    assert!(restore_at(&engine, RESTORED, NOW).is_err());
    assert_eq!(
        restore_at(&engine, RESTORED, NOW + DAY_MILLIS).as_ref(),
        Ok(&then)
    );
    stores::assert_sound(&engine);

    // What was before is forgotten, and does not come back.
    let disable = UpdateContinuousBackupsInput::disable(TABLE);
    engine.update_continuous_backups(disable).unwrap();
    assert_eq!(described(&engine).earliest_restorable_date_time, None);
    put(&engine, order(5));
    clock.advance(Duration::from_secs(1));
    enable(&engine);
    let since = described(&engine).earliest_restorable_date_time.unwrap();
    assert_eq!(since.as_millis(), NOW + DAY_MILLIS * 3 + 1_000);
    engine.background_step().unwrap();
    stores::assert_sound(&engine);
}

/// A clock on which a millisecond passes whenever somebody looks at it.
struct HastyClock(AtomicU64);

impl Clock for HastyClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::SeqCst))
    }
}

#[test]
fn no_point_in_time_lies_between_two_writes_of_a_transaction() {
    let clock = Arc::new(HastyClock(AtomicU64::new(NOW)));
    let engine = EngineOptions::new()
        .clock(Arc::<HastyClock>::clone(&clock))
        .in_memory()
        .unwrap();
    load(&engine, 0);
    enable(&engine);
    let puts = (0..4).map(|number| TransactPut::new(TABLE, order(number)));
    // The transaction may have the very millisecond that the clock shows next.
    let before = clock.0.load(Ordering::SeqCst) - 1;
    engine
        .transact_write_items(TransactWriteItemsInput::new(puts))
        .unwrap();
    let after = clock.0.load(Ordering::SeqCst);
    let restored = (before..=after).map(|time| {
        let contents = restore_at(&engine, &format!("At{time}"), time).unwrap();
        contents.0[0].len()
    });
    let counts: BTreeSet<usize> = restored.collect();
    assert_eq!(counts, BTreeSet::from([0, 4]));
}
