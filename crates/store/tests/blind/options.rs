//! Options of a call: what needs the row reads it.

use crate::world::{World, ann, set};
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, ErrorKind, Update};

#[tokio::test]
async fn what_is_expected_of_a_row_is_read() {
    let world = World::new().await;
    let update = || world.store.update("User", ann(), set("name", "Ann"));
    let error = update().expecting("name", "Bob").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Conflict);
    assert_eq!(world.sent(), ["GetItem"]);
    update()
        .expecting("name", AttributeValue::Null)
        .await
        .unwrap();
    assert_eq!(world.sent(), ["GetItem", "UpdateItem"]);
}

#[tokio::test]
async fn a_token_notes_the_answer_with_the_change() {
    let world = World::new().await;
    let update = |name: &str| {
        let update = world.store.update("User", ann(), set("name", name));
        update.token("t1")
    };
    update("Ann").await.unwrap();
    let sent = world.sent();
    assert!(sent.contains(&"TransactWriteItems"), "{sent:?}");
    world
        .store
        .update("User", ann(), set("name", "Later"))
        .await
        .unwrap();
    world.sent();
    let again = update("Ann").await.unwrap();
    assert_eq!(again.text("name"), "Later");
    assert!(!world.sent().contains(&"UpdateItem"));
    let other = update("Other").await.unwrap_err();
    assert_eq!(other.kind(), ErrorKind::Conflict);
}

#[tokio::test]
async fn a_dry_run_writes_nothing_and_says_what_would_be() {
    let world = World::new().await;
    let before = world.stored("USER#ann", "USER#ann").await;
    let row = world.store.update("User", ann(), set("name", "Ann"));
    let row = row.dry_run().await.unwrap();
    assert_eq!(row.text("name"), "Ann");
    assert_eq!(world.stored("USER#ann", "USER#ann").await, before);
    assert!(!world.sent().contains(&"UpdateItem"));
    let bob = Item::new().with("userId", "bob");
    let error = world.store.update("User", bob, set("name", "x"));
    let error = error.dry_run().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn an_explanation_shows_the_one_write() {
    let world = World::new().await;
    let before = world.stored("USER#ann", "USER#ann").await;
    let explanation = world.store.update("User", ann(), set("name", "Ann"));
    let explanation = explanation.explain().await;
    let names = explanation.requests.iter();
    let names: Vec<_> = names.map(|one| one.operation.to_string()).collect();
    assert_eq!(names, ["UpdateItem"]);
    assert_eq!(explanation.total(), (0.0, 1.0));
    let row = match explanation.outcome {
        Ok(monotable_store::AnyOutput::Row(row)) => row,
        other => panic!("{other:?}"),
    };
    assert_eq!(row.text("name"), "Ann");
    assert_eq!(row.text("email"), "a@x");
    assert_eq!(world.stored("USER#ann", "USER#ann").await, before);
    assert!(!world.sent().contains(&"UpdateItem"));
}

#[tokio::test]
async fn an_explanation_of_a_row_that_is_not_there_ends_as_the_update_would() {
    let world = World::new().await;
    let bob = Item::new().with("userId", "bob");
    let explanation = world.store.update("User", bob, set("name", "x"));
    let explanation = explanation.explain().await;
    let names = explanation.requests.iter();
    let names: Vec<_> = names.map(|one| one.operation.to_string()).collect();
    assert_eq!(names, ["UpdateItem", "GetItem"]);
    assert_eq!(explanation.outcome.unwrap_err().kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn changes_of_a_transaction_are_made_of_rows_that_were_read() {
    let world = World::new().await;
    let update = |name: &str| -> AnyOperation {
        Update {
            entity: "User".to_owned(),
            key: ann(),
            change: set("name", name),
        }
        .into()
    };
    let rows = world.store.transact(vec![update("one"), update("two")]);
    let rows = rows.await.unwrap();
    assert_eq!(rows[1].text("name"), "two");
    let sent = world.sent();
    assert!(sent.contains(&"GetItem"), "{sent:?}");
    assert_eq!(
        world.store.get("User", ann()).await.unwrap().text("name"),
        "two"
    );
}

#[tokio::test]
async fn rights_of_a_caller_are_asked_of_the_row() {
    let world = World::new().await;
    let owned = Item::new().with("ownedId", "o").with("owner", "ann");
    world.store.create("Owned", owned).await.unwrap();
    world.sent();
    let key = || Item::new().with("ownedId", "o");
    let bob = world.store.as_principal(Item::new().with("userId", "bob"));
    let error = bob.update("Owned", key(), set("name", "x")).await;
    assert_eq!(error.unwrap_err().kind(), ErrorKind::Forbidden);
    assert_eq!(world.sent(), ["GetItem"]);
    let ann = world.store.as_principal(Item::new().with("userId", "ann"));
    ann.update("Owned", key(), set("name", "x")).await.unwrap();
    assert_eq!(world.sent(), ["GetItem", "UpdateItem"]);
    // Of the program nothing is asked.
    let update = world.store.update("Owned", key(), set("name", "y"));
    update.await.unwrap();
    assert_eq!(world.sent(), ["UpdateItem"]);
}
