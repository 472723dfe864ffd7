//! ClientRequestToken: a transaction is carried out once, for ten minutes, also across a restart.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "support/stores.rs"]
mod stores;

use monotable_api::{
    CreateTableInput, Error, GetItemInput, ReturnConsumedCapacity, ScalarAttributeType as Type,
    TransactPut, TransactUpdate, TransactWriteItemsInput,
};
use monotable_engine::{Durability, Engine, EngineOptions, ManualClock};
use monotable_item::{AttributeValue, Item};
use std::path::Path;
use std::sync::{Arc, Barrier};
use std::time::Duration;

fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at(Duration::from_secs(1_700_000_000)))
}

fn open(path: &Path, clock: &Arc<ManualClock>, durability: Durability) -> Engine {
    let options = EngineOptions::new().durability(durability);
    options.clock(clock.clone()).open(path).unwrap()
}

fn create(engine: &Engine) {
    engine
        .create_table(CreateTableInput::new("Counters", "pk", Type::S))
        .unwrap();
}

fn key(name: &str) -> Item {
    Item::new().with("pk", name)
}

/// Adds to a counter.
fn add(by: i32) -> TransactWriteItemsInput {
    let update = TransactUpdate::new("Counters", key("c"), "ADD n :by").value(":by", by);
    TransactWriteItemsInput::new([update])
}

fn count(engine: &Engine) -> i64 {
    let output = engine
        .get_item(GetItemInput::new("Counters", key("c")))
        .unwrap();
    match output.item.map(|item| item.to_item()) {
        None => 0,
        Some(item) => match item.get("n") {
            Some(AttributeValue::N(number)) => number.to_string().parse().unwrap(),
            other => panic!("no count: {other:?}"),
        },
    }
}

#[test]
fn a_repeated_request_is_answered_but_not_carried_out() {
    let clock = clock();
    stores::on_each(
        || EngineOptions::new().clock(clock.clone()),
        |engine| {
            create(engine);
            for _ in 0..3 {
                engine.transact_write_items(add(1).token("once")).unwrap();
            }
            assert_eq!(count(engine), 1);
            engine.transact_write_items(add(1).token("twice")).unwrap();
            engine.transact_write_items(add(1)).unwrap();
            engine.transact_write_items(add(1)).unwrap();
            assert_eq!(
                count(engine),
                4,
                "other tokens and no token count each time"
            );
        },
    );
}

#[test]
fn another_request_with_the_token_is_refused() {
    let engine = Engine::in_memory().unwrap();
    create(&engine);
    engine.transact_write_items(add(1).token("t")).unwrap();
    let error = engine.transact_write_items(add(2).token("t")).unwrap_err();
    assert_eq!(error.code(), "IdempotentParameterMismatchException");
    assert!(
        error
            .message()
            .starts_with("The request uses the same client token as a previous, but"),
        "{}",
        error.message()
    );
    // What is only returned does not make it another request.
    let asking = TransactWriteItemsInput {
        return_consumed_capacity: Some(ReturnConsumedCapacity::Total.into()),
        ..add(1).token("t")
    };
    let output = engine.transact_write_items(asking).unwrap();
    let consumed = &output.consumed_capacity.unwrap()[0];
    assert_eq!(
        consumed.read_capacity_units,
        Some(2.0),
        "a repeated request only reads"
    );
    assert_eq!(consumed.write_capacity_units, None);
    assert_eq!(count(&engine), 1);
}

#[test]
fn a_token_counts_for_ten_minutes() {
    let clock = clock();
    let engine = EngineOptions::new()
        .clock(clock.clone())
        .in_memory()
        .unwrap();
    create(&engine);
    engine.transact_write_items(add(1).token("t")).unwrap();
    clock.advance(Duration::from_secs(599));
    engine.transact_write_items(add(1).token("t")).unwrap();
    assert_eq!(count(&engine), 1);
    // The repetition does not prolong it.
    clock.advance(Duration::from_secs(2));
    engine.transact_write_items(add(5).token("t")).unwrap();
    assert_eq!(count(&engine), 6);
    // From here on the token stands for the second request.
    let error = engine.transact_write_items(add(1).token("t")).unwrap_err();
    assert_eq!(error.code(), "IdempotentParameterMismatchException");
}

