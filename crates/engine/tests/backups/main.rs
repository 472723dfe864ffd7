//! Backups and recovery: tables as they were.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

#[path = "../support/cases.rs"]
mod cases;
mod crashes;
mod gate;
mod lifecycle;
mod overrides;
mod recovery;
#[path = "../support/stores.rs"]
mod stores;
mod storm;
mod system_backups;

use monotable_api::{
    BackupStatus, CreateBackupInput, CreateTableInput, DescribeBackupInput, DescribeTableInput,
    Error, GlobalSecondaryIndex, LocalSecondaryIndex, PutItemInput, RestoreTableFromBackupInput,
    ScalarAttributeType, ScanInput, TableStatus,
};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::{EncodedItem, Item};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub const TABLE: &str = "Orders";
pub const RESTORED: &str = "Restored";
pub const GLOBAL: &str = "byState";
pub const LOCAL: &str = "byN";
pub const NOW: u64 = 1_763_467_200_500;

pub fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at(Duration::from_millis(NOW)))
}

pub fn options(clock: &Arc<ManualClock>) -> EngineOptions {
    EngineOptions::new().clock(Arc::<ManualClock>::clone(clock))
}

/// A table with both kinds of indexes.
pub fn table() -> CreateTableInput {
    CreateTableInput::new(TABLE, "id", ScalarAttributeType::S)
        .range("part", ScalarAttributeType::N)
        .attribute("state", ScalarAttributeType::S)
        .attribute("n", ScalarAttributeType::N)
        .global_index(GlobalSecondaryIndex::new(GLOBAL, "state"))
        .local_index(LocalSecondaryIndex::new(LOCAL, "id", "n"))
}

pub fn order(number: u32) -> Item {
    let state = ["PLACED", "PAID", "SHIPPED"][number as usize % 3];
    Item::new()
        .with("id", (number / 4).to_string())
        .with("part", number % 4)
        .with("state", state)
        .with("n", number)
}

pub fn put(engine: &Engine, item: Item) {
    engine.put_item(PutItemInput::new(TABLE, item)).unwrap();
}

pub fn load(engine: &Engine, items: u32) {
    engine.create_table(table()).unwrap();
    for number in 0..items {
        put(engine, order(number));
    }
}

/// Asks until the answer is some.
pub fn until<T>(ask: impl Fn() -> Option<T>) -> T {
    for _ in 0..6_000 {
        if let Some(answer) = ask() {
            return answer;
        }
        thread::sleep(Duration::from_millis(5));
    }
    panic!("it never came");
}

pub fn status(engine: &Engine, table: &str) -> Option<TableStatus> {
    let described = engine.describe_table(DescribeTableInput::new(table));
    described.ok()?.table?.table_status
}

pub fn await_table(engine: &Engine, table: &str) {
    until(|| (status(engine, table) == Some(TableStatus::Active)).then_some(()));
}

pub fn backup_status(engine: &Engine, arn: &str) -> Result<BackupStatus, Error> {
    let described = engine.describe_backup(DescribeBackupInput::new(arn))?;
    let details = described.backup_description.unwrap().backup_details;
    Ok(details.unwrap().backup_status.unwrap())
}

/// Asks for a backup; gives its ARN.
pub fn begin_backup(engine: &Engine, name: &str) -> String {
    let answer = engine.create_backup(CreateBackupInput::new(TABLE, name));
    let details = answer.unwrap().backup_details.unwrap();
    assert_eq!(details.backup_status, Some(BackupStatus::Creating));
    details.backup_arn.unwrap()
}

pub fn await_backup(engine: &Engine, arn: &str) {
    until(|| (backup_status(engine, arn) == Ok(BackupStatus::Available)).then_some(()));
}

pub fn restore(engine: &Engine, arn: &str, target: &str) {
    engine
        .restore_table_from_backup(RestoreTableFromBackupInput::new(target, arn))
        .unwrap();
    await_table(engine, target);
}

pub fn scan(engine: &Engine, input: ScanInput) -> Vec<Item> {
    let mut items = Vec::new();
    let mut start: Option<EncodedItem> = None;
    loop {
        let page = match start.take() {
            Some(start) => input.clone().start_after(start),
            None => input.clone(),
        };
        let page = engine.scan(page).unwrap();
        items.extend(page.items.iter().flatten().map(EncodedItem::to_item));
        match page.last_evaluated_key {
            Some(last) => start = Some(last),
            None => break,
        }
    }
    items.sort_by_cached_key(|item| format!("{item:?}"));
    items
}

/// The items of a table, and of its indexes.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents(pub Vec<Vec<Item>>);

pub fn contents(engine: &Engine, table: &str) -> Contents {
    let index = |index: &str| scan(engine, ScanInput::new(table).index(index));
    Contents(vec![
        scan(engine, ScanInput::new(table)),
        index(GLOBAL),
        index(LOCAL),
    ])
}
