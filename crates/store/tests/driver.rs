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
    AnyOperation, AnyOutput, CheckSecret, Create, Delivery, Driver, Errand, Error, ErrorKind, Get,
    Hashing, Host, NoEntropy, Options, Pause, Query, Reply, Report, Retry, Store,
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

/// A user of a family tree, whose password is hashed.
fn create_user() -> Create {
    Create {
        entity: "User".to_owned(),
        values: Item::new()
            .with("UserId", "ann")
            .with("Email", "ann@example.com")
            .with("PasswordHash", "correct horse"),
    }
}

fn check_password(text: &str) -> CheckSecret {
    CheckSecret {
        entity: "User".to_owned(),
        key: Item::new().with("UserId", "ann"),
        attribute: "PasswordHash".to_owned(),
        text: text.to_owned(),
    }
}

/// Runs an operation to its end; `hash` is what the host makes of texts. Gives what it ends with, and how many texts were hashed.
fn run_hashing(
    engine: &Arc<Engine>,
    operation: impl Into<AnyOperation>,
    hash: impl Fn(&Hashing) -> Delivery,
) -> (AnyOutput, usize) {
    let path = format!(
        "{}/../../models/yggdrasil/model.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let model = monotable_check::check(&std::fs::read_to_string(path).unwrap()).model;
    let store = Store::with_host(model.unwrap(), Arc::clone(engine), Arc::new(Still));
    set_up(&store);
    let mut driver = driver(&store, operation);
    let mut reply = driver.start();
    let mut hashed = 0;
    loop {
        match reply {
            Reply::Done(result) => return (result.unwrap(), hashed),
            Reply::Do(errands) => {
                let mut reports = Vec::new();
                for errand in errands {
                    let delivery = match (&errand.hash, errand.request) {
                        (Some(hashing), _) => {
                            hashed += 1;
                            hash(hashing)
                        }
                        (None, Some(request)) => Delivery::Answered(carry_out(engine, request)),
                        (None, None) => Delivery::Paused,
                    };
                    reports.extend(report(errand.id, delivery));
                }
                reply = driver.step(reports);
            }
        }
    }
}

/// A hash that is well formed, and not that of any text.
fn forge(hashing: &Hashing) -> Delivery {
    Delivery::Hashed(format!("{}{}", hashing.salt, ".".repeat(31)))
}

#[test]
fn a_host_hashes_and_the_store_where_it_does_not() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    // A host that gives the text back, or the hash of another salt, does not get it stored.
    let other = "$2b$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
    let wrong = |hashing: &Hashing| match hashing.text.len() % 2 {
        0 => Delivery::Hashed(other.to_owned()),
        _ => Delivery::Hashed(hashing.text.clone()),
    };
    let (_, hashed) = run_hashing(&engine, create_user(), wrong);
    assert_eq!(hashed, 1);
    let nothing = |_: &Hashing| Delivery::Paused;
    for (text, is_right) in [("correct horse", true), ("wrong horse", false)] {
        for hash in [&wrong as &dyn Fn(&Hashing) -> Delivery, &nothing] {
            let (checked, hashed) = run_hashing(&engine, check_password(text), hash);
            assert_eq!(hashed, 1);
            assert!(
                matches!(checked, AnyOutput::Flag(flag) if flag == is_right),
                "{text}"
            );
        }
    }
    // What the host makes with the right salt is believed.
    let (checked, _) = run_hashing(&engine, check_password("correct horse"), forge);
    assert!(matches!(checked, AnyOutput::Flag(false)));
    // Of a text that programs read differently the store makes the hash.
    let (_, hashed) = run_hashing(&engine, check_password("correct horse\0"), forge);
    assert_eq!(hashed, 0);
}

#[test]
fn what_a_host_has_hashed_is_stored() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let (_, hashed) = run_hashing(&engine, create_user(), forge);
    assert_eq!(hashed, 1);
    let (checked, _) = run_hashing(&engine, check_password("anything"), forge);
    assert!(matches!(checked, AnyOutput::Flag(true)));
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
