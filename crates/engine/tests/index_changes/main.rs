//! Indexes that are added to a table and removed from it while it is used.
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
mod gate;
mod refusals;
#[path = "../support/stores.rs"]
mod stores;
mod storm;
mod unfit_items;

use monotable_api::{
    AttributeDefinition, CreateTableInput, DescribeTableInput, Error, GlobalSecondaryIndex,
    GlobalSecondaryIndexDescription, GlobalSecondaryIndexUpdate, IndexStatus, PutItemInput,
    QueryInput, ScalarAttributeType, ScanInput, UpdateTableInput,
};
use monotable_engine::{Durability, Engine, EngineOptions};
use monotable_item::{EncodedItem, Item};
use std::thread;
use std::time::Duration;

pub const TABLE: &str = "Orders";
pub const INDEX: &str = "byState";

pub fn table() -> CreateTableInput {
    CreateTableInput::new(TABLE, "id", ScalarAttributeType::S)
}

/// Adds the index by `state` and `n`.
pub fn addition() -> UpdateTableInput {
    let index = GlobalSecondaryIndex::new(INDEX, "state").range("n");
    UpdateTableInput {
        attribute_definitions: Some(vec![
            AttributeDefinition::new("state", ScalarAttributeType::S),
            AttributeDefinition::new("n", ScalarAttributeType::N),
        ]),
        ..change(GlobalSecondaryIndexUpdate::create(index))
    }
}

pub fn change(update: GlobalSecondaryIndexUpdate) -> UpdateTableInput {
    UpdateTableInput {
        table_name: Some(TABLE.to_owned()),
        global_secondary_index_updates: Some(vec![update]),
        ..UpdateTableInput::default()
    }
}

pub fn removal() -> UpdateTableInput {
    change(GlobalSecondaryIndexUpdate::delete(INDEX))
}

pub fn order(number: u32) -> Item {
    let state = ["PLACED", "PAID", "SHIPPED"][number as usize % 3];
    Item::new()
        .with("id", number.to_string())
        .with("state", state)
        .with("n", number)
}

pub fn put(engine: &Engine, item: Item) -> Result<(), Error> {
    engine.put_item(PutItemInput::new(TABLE, item)).map(drop)
}

/// The index as it is described; none if there is none.
pub fn described(engine: &Engine) -> Option<GlobalSecondaryIndexDescription> {
    let table = engine.describe_table(DescribeTableInput::new(TABLE));
    let indexes = table.unwrap().table.unwrap().global_secondary_indexes;
    indexes.unwrap_or_default().into_iter().next()
}

/// Waits until the index has this status; none until it is gone.
pub fn await_status(engine: &Engine, status: Option<IndexStatus>) {
    for _ in 0..6_000 {
        if described(engine).and_then(|index| index.index_status) == status {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("{:?}", described(engine));
}

/// Waits until the index is described with this many items.
fn await_count(engine: &Engine, items: u64) {
    for _ in 0..6_000 {
        if described(engine).unwrap().item_count == Some(items) {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    panic!("{:?}", described(engine));
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

/// The index has exactly the items of the table that have a text as state and a number as n.
pub fn assert_index_is_the_tables(engine: &Engine) {
    use monotable_item::AttributeValue::{N, S};
    let fits = |item: &Item| matches!((item.get("state"), item.get("n")), (Some(S(text)), Some(N(_))) if !text.is_empty());
    let mut expected = scan(engine, ScanInput::new(TABLE));
    expected.retain(fits);
    assert_eq!(scan(engine, ScanInput::new(TABLE).index(INDEX)), expected);
    stores::assert_sound(engine);
}

#[test]
fn an_index_gets_the_items_that_are_there() {
    stores::on_each(EngineOptions::new, |engine| {
        engine.create_table(table()).unwrap();
        for number in 0..50 {
            put(engine, order(number)).unwrap();
        }
        let answer = engine.update_table(addition()).unwrap();
        let answer = answer.table_description.unwrap();
        let index = &answer.global_secondary_indexes.unwrap()[0];
        assert_eq!(index.index_status, Some(IndexStatus::Creating));
        assert_eq!(index.backfilling, Some(false));
        assert_eq!(answer.attribute_definitions.unwrap().len(), 3);
        await_status(engine, Some(IndexStatus::Active));
        assert_eq!(described(engine).unwrap().backfilling, None);
        let query = QueryInput::new(TABLE, "#s = :paid AND n < :n")
            .index(INDEX)
            .name("#s", "state")
            .value(":paid", "PAID")
            .value(":n", 10);
        assert_eq!(engine.query(query).unwrap().count, 3);
        await_count(engine, 50);
        put(engine, order(51)).unwrap();
        assert_index_is_the_tables(engine);

        engine.update_table(removal()).unwrap();
        await_status(engine, None);
        let gone = engine.scan(ScanInput::new(TABLE).index(INDEX)).unwrap_err();
        assert!(
            gone.message()
                .starts_with("The table does not have the specified index")
        );
        stores::assert_sound(engine);
        assert_eq!(engine.verify().unwrap().entries, 0);
        // Another one of the same name begins from nothing.
        engine.update_table(addition()).unwrap();
        await_status(engine, Some(IndexStatus::Active));
        assert_index_is_the_tables(engine);
    });
}

#[test]
fn filling_and_removing_go_on_after_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let open = || {
        let options = EngineOptions::new().durability(Durability::Relaxed);
        options.open(directory.path()).unwrap()
    };
    let engine = open();
    engine.create_table(table()).unwrap();
    for number in 0..4_000 {
        put(&engine, order(number)).unwrap();
    }
    engine.update_table(addition()).unwrap();
    drop(engine);
    let engine = open();
    put(&engine, order(4_001)).unwrap();
    stores::assert_sound(&engine);
    await_status(&engine, Some(IndexStatus::Active));
    assert_index_is_the_tables(&engine);
    engine.update_table(removal()).unwrap();
    drop(engine);
    let engine = open();
    stores::assert_sound(&engine);
    await_status(&engine, None);
    assert_eq!(engine.verify().unwrap().entries, 0);
    stores::assert_sound(&engine);
}
