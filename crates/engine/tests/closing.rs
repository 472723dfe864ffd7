//! What is left of an engine that is closed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{CreateTableInput, GetItemInput, PutItemInput, ScalarAttributeType as Type};
use monotable_engine::{Durability, Engine, EngineOptions, OpenError};
use monotable_item::Item;
use std::path::Path;

fn open(path: &Path, durability: Durability) -> Engine {
    EngineOptions::new()
        .durability(durability)
        .open(path)
        .unwrap()
}

fn put(engine: &Engine, number: i32) -> Result<(), monotable_api::Error> {
    let item = Item::new().with("pk", number);
    engine.put_item(PutItemInput::new("Items", item)).map(drop)
}

fn is_there(engine: &Engine, number: i32) -> bool {
    let key = Item::new().with("pk", number);
    let output = engine.get_item(GetItemInput::new("Items", key)).unwrap();
    output.item.is_some()
}

#[test]
fn a_closed_engine_writes_no_more_and_its_directory_is_free_with_the_last_clone() {
    for durability in [Durability::Sync, Durability::Relaxed] {
        let directory = tempfile::tempdir().unwrap();
        let engine = open(directory.path(), durability);
        engine
            .create_table(CreateTableInput::new("Items", "pk", Type::N))
            .unwrap();
        put(&engine, 1).unwrap();
        let assert_locked = || {
            let locked = Engine::open(directory.path());
            assert!(
                matches!(locked, Err(OpenError::Locked { .. })),
                "{locked:?}"
            );
        };
        assert_locked();

        let other = engine.clone();
        engine.close();
        let error = put(&other, 2).unwrap_err();
        assert_eq!(error.code(), "InternalServerError");
        engine.close();
        drop(engine);
        assert_locked();
        drop(other);

        let engine = open(directory.path(), durability);
        assert!(is_there(&engine, 1));
        assert!(!is_there(&engine, 2));
    }
}
