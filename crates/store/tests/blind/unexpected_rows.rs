//! Rows that are not as the model writes them: they are read, and the change ends as one that reads first.

use crate::world::{World, ann, set};
use monotable_item::{AttributeValue, Item};
use monotable_store::ErrorKind;

/// The errors of an update that reads nothing at first, and of one that reads.
async fn errors(world: &World, key: Item) -> (String, String) {
    let blind = world.store.update("User", key.clone(), set("name", "x"));
    let blind = blind.await.unwrap_err();
    let reading = world.store.update("User", key, set("name", "x"));
    let reading = reading.expecting("email", "a@x").await.unwrap_err();
    assert_eq!(blind.kind(), reading.kind());
    (blind.to_string(), reading.to_string())
}

#[tokio::test]
async fn a_row_that_is_not_there_is_not_found_and_not_made() {
    let world = World::new().await;
    let bob = Item::new().with("userId", "bob");
    let (blind, reading) = errors(&world, bob).await;
    assert_eq!(blind, reading);
    assert_eq!(
        world.sent(),
        ["UpdateItem", "GetItem", "GetItem"],
        "nothing is written but by the first request, whose condition fails"
    );
    assert_eq!(world.stored("USER#bob", "USER#bob").await, None);
}

#[tokio::test]
async fn a_row_of_another_entity_at_the_key_is_not_found() {
    let world = World::new().await;
    world
        .put_user(|item| {
            item.insert("Type", "Other");
        })
        .await;
    let before = world.stored("USER#ann", "USER#ann").await;
    let (blind, reading) = errors(&world, ann()).await;
    assert_eq!(blind, reading);
    assert_eq!(world.stored("USER#ann", "USER#ann").await, before);
}

#[tokio::test]
async fn a_row_that_is_being_deleted_is_left_alone() {
    let world = World::new().await;
    world
        .put_user(|item| {
            item.insert("goneAt", "2025-11-18T12:00:00.000Z");
        })
        .await;
    let before = world.stored("USER#ann", "USER#ann").await;
    let (blind, reading) = errors(&world, ann()).await;
    assert_eq!(blind, reading);
    assert!(blind.contains("being deleted"), "{blind}");
    assert_eq!(world.stored("USER#ann", "USER#ann").await, before);
}

#[tokio::test]
async fn a_row_that_contradicts_its_key_is_refused() {
    let world = World::of_foreign_rows().await;
    world
        .put_user(|item| {
            item.insert("userId", "bob");
        })
        .await;
    let (blind, reading) = errors(&world, ann()).await;
    assert_eq!(blind, reading);
    assert!(blind.contains("contradicts"), "{blind}");
}

#[tokio::test]
async fn a_row_that_lacks_what_it_must_have_is_refused() {
    for nothing in [None, Some(AttributeValue::Null)] {
        let world = World::of_foreign_rows().await;
        world
            .put_user(|item| {
                item.remove("email");
                if let Some(nothing) = nothing {
                    item.insert("email", nothing);
                }
            })
            .await;
        let blind = world.store.update("User", ann(), set("name", "x"));
        let blind = blind.await.unwrap_err();
        assert_eq!(blind.kind(), ErrorKind::Validation);
        assert!(blind.to_string().contains("email"), "{blind}");
        let reading = world.store.update("User", ann(), set("name", "x"));
        let reading = reading.expecting("name", "Ann").await;
        assert_eq!(blind.to_string(), reading.unwrap_err().to_string());
    }
}

#[tokio::test]
async fn a_row_from_before_an_attribute_gets_its_default() {
    let world = World::new().await;
    world
        .put_user(|item| {
            item.remove("rank");
            item.remove("Type");
        })
        .await;
    let row = world.store.update("User", ann(), set("name", "Ann"));
    let row = row.await.unwrap();
    assert_eq!(row.get("rank"), Some(&AttributeValue::N(0.into())));
    assert_eq!(world.sent(), ["UpdateItem", "GetItem", "UpdateItem"]);
    let item = world.stored("USER#ann", "USER#ann").await.unwrap();
    assert_eq!(item.get("Type"), Some(&"User".into()));
    assert_eq!(item.get("rank"), Some(&AttributeValue::N(0.into())));
}

#[tokio::test]
async fn a_row_that_is_in_no_index_yet_is_put_there() {
    let world = World::new().await;
    let old = Item::new()
        .with("PK", "LISTED#l")
        .with("SK", "LISTED")
        .with("Type", "Listed")
        .with("listedId", "l")
        .with("state", "open");
    world.put(old).await;
    let key = Item::new().with("listedId", "l");
    let row = world.store.update("Listed", key, set("name", "L"));
    row.await.unwrap();
    let item = world.stored("LISTED#l", "LISTED").await.unwrap();
    assert_eq!(item.get("GSI1PK"), Some(&"STATE#open".into()));
    assert_eq!(item.get("GSI1SK"), Some(&"l".into()));
}

#[tokio::test]
async fn a_row_that_is_deleted_just_before_the_write_is_not_found() {
    let world = World::new().await;
    let key = crate::world::key("USER#ann", "USER#ann");
    world.before_write(move |engine| {
        let input = monotable_api::DeleteItemInput::new("Main", key);
        engine.delete_item(input).unwrap();
    });
    let error = world.store.update("User", ann(), set("name", "x"));
    let error = error.await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(world.stored("USER#ann", "USER#ann").await, None);
}

#[tokio::test]
async fn a_good_row_among_those_of_others_is_changed_by_one_request() {
    let world = World::of_foreign_rows().await;
    let row = world.store.update("User", ann(), set("name", "Bob"));
    assert_eq!(row.await.unwrap().text("name"), "Bob");
    assert_eq!(world.sent(), ["UpdateItem"]);
}
