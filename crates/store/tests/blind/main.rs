//! Updates that read nothing: one write on the condition that the row is as the model writes rows. Whatever else there is
//! is read, and is changed or refused as ever.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod dependent;
mod options;
mod unexpected_rows;
mod world;

use monotable_item::{AttributeValue, Item};
use monotable_store::Change;
use world::{World, ann, set, unset};

#[tokio::test]
async fn a_change_that_nothing_depends_on_is_one_request() {
    let world = World::new().await;
    let row = world.store.update("User", ann(), set("name", "Ann"));
    let row = row.await.unwrap();
    assert_eq!(world.sent(), ["UpdateItem"]);
    assert_eq!(row.text("name"), "Ann");
    assert_eq!(row.text("email"), "a@x");
    assert_eq!(row, world.store.get("User", ann()).await.unwrap());
}

#[tokio::test]
async fn the_item_is_what_an_update_that_reads_leaves() {
    let changes = [
        set("name", "Ann"),
        set("rank", AttributeValue::N(7.into())),
        set("tags", vec!["b".into(), "a".into(), "b".into()]),
        unset("name"),
        set("tags", AttributeValue::Null),
    ];
    let (blind, reading) = (World::new().await, World::new().await);
    for change in changes {
        let row = blind.store.update("User", ann(), change.clone());
        let row = row.await.unwrap();
        assert_eq!(blind.sent(), ["UpdateItem"], "{change:?}");
        let known = reading.store.update("User", ann(), change);
        let known = known.expecting("email", "a@x").await.unwrap();
        assert_eq!(reading.sent(), ["GetItem", "UpdateItem"]);
        let blind = blind.stored("USER#ann", "USER#ann").await.unwrap();
        let mut read = reading.stored("USER#ann", "USER#ann").await.unwrap();
        // The clocks of the two stores went on by themselves.
        let changed = blind.get("changedAt").cloned().unwrap();
        assert!(read.insert("changedAt", changed).is_some());
        assert_eq!(blind, read);
        assert_eq!(row.get("tags"), known.get("tags"));
        assert_eq!(row.get("name"), known.get("name"));
    }
}

#[tokio::test]
async fn the_time_of_the_write_is_noted() {
    let world = World::new().await;
    let before = world.store.get("User", ann()).await.unwrap();
    let store = world.store.clone().with_clock(|| 1_763_467_260_000_000);
    let row = store.update("User", ann(), set("name", "Ann"));
    let row = row.await.unwrap();
    assert_eq!(world.sent(), ["GetItem", "UpdateItem"]);
    assert_eq!(before.text("changedAt"), "2025-11-18T12:00:00.000Z");
    assert_eq!(row.text("changedAt"), "2025-11-18T12:01:00.000Z");
}

#[tokio::test]
async fn a_row_in_an_index_stays_there() {
    let world = World::new().await;
    let listed = Item::new().with("listedId", "l").with("state", "open");
    world.store.create("Listed", listed).await.unwrap();
    world.sent();
    let key = Item::new().with("listedId", "l");
    let row = world.store.update("Listed", key, set("name", "L"));
    row.await.unwrap();
    assert_eq!(world.sent(), ["UpdateItem"]);
    let item = world.stored("LISTED#l", "LISTED").await.unwrap();
    assert_eq!(item.get("GSI1PK"), Some(&"STATE#open".into()));
    assert_eq!(item.get("name"), Some(&"L".into()));
}

#[tokio::test]
async fn an_answer_that_was_lost_changes_nothing_twice() {
    let world = World::new().await;
    world.lose_next_answer();
    let row = world.store.update("User", ann(), set("name", "Ann"));
    assert_eq!(row.await.unwrap().text("name"), "Ann");
    assert_eq!(world.sent(), ["UpdateItem", "UpdateItem"]);
}

#[tokio::test]
async fn values_that_are_wrong_are_refused_as_ever() {
    let world = World::new().await;
    let wrong = Change {
        set: Item::new()
            .with("name", AttributeValue::N(1.into()))
            .with("rank", "none")
            .with("unknown", "x"),
        ..Change::default()
    };
    let error = world.store.update("User", ann(), wrong).await.unwrap_err();
    let text = error.to_string();
    for name in ["name", "rank", "unknown"] {
        assert!(text.contains(name), "{text}");
    }
    assert_eq!(world.sent(), ["GetItem"]);
    let error = world.store.update("User", ann(), unset("rank"));
    assert!(error.await.unwrap_err().to_string().contains("rank"));
    let missing = world.store.update("User", Item::new(), set("name", "x"));
    assert!(missing.await.unwrap_err().to_string().contains("userId"));
}
