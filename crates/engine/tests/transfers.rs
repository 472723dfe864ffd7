//! Transfers between accounts while others look: money neither appears nor vanishes, and no reader ever
//! sees half a transfer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "support/block_on.rs"]
mod block_on;
#[path = "support/cases.rs"]
mod cases;
#[path = "support/stores.rs"]
mod stores;

use block_on::block_on;
use monotable_api::{
    BatchWriteItemInput, CancellationCode, CreateTableInput, Dynamo, Error, Get,
    GlobalSecondaryIndex, IndexProjection, LocalSecondaryIndex, QueryInput, Request, Response,
    ScalarAttributeType as Type, ScanInput, TransactGetItemsInput, TransactUpdate,
    TransactWriteItemsInput, WriteRequest,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::{AttributeValue, EncodedItem, Item};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const ACCOUNTS: i64 = 6;
const START: i64 = 40;
const WRITERS: u64 = 3;

fn key(account: i64) -> Item {
    Item::new().with("bank", "b").with("account", account)
}

/// Accounts in one partition, also found by their balance: every transfer moves index entries.
fn create(engine: &Engine) {
    let by_balance = LocalSecondaryIndex::new("by-balance", "bank", "balance");
    let rich = GlobalSecondaryIndex::new("balances", "bank").range("balance");
    let table = CreateTableInput::new("Accounts", "bank", Type::S)
        .range("account", Type::N)
        .attribute("balance", Type::N)
        .local_index(by_balance.projection(IndexProjection::keys_only()))
        .global_index(rich);
    engine.create_table(table).unwrap();
    let accounts =
        (0..ACCOUNTS).map(|account| WriteRequest::put(key(account).with("balance", START)));
    engine
        .batch_write_item(BatchWriteItemInput::new("Accounts", accounts))
        .unwrap();
}

fn transfer(from: i64, to: i64, amount: i64) -> TransactWriteItemsInput {
    let withdraw = TransactUpdate::new("Accounts", key(from), "SET balance = balance - :x")
        .condition("balance >= :x")
        .value(":x", amount);
    let deposit = TransactUpdate::new("Accounts", key(to), "ADD balance :x").value(":x", amount);
    TransactWriteItemsInput::new([withdraw, deposit])
}

fn balance(item: &EncodedItem) -> i64 {
    match item.to_item().get("balance") {
        Some(AttributeValue::N(number)) => number.to_string().parse().unwrap(),
        other => panic!("no balance: {other:?}"),
    }
}

#[track_caller]
fn assert_all_there<'a>(items: impl IntoIterator<Item = &'a EncodedItem>) {
    let balances: Vec<i64> = items.into_iter().map(balance).collect();
    assert_eq!(
        balances.iter().sum::<i64>(),
        ACCOUNTS * START,
        "{balances:?}"
    );
    assert!(balances.iter().all(|balance| *balance >= 0), "{balances:?}");
}

/// Reads all accounts in one of the ways that show one moment.
fn look(call: &impl Fn(Request) -> Result<Response, Error>, way: u64) {
    let query = || QueryInput::new("Accounts", "bank = :b").value(":b", "b");
    let request: Request = match way % 5 {
        0 => {
            let gets = (0..ACCOUNTS).map(|account| Get::new("Accounts", key(account)));
            TransactGetItemsInput::new(gets).into()
        }
        1 => query().consistent().into(),
        2 => query().index("by-balance").into(),
        3 => query().index("balances").backward().into(),
        _ => ScanInput::new("Accounts").consistent().into(),
    };
    match call(request).unwrap() {
        Response::TransactGetItems(output) => {
            let responses = output.responses.unwrap();
            assert_all_there(
                responses
                    .iter()
                    .filter_map(|response| response.item.as_ref()),
            );
        }
        Response::Query(output) => assert_all_there(&output.items.unwrap()),
        Response::Scan(output) => assert_all_there(&output.items.unwrap()),
        other => panic!("{other:?}"),
    }
}

/// Makes transfers; returns what each account gained.
fn make_transfers(
    call: &impl Fn(Request) -> Result<Response, Error>,
    seed: u64,
    count: u32,
) -> [i64; ACCOUNTS as usize] {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut gained = [0; ACCOUNTS as usize];
    for _ in 0..count {
        let from = random.i64(0..ACCOUNTS);
        let to = (from + random.i64(1..ACCOUNTS)) % ACCOUNTS;
        let amount = random.i64(1..START);
        match call(transfer(from, to, amount).into()) {
            Ok(_) => {
                gained[from as usize] -= amount;
                gained[to as usize] += amount;
            }
            Err(Error::TransactionCanceledException { reasons }) => {
                let codes: Vec<_> = reasons.iter().map(|reason| reason.code).collect();
                let expected = [
                    CancellationCode::ConditionalCheckFailed,
                    CancellationCode::None,
                ];
                assert_eq!(codes, expected);
            }
            Err(other) => panic!("{other}"),
        }
    }
    gained
}

fn run(engine: &Engine, call: impl Fn(Request) -> Result<Response, Error> + Sync) {
    create(engine);
    let count = cases::cases(150);
    let busy = AtomicUsize::new(WRITERS as usize);
    let gained = thread::scope(|scope| {
        let (call, busy) = (&call, &busy);
        let writers: Vec<_> = (0..WRITERS)
            .map(|seed| {
                scope.spawn(move || {
                    let gained = make_transfers(call, seed, count);
                    busy.fetch_sub(1, Ordering::SeqCst);
                    gained
                })
            })
            .collect();
        for reader in 0..2 {
            scope.spawn(move || {
                let mut way = reader;
                while busy.load(Ordering::SeqCst) > 0 {
                    look(call, way);
                    way += 1;
                }
            });
        }
        let gained = writers.into_iter().map(|writer| writer.join().unwrap());
        gained.collect::<Vec<_>>()
    });
    (0..5).for_each(|way| look(&call, way));
    // Exactly the transfers that were answered with success were made.
    let page = engine.scan(ScanInput::new("Accounts")).unwrap();
    for item in page.items.unwrap() {
        let account = item.to_item().get("account").cloned();
        let found = (0..ACCOUNTS).find(|number| Some(AttributeValue::from(*number)) == account);
        let number = found.unwrap() as usize;
        let gain: i64 = gained.iter().map(|gained| gained[number]).sum();
        assert_eq!(balance(&item), START + gain, "account {number}");
    }
    stores::assert_sound(engine);
}

/// The blocking methods.
fn blocking(engine: &Engine) -> impl Fn(Request) -> Result<Response, Error> + Sync {
    |request| match request {
        Request::TransactWriteItems(input) => engine.transact_write_items(input).map(Into::into),
        Request::TransactGetItems(input) => engine.transact_get_items(input).map(Into::into),
        Request::Query(input) => engine.query(input).map(Into::into),
        Request::Scan(input) => engine.scan(input).map(Into::into),
        other => panic!("{other:?}"),
    }
}

#[test]
fn transfers_by_the_blocking_methods() {
    stores::on_each(EngineOptions::new, |engine| run(engine, blocking(engine)));
}

#[test]
fn transfers_by_the_async_trait() {
    stores::on_each(EngineOptions::new, |engine| {
        run(engine, |request| block_on(engine.call(request)));
    });
}
