//! Concurrent writes and reads of one item, recorded and searched for an order that explains them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

#[path = "../support/block_on.rs"]
mod block_on;
#[path = "../support/cases.rs"]
mod cases;
mod checker;
#[path = "../support/stores.rs"]
mod stores;

use block_on::block_on;
use checker::{Call, is_linearizable};
use monotable_api::{
    CreateTableInput, DeleteItemInput, Dynamo, Error, GetItemInput, PutItemInput, Request,
    Response, ReturnValue, ScalarAttributeType as Type, TransactUpdate, TransactWriteItemsInput,
    UpdateItemInput,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

const THREADS: u64 = 4;
const CALLS: usize = 8;

/// The item: its version and a counter; none when it is not there.
type State = Option<(i64, i64)>;

/// What was asked, with what was answered.
#[derive(Clone, Debug)]
enum Operation {
    /// Put the next version if the item has this one (or is not there): whether it was put.
    Replace {
        expected: Option<i64>,
        count: i64,
        done: bool,
    },
    /// Add one, in an update or in a transaction; the update returns the item.
    Add {
        found: Option<(i64, i64)>,
    },
    /// Add one in a transaction, unless the counter is larger than this.
    AddUpTo {
        most: i64,
        done: bool,
    },
    Delete {
        old: State,
    },
    Read {
        found: State,
    },
}

/// What an item does: the specification.
fn step(state: &State, operation: &Operation) -> Option<State> {
    match operation {
        Operation::Replace {
            expected,
            count,
            done,
        } => {
            let holds = state.map(|(version, _)| version) == *expected;
            let next = Some((expected.map_or(0, |version| version + 1), *count));
            (holds == *done).then_some(if holds { next } else { *state })
        }
        Operation::Add { found } => {
            let (version, count) = state.unwrap_or((0, 0));
            let next = Some((version, count + 1));
            (*found == next).then_some(next)
        }
        Operation::AddUpTo { most, done } => {
            let holds = state.is_some_and(|(_, count)| count <= *most);
            let next = state.map(|(version, count)| (version, count + 1));
            (holds == *done).then_some(if holds { next } else { *state })
        }
        Operation::Delete { old } => (old == state).then_some(None),
        Operation::Read { found } => (found == state).then_some(*state),
    }
}

fn key() -> Item {
    Item::new().with("pk", "k")
}

fn state(item: Option<EncodedItem>) -> State {
    let item = item?.to_item();
    let number = |name: &str| match item.get(name) {
        Some(AttributeValue::N(number)) => number.to_string().parse().unwrap(),
        // Add makes an item without a version.
        None => 0,
        other => panic!("{other:?}"),
    };
    Some((number("version"), number("count")))
}

/// Whether a condition held.
fn held(result: Result<Response, Error>) -> bool {
    match result {
        Ok(_) => true,
        Err(
            Error::ConditionalCheckFailedException { .. }
            | Error::TransactionCanceledException { .. },
        ) => false,
        Err(other) => panic!("{other}"),
    }
}

/// Makes one call; `known` is the last version that this thread has seen.
fn perform(
    call: &impl Fn(Request) -> Result<Response, Error>,
    choice: u32,
    count: i64,
    known: &mut State,
) -> Operation {
    match choice {
        0..=2 => {
            let expected = known.map(|(version, _)| version);
            let next = expected.map_or(0, |version| version + 1);
            let put =
                PutItemInput::new("Register", key().with("version", next).with("count", count));
            let put = match expected {
                None => put.condition("attribute_not_exists(pk)"),
                // An item that Add made has no version, which stands for 0.
                Some(0) => put
                    .condition(
                        "version = :v OR (attribute_exists(pk) AND attribute_not_exists(version))",
                    )
                    .value(":v", 0),
                Some(version) => put.condition("version = :v").value(":v", version),
            };
            let done = held(call(put.into()));
            if done {
                *known = Some((next, count));
            }
            Operation::Replace {
                expected,
                count,
                done,
            }
        }
        3..=5 => {
            let update = UpdateItemInput::new("Register", key()).update("ADD #c :one");
            let update = update.name("#c", "count").value(":one", 1);
            let Ok(Response::UpdateItem(output)) =
                call(update.return_values(ReturnValue::AllNew).into())
            else {
                panic!("the update failed");
            };
            let found = state(output.attributes);
            *known = found;
            Operation::Add { found }
        }
        6..=7 => {
            let add = TransactUpdate::new("Register", key(), "ADD #c :one")
                .condition("#c <= :most")
                .name("#c", "count")
                .value(":one", 1)
                .value(":most", count);
            let done = held(call(TransactWriteItemsInput::new([add]).into()));
            Operation::AddUpTo { most: count, done }
        }
        8 => {
            let delete = DeleteItemInput {
                return_values: Some(ReturnValue::AllOld.into()),
                ..DeleteItemInput::new("Register", key())
            };
            let Ok(Response::DeleteItem(output)) = call(delete.into()) else {
                panic!("the delete failed");
            };
            *known = None;
            Operation::Delete {
                old: state(output.attributes),
            }
        }
        _ => {
            let get = GetItemInput {
                consistent_read: Some(true),
                ..GetItemInput::new("Register", key())
            };
            let Ok(Response::GetItem(output)) = call(get.into()) else {
                panic!("the read failed");
            };
            let found = state(output.item);
            *known = found;
            Operation::Read { found }
        }
    }
}

/// One history of all threads on a fresh item.
fn record(
    call: &(impl Fn(Request) -> Result<Response, Error> + Sync),
    seed: u64,
) -> Vec<Call<Operation>> {
    call(DeleteItemInput::new("Register", key()).into()).unwrap();
    let time = AtomicU64::new(0);
    let together = Barrier::new(THREADS as usize);
    thread::scope(|scope| {
        let (time, together) = (&time, &together);
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                scope.spawn(move || {
                    let mut random = fastrand::Rng::with_seed(seed * THREADS + thread);
                    let mut known = None;
                    together.wait();
                    let calls = (0..CALLS).map(|_| {
                        let start = time.fetch_add(1, Ordering::SeqCst);
                        let operation =
                            perform(call, random.u32(0..12), random.i64(0..20), &mut known);
                        let end = time.fetch_add(1, Ordering::SeqCst);
                        Call {
                            operation,
                            start,
                            end,
                        }
                    });
                    calls.collect::<Vec<_>>()
                })
            })
            .collect();
        let histories = threads.into_iter().map(|thread| thread.join().unwrap());
        histories.flatten().collect()
    })
}

