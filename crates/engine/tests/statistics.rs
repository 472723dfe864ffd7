//! What an engine tells a monitoring system.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{CreateTableInput, PutItemInput, ScalarAttributeType};
use monotable_engine::Engine;
use monotable_item::Item;

fn fill(engine: &Engine) {
    let table = CreateTableInput::new("Songs", "pk", ScalarAttributeType::S);
    engine.create_table(table).unwrap();
    for number in 0..10 {
        let item = Item::new().with("pk", format!("{number}"));
        engine.put_item(PutItemInput::new("Songs", item)).unwrap();
    }
}

#[test]
fn groups_and_requests_add_up() {
    let engine = Engine::in_memory().unwrap();
    fill(&engine);
    let statistics = engine.statistics().unwrap();
    // One caller that waits for each answer: a table and ten items.
    assert_eq!(statistics.groups, 11);
    assert_eq!(statistics.grouped_requests, 11);
    assert_eq!(statistics.group_sizes[0], (1, 11));
    assert_eq!(statistics.disk_bytes, None);
    let names = statistics.tables.iter().map(|table| table.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["Songs"]);
}

#[test]
fn a_store_on_disk_says_how_large_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let engine = Engine::open(directory.path()).unwrap();
    fill(&engine);
    assert!(engine.statistics().unwrap().disk_bytes.unwrap() > 0);
}
