//! Attributes and entities of which something depends on what the row was: the row is read.

use crate::world::{World, ann, set};
use monotable_item::{AttributeValue, Item};
use monotable_store::{Change, ErrorKind};

#[tokio::test]
async fn a_unique_value_is_swapped() {
    let world = World::new().await;
    let row = world.store.update("User", ann(), set("email", "b@x"));
    row.await.unwrap();
    assert_eq!(world.sent(), ["GetItem", "TransactWriteItems"]);
    assert_eq!(world.stored("EMAIL#a@x", "EMAIL#a@x").await, None);
    assert!(world.stored("EMAIL#b@x", "EMAIL#b@x").await.is_some());
    // One attribute that needs the row is enough.
    let both = Change {
        set: Item::new().with("name", "Ann").with("email", "c@x"),
        ..Change::default()
    };
    world.store.update("User", ann(), both).await.unwrap();
    assert_eq!(world.sent(), ["GetItem", "TransactWriteItems"]);
}

#[tokio::test]
async fn sums_and_lists_are_made_of_what_was_there() {
    let world = World::new().await;
    let more = Change {
        add: Item::new().with("rank", AttributeValue::N(2.into())),
        append: Item::new().with("tags", "a"),
        ..Change::default()
    };
    for rank in [2, 4] {
        let row = world.store.update("User", ann(), more.clone());
        let row = row.await.unwrap();
        assert_eq!(row.get("rank"), Some(&AttributeValue::N(rank.into())));
        assert_eq!(world.sent(), ["GetItem", "UpdateItem"]);
    }
}

#[tokio::test]
async fn a_change_of_nothing_reads_the_row() {
    let world = World::new().await;
    let row = world.store.update("User", ann(), Change::default());
    assert_eq!(row.await.unwrap().text("email"), "a@x");
    assert_eq!(world.sent()[0], "GetItem");
    let bob = Item::new().with("userId", "bob");
    let error = world.store.update("User", bob, Change::default()).await;
    assert_eq!(error.unwrap_err().kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn the_key_of_an_index_follows() {
    let world = World::new().await;
    let listed = Item::new().with("listedId", "l").with("state", "open");
    world.store.create("Listed", listed).await.unwrap();
    world.sent();
    let key = Item::new().with("listedId", "l");
    let row = world.store.update("Listed", key, set("state", "done"));
    row.await.unwrap();
    assert_eq!(world.sent(), ["GetItem", "UpdateItem"]);
    let item = world.stored("LISTED#l", "LISTED").await.unwrap();
    assert_eq!(item.get("GSI1PK"), Some(&"STATE#done".into()));
}

#[tokio::test]
async fn rules_are_asked_of_the_whole_row() {
    let world = World::new().await;
    let number = |number: i64| AttributeValue::N(number.into());
    let ruled = Item::new()
        .with("ruledId", "r")
        .with("least", number(1))
        .with("most", number(2));
    world.store.create("Ruled", ruled).await.unwrap();
    let key = || Item::new().with("ruledId", "r");
    let update = world.store.update("Ruled", key(), set("least", number(3)));
    assert_eq!(update.await.unwrap_err().kind(), ErrorKind::Validation);
    world.sent();
    let update = world.store.update("Ruled", key(), set("name", "R"));
    update.await.unwrap();
    assert_eq!(world.sent(), ["GetItem", "UpdateItem"]);
}

#[tokio::test]
async fn a_row_with_a_tombstone_is_not_found() {
    let world = World::new().await;
    let buried = Item::new().with("buriedId", "b");
    world.store.create("Buried", buried.clone()).await.unwrap();
    world.store.delete("Buried", buried.clone()).await.unwrap();
    let update = world.store.update("Buried", buried, set("name", "x"));
    assert_eq!(update.await.unwrap_err().kind(), ErrorKind::NotFound);
    let item = world.stored("BURIED#b", "BURIED").await.unwrap();
    assert_eq!(item.get("name"), None);
}

#[tokio::test]
async fn a_row_of_an_old_version_is_stored_in_the_new_form() {
    let world = World::new().await;
    let old = Item::new()
        .with("PK", "GROWN#g")
        .with("SK", "GROWN")
        .with("Type", "Grown")
        .with("grownId", "g")
        .with("form", AttributeValue::N(1.into()));
    world.put(old).await;
    let key = Item::new().with("grownId", "g");
    let row = world.store.update("Grown", key, set("name", "G"));
    assert_eq!(row.await.unwrap().text("title"), "untitled");
    let item = world.stored("GROWN#g", "GROWN").await.unwrap();
    assert_eq!(item.get("form"), Some(&AttributeValue::N(2.into())));
    assert_eq!(item.get("title"), Some(&"untitled".into()));
}

#[tokio::test]
async fn a_row_under_the_key_of_an_old_layout_is_treated_as_ever() {
    let world = World::new().await;
    let old = Item::new()
        .with("PK", "LAYING#l")
        .with("SK", "LAYING")
        .with("Type", "Laid")
        .with("laidId", "l");
    world.put(old.clone()).await;
    let key = Item::new().with("laidId", "l");
    let update = world.store.update("Laid", key, set("name", "L"));
    assert_eq!(update.await.unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(world.sent(), ["GetItem"]);
    assert_eq!(world.stored("LAYING#l", "LAYING").await, Some(old));
    assert_eq!(world.stored("LAID#l", "LAID").await, None);
}