fn check_histories(
    engine: &Engine,
    histories: u32,
    call: impl Fn(Request) -> Result<Response, Error> + Sync,
) {
    engine
        .create_table(CreateTableInput::new("Register", "pk", Type::S))
        .unwrap();
    for seed in 0..u64::from(histories) {
        let mut history = record(&call, seed);
        history.sort_by_key(|call| call.start);
        assert!(
            is_linearizable(None, &history, step),
            "seed {seed}: {history:#?}"
        );
    }
    stores::assert_sound(engine);
}

/// The blocking methods.
fn blocking(engine: &Engine) -> impl Fn(Request) -> Result<Response, Error> + Sync {
    |request| match request {
        Request::PutItem(input) => engine.put_item(input).map(Into::into),
        Request::UpdateItem(input) => engine.update_item(input).map(Into::into),
        Request::DeleteItem(input) => engine.delete_item(input).map(Into::into),
        Request::GetItem(input) => engine.get_item(input).map(Into::into),
        Request::TransactWriteItems(input) => engine.transact_write_items(input).map(Into::into),
        other => panic!("{other:?}"),
    }
}

#[test]
fn one_item_in_memory() {
    let engine = Engine::in_memory().unwrap();
    check_histories(&engine, cases::cases(300), blocking(&engine));
}

#[test]
fn one_item_on_disk() {
    let directory = tempfile::tempdir().unwrap();
    let engine = EngineOptions::new().open(directory.path()).unwrap();
    check_histories(&engine, cases::cases(25), blocking(&engine));
}

#[test]
fn one_item_by_the_async_trait() {
    let engine = Engine::in_memory().unwrap();
    check_histories(&engine, cases::cases(100), |request| {
        block_on(engine.call(request))
    });
}