#[test]
fn a_token_outlives_the_engine() {
    for durability in [Durability::Sync, Durability::Relaxed] {
        let clock = clock();
        let directory = tempfile::tempdir().unwrap();
        let engine = open(directory.path(), &clock, durability);
        create(&engine);
        engine.transact_write_items(add(1).token("t")).unwrap();
        drop(engine);

        clock.advance(Duration::from_secs(300));
        let engine = open(directory.path(), &clock, durability);
        engine.transact_write_items(add(1).token("t")).unwrap();
        assert_eq!(count(&engine), 1);
        let error = engine.transact_write_items(add(2).token("t")).unwrap_err();
        assert_eq!(error.code(), "IdempotentParameterMismatchException");
        drop(engine);

        clock.advance(Duration::from_secs(301));
        let engine = open(directory.path(), &clock, durability);
        engine.transact_write_items(add(1).token("t")).unwrap();
        assert_eq!(count(&engine), 2);
        stores::assert_sound(&engine);
    }
}

#[test]
fn a_failed_transaction_leaves_its_token_free() {
    let engine = Engine::in_memory().unwrap();
    create(&engine);
    let put = TransactPut::new("Counters", key("c").with("n", 7));
    let guarded = TransactWriteItemsInput::new([put.condition("attribute_exists(pk)")]);
    let error = engine
        .transact_write_items(guarded.clone().token("t"))
        .unwrap_err();
    assert!(matches!(error, Error::TransactionCanceledException { .. }));
    engine.transact_write_items(add(1)).unwrap();
    engine.transact_write_items(guarded.token("t")).unwrap();
    assert_eq!(count(&engine), 7);
}

#[test]
fn requests_that_race_with_one_token_are_carried_out_once() {
    stores::on_each(EngineOptions::new, |engine| {
        create(engine);
        for round in 0..60 {
            let together = Barrier::new(4);
            std::thread::scope(|scope| {
                for _ in 0..4 {
                    let request = add(1).token(format!("round-{round}"));
                    scope.spawn(|| {
                        together.wait();
                        engine.transact_write_items(request).unwrap()
                    });
                }
            });
            assert_eq!(count(engine), round + 1);
        }
    });
}

#[test]
fn of_different_requests_that_race_with_one_token_one_is_carried_out() {
    stores::on_each(EngineOptions::new, |engine| {
        create(engine);
        for round in 0..60 {
            let together = Barrier::new(4);
            let done: usize = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4)
                    .map(|thread| {
                        // Items of their own: only the token connects the requests.
                        let item = key(&format!("{round}-{thread}"));
                        let put = TransactPut::new("Counters", item);
                        let request = TransactWriteItemsInput::new([put]);
                        let request = request.token(format!("round-{round}"));
                        let together = &together;
                        scope.spawn(move || {
                            together.wait();
                            match engine.transact_write_items(request) {
                                Ok(_) => 1,
                                Err(Error::IdempotentParameterMismatchException { .. }) => 0,
                                Err(other) => panic!("{other}"),
                            }
                        })
                    })
                    .collect();
                threads
                    .into_iter()
                    .map(|thread| thread.join().unwrap())
                    .sum()
            });
            assert_eq!(done, 1, "round {round}");
            assert_eq!(engine.verify().unwrap().items, round + 1);
        }
    });
}

#[test]
fn a_token_has_one_to_36_characters() {
    let engine = Engine::in_memory().unwrap();
    create(&engine);
    engine
        .transact_write_items(add(1).token("é".repeat(36)))
        .unwrap();
    for token in [String::new(), "x".repeat(37)] {
        let error = engine
            .transact_write_items(add(1).token(token))
            .unwrap_err();
        assert_eq!(error.code(), "ValidationException");
    }
    assert_eq!(count(&engine), 1);
}
