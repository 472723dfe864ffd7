//! The driver with a host of the test's own: what is sent when, how often, and what reports mean.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{Dynamo, Error as ServiceError, Request, Response};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{
    AnyOperation, AnyOutput, Create, Delivery, Driver, Errand, Error, ErrorKind, Get, Host,
    NoEntropy, Options, Pause, Query, Reply, Report, Retry, Store,
};
use std::sync::Arc;
use std::time::Duration;

/// A clock that stands, chance that is always the same, and no timer.
#[derive(Debug)]
struct Still;

impl Host for Still {
    fn now_micros(&self) -> i64 {
        1_763_467_200_000_000
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        bytes.fill(0xff);
        Ok(())
    }

    fn sleep(&self, _: Duration) -> Pause<'_> {
        panic!("the host of a driver makes the pauses")
    }
}

const RETRY: Retry = Retry {
    attempts: 3,
    base: Duration::from_millis(10),
    cap: Duration::from_secs(1),
};

fn store(engine: &Arc<Engine>) -> Store {
    let path = format!(
        "{}/../../models/authorization/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let model = monotable_check::check(&std::fs::read_to_string(path).unwrap()).model;
    Store::with_host(model.unwrap(), Arc::clone(engine), Arc::new(Still))
}

type Outcome = Result<AnyOutput, Error>;

fn driver(store: &Store, operation: impl Into<AnyOperation>) -> Driver<Outcome> {
    let operation = operation.into();
    let store = store.clone().with_retry(RETRY);
    Driver::new(&store, |store| async move {
        store.run(operation, Options::default()).await
    })
}

fn get_user() -> Get {
    Get {
        entity: "User".to_owned(),
        key: Item::new().with("userId", "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    }
}

fn take_one(reply: Reply<Outcome>) -> Errand {
    let Reply::Do(mut errands) = reply else {
        panic!("{reply:?}");
    };
    assert_eq!(errands.len(), 1, "{errands:?}");
    errands.remove(0)
}

fn report(id: u64, delivery: Delivery) -> Vec<Report> {
    let unsure = false;
    vec![Report {
        id,
        delivery,
        unsure,
    }]
}

fn throttled() -> Delivery {
    Delivery::Answered(Err(ServiceError::ThrottlingException {
        message: "slow down".to_owned(),
    }))
}

#[test]
fn a_throttled_request_is_sent_again_after_growing_pauses_until_attempts_end() {
    let store = store(&Arc::new(Engine::in_memory().unwrap()));
    let mut driver = driver(&store, get_user());
    let first = take_one(driver.start());
    assert_eq!(first.after, Duration::ZERO);
    let second = take_one(driver.step(report(first.id, throttled())));
    assert_eq!(second.after, Duration::from_millis(20));
    assert_eq!(
        format!("{:?}", second.request),
        format!("{:?}", first.request)
    );
    let third = take_one(driver.step(report(second.id, throttled())));
    assert_eq!(third.after, Duration::from_millis(40));
    let Reply::Done(Err(error)) = driver.step(report(third.id, throttled())) else {
        panic!("three attempts are all there are");
    };
    assert_eq!(error.kind(), ErrorKind::Retryable);
}

#[test]
fn a_lost_answer_of_a_write_that_finds_its_own_row_is_a_success() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = store(&engine);
    set_up(&store);
    let mut driver = driver(
        &store,
        Create {
            entity: "Role".to_owned(),
            values: Item::new().with("scope", "global").with("name", "admin"),
        },
    );
    let mut reply = driver.start();
    let mut lost = false;
    let output = loop {
        match reply {
            Reply::Done(result) => break result.unwrap(),
            Reply::Do(errands) => {
                let errand = errands.into_iter().next().expect("an errand");
                let result = carry_out(&engine, errand.request.clone().unwrap());
                let is_write = !matches!(
                    errand.request,
                    Some(Request::GetItem(_) | Request::Query(_) | Request::BatchGetItem(_))
                );
                let delivery = if is_write && !lost {
                    lost = true;
                    Delivery::Lost("the line went dead".to_owned())
                } else {
                    Delivery::Answered(result)
                };
                reply = driver.step(report(errand.id, delivery));
            }
        }
    };
    assert!(lost, "a write was sent");
    assert!(matches!(output, AnyOutput::Row(row) if row.text("name") == "admin"));
}

#[test]
fn reports_that_nobody_waits_for_are_passed_over() {
    let store = store(&Arc::new(Engine::in_memory().unwrap()));
    let mut driver = driver(&store, get_user());
    let errand = take_one(driver.start());
    let Reply::Do(errands) = driver.step(report(errand.id + 7, throttled())) else {
        panic!("the errand is still under way");
    };
    assert!(errands.is_empty());
    let answer = Response::GetItem(monotable_api::GetItemOutput::default());
    let Reply::Done(Err(error)) = driver.step(report(errand.id, Delivery::Answered(Ok(answer))))
    else {
        panic!("there is no such user");
    };
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn an_errand_that_was_not_sent_counts_as_an_attempt_and_again_needs_no_pause() {
    let store = store(&Arc::new(Engine::in_memory().unwrap()));
    let mut driver = driver(&store, get_user());
    let first = take_one(driver.start());
    let again = take_one(driver.step(report(first.id, Delivery::Again)));
    assert_eq!(again.after, Duration::ZERO);
    let unsent = Delivery::Unsent("no route to host".to_owned());
    let third = take_one(driver.step(report(again.id, unsent)));
    assert!(third.after > Duration::ZERO);
    let unsent = Delivery::Unsent("no route to host".to_owned());
    assert!(matches!(
        driver.step(report(third.id, unsent)),
        Reply::Done(Err(_))
    ));
}

/// Answers of one round may come in any order, and each request is tried again for itself.
#[test]
fn requests_of_a_round_are_answered_in_any_order() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = store(&engine);
    set_up(&store);
    let query = Query {
        pattern: "effective_roles".to_owned(),
        parameters: Item::new()
            .with("tenantId", "01ARZ3NDEKTSV4RRFFQ69G5FAV")
            .with("userId", "01ARZ3NDEKTSV4RRFFQ69G5FAW"),
        ..Query::default()
    };
    let mut driver = driver(&store, query);
    let mut reply = driver.start();
    let mut waiting: Vec<Errand> = Vec::new();
    for turn in 0..20 {
        match reply {
            Reply::Done(result) => {
                assert!(matches!(result.unwrap(), AnyOutput::Page(page) if page.rows.is_empty()));
                return;
            }
            Reply::Do(errands) => {
                waiting.extend(errands);
                // The last one first; every third report is a refusal that may pass.
                let errand = waiting.pop().expect("something is under way");
                let delivery = if turn % 3 == 0 {
                    throttled()
                } else {
                    Delivery::Answered(carry_out(&engine, errand.request.unwrap()))
                };
                reply = driver.step(report(errand.id, delivery));
            }
        }
    }
    panic!("it never ends");
}

fn carry_out(engine: &Engine, request: Request) -> Result<Response, ServiceError> {
    block_on(engine.call(request))
}

fn set_up(store: &Store) {
    block_on(store.setup()).unwrap();
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap()
        .block_on(future)
}
