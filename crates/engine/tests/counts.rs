//! Item counts are kept in the background, and over a clean close.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    CreateTableInput, DescribeTableInput, GlobalSecondaryIndex, PutItemInput, ScalarAttributeType,
};
use monotable_engine::{Engine, EngineOptions};
use monotable_item::Item;
use std::time::Duration;

/// Items and bytes of the table, items of its index.
fn counts(engine: &Engine) -> (u64, u64, u64) {
    let described = engine.describe_table(DescribeTableInput::new("Counted"));
    let table = described.unwrap().table.unwrap();
    let indexes = table.global_secondary_indexes.unwrap();
    (
        table.item_count.unwrap(),
        table.table_size_bytes.unwrap(),
        indexes[0].item_count.unwrap(),
    )
}

/// Waits for the background to come around; a count that never comes fails the caller.
fn settled(engine: &Engine, expected: (u64, u64, u64)) {
    for _ in 0..600 {
        if counts(engine) == expected {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(counts(engine), expected);
}

#[test]
fn counts_catch_up_and_survive_a_clean_close() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(directory.path()).unwrap();
    let table = CreateTableInput::new("Counted", "pk", ScalarAttributeType::S)
        .attribute("g", ScalarAttributeType::S)
        .global_index(GlobalSecondaryIndex::new("byG", "g"));
    engine.create_table(table).unwrap();
    for number in 0..10 {
        // Ten bytes each: two names, two digits, five letters or none.
        let item = Item::new().with("pk", format!("{number:02}"));
        let item = match number % 2 {
            0 => item.with("g", "group"),
            _ => item,
        };
        engine.put_item(PutItemInput::new("Counted", item)).unwrap();
    }
    let expected = (10, 5 * 10 + 5 * 4, 5);
    settled(&engine, expected);
    drop(engine);

    let engine = Engine::open(directory.path()).unwrap();
    assert_eq!(counts(&engine), expected, "kept over the close");
    let item = Item::new().with("pk", "10").with("g", "group");
    engine.put_item(PutItemInput::new("Counted", item)).unwrap();
    settled(&engine, (11, 6 * 10 + 5 * 4, 6));
}

#[test]
fn a_table_of_several_slices_is_counted_with_pauses() {
    let engine = EngineOptions::new().without_threads().in_memory().unwrap();
    let table = CreateTableInput::new("Counted", "pk", ScalarAttributeType::S)
        .attribute("g", ScalarAttributeType::S)
        .global_index(GlobalSecondaryIndex::new("byG", "g"));
    engine.create_table(table).unwrap();
    for number in 0..9000 {
        let item = Item::new()
            .with("pk", format!("{number:04}"))
            .with("g", "1");
        engine.put_item(PutItemInput::new("Counted", item)).unwrap();
    }
    // 18,000 rows are five slices: one step counts one of them.
    engine.background_step().unwrap();
    engine.background_step().unwrap();
    assert_eq!(counts(&engine), (0, 0, 0));
    let expected = (9000, 9000 * 8, 9000);
    for _ in 0..600 {
        if counts(&engine) == expected {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
        engine.background_step().unwrap();
    }
    assert_eq!(counts(&engine), expected);
}
