//! What callers see of commits that do not end: injected stalls, no times.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "support/stores.rs"]
mod stores;

use monotable_api::{CreateTableInput, Error, GetItemInput, PutItemInput, ScalarAttributeType};
use monotable_engine::{CommitStage, Engine, EngineOptions, Statistics};
use monotable_item::Item;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long a test waits for what must come. A test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(5);
/// Longer than an ordinary commit takes on a busy machine: those must not be refused.
const LIMIT: Duration = Duration::from_secs(2);
const NEVER: Duration = Duration::from_secs(24 * 3600);

/// Holds up commits at one stage, while it is shut.
#[derive(Clone)]
struct Gate {
    stage: CommitStage,
    shut: Arc<(Mutex<bool>, Condvar)>,
}

impl Gate {
    fn new(stage: CommitStage) -> Self {
        let shut = Arc::default();
        Self { stage, shut }
    }

    fn set_shut(&self, shut: bool) {
        *self.shut.0.lock().unwrap() = shut;
        self.shut.1.notify_all();
    }

    fn options(&self, limit: Duration) -> EngineOptions {
        let gate = self.clone();
        let hold_up = move |stage| {
            let (shut, changed) = &*gate.shut;
            if stage == gate.stage {
                let shut = shut.lock().unwrap();
                let passed = changed.wait_timeout_while(shut, PATIENCE, |shut| *shut);
                assert!(!passed.unwrap().1.timed_out(), "the gate was never opened");
            }
        };
        EngineOptions::new()
            .stall_notice(SHORT)
            .stall_limit(limit)
            .stalls(Arc::new(hold_up))
    }
}

fn prepare(engine: &Engine) {
    let table = CreateTableInput::new("Items", "pk", ScalarAttributeType::N);
    engine.create_table(table).unwrap();
    put(engine, 0).unwrap();
}

fn put(engine: &Engine, number: i32) -> Result<(), Error> {
    let item = Item::new().with("pk", number);
    engine.put_item(PutItemInput::new("Items", item)).map(drop)
}

fn is_there(engine: &Engine, number: i32) -> bool {
    let key = Item::new().with("pk", number);
    let output = engine.get_item(GetItemInput::new("Items", key)).unwrap();
    output.item.is_some()
}

fn await_that(done: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !done() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    true
}

fn statistics(engine: &Engine) -> Statistics {
    engine.statistics().unwrap()
}

#[test]
fn a_write_that_waits_too_long_is_refused_and_not_written() {
    let gate = Gate::new(CommitStage::Waiting);
    stores::on_each(
        || gate.options(LIMIT),
        |engine| {
            prepare(engine);
            gate.set_shut(true);
            for number in [1, 2] {
                let error = put(engine, number).unwrap_err();
                assert_eq!(error.code(), "InternalServerError");
                let text = error.to_string();
                assert!(text.contains("has taken no write for"), "{text}");
                assert!(
                    text.contains("Nothing of this request was written"),
                    "{text}"
                );
            }
            assert!(is_there(engine, 0), "reads go on");
            assert!(statistics(engine).refused_writes >= 2);
            assert!(statistics(engine).stalls >= 1);
            gate.set_shut(false);
            assert!(await_that(|| put(engine, 3).is_ok()));
            assert!(!is_there(engine, 1) && !is_there(engine, 2) && is_there(engine, 3));
            stores::assert_sound(engine);
        },
    );
}

#[test]
fn a_write_that_the_store_does_not_end_is_answered_and_may_be_there_later() {
    let gate = Gate::new(CommitStage::Writing);
    stores::on_each(
        || gate.options(LIMIT),
        |engine| {
            prepare(engine);
            gate.set_shut(true);
            let text = put(engine, 1).unwrap_err().to_string();
            assert!(text.contains("may be written or not"), "{text}");
            // Behind it in the queue: that one is sure not to be written.
            let text = put(engine, 2).unwrap_err().to_string();
            assert!(
                text.contains("Nothing of this request was written"),
                "{text}"
            );
            assert!(is_there(engine, 0), "reads go on");
            assert!(!is_there(engine, 1), "what is not committed is not visible");
            gate.set_shut(false);
            assert!(await_that(|| is_there(engine, 1)));
            assert!(await_that(|| put(engine, 3).is_ok()));
            assert!(!is_there(engine, 2) && is_there(engine, 3));
            stores::assert_sound(engine);
        },
    );
}

#[test]
fn a_stall_that_ends_in_time_is_counted_and_refuses_nothing() {
    for stage in [CommitStage::Waiting, CommitStage::Writing] {
        let gate = Gate::new(stage);
        stores::on_each(
            || gate.options(NEVER),
            |engine| {
                prepare(engine);
                // A slow machine may have been reported before.
                let stalls = statistics(engine).stalls;
                gate.set_shut(true);
                thread::scope(|scope| {
                    let writes = [1, 2, 3].map(|number| scope.spawn(move || put(engine, number)));
                    assert!(await_that(|| statistics(engine).stalls > stalls));
                    gate.set_shut(false);
                    for write in writes {
                        write.join().unwrap().unwrap();
                    }
                });
                assert!([1, 2, 3].into_iter().all(|number| is_there(engine, number)));
                assert_eq!(statistics(engine).refused_writes, 0);
                assert!(statistics(engine).longest_commit >= SHORT);
            },
        );
    }
}

#[test]
fn an_engine_that_is_closed_while_writes_are_refused_closes_when_the_store_goes_on() {
    let gate = Gate::new(CommitStage::Writing);
    let directory = tempfile::tempdir().unwrap();
    let engine = gate.options(LIMIT).open(directory.path()).unwrap();
    prepare(&engine);
    gate.set_shut(true);
    put(&engine, 1).unwrap_err();
    thread::scope(|scope| {
        let closing = scope.spawn(|| engine.close());
        // Writes are refused for as long as the queue is open, and then because it is closed.
        assert!(await_that(|| put(&engine, 2).is_err()));
        gate.set_shut(false);
        closing.join().unwrap();
    });
    drop(engine);
    let engine = Engine::open(directory.path()).unwrap();
    assert!(is_there(&engine, 1));
    assert!(!is_there(&engine, 2));
}
