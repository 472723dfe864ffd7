//! Moves and items of several rows keep the guards and counters that any other write keeps.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{Change, ErrorKind, Store};

const SHELVES: &str = r##"
monotable = 1
model     = "shelves"

[type]
id = "text, matches = /[a-z0-9]{1,20}/"

[table.Shelves]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Shelf]
is  = { Type = "Shelf" }
key = ["SHELF#{shelfId}", "SHELF"]
id  = "shelfId"

[entity.Shelf.attributes]
shelfId = "id"
books   = "integer(0..), default = 0"

[entity.Book]
is  = { Type = "Book" }
key = ["SHELF#{shelfId}", "BOOK#{bookId}"]

[entity.Book.attributes]
shelfId = "-> Shelf, counted = books, on_delete = cascade, movable"
bookId  = "id"

[move.put_elsewhere]
of      = "Book"
changes = ["shelfId"]

[entity.Label]
is   = { Type = "Label" }
key  = ["LABELS#{noteId}", "LABEL#{index:03}"]
each = ["label in labels"]

[entity.Label.attributes]
noteId = "id"
labels = "[id](0..10)"
label  = "id"
index  = "integer(0..999), position = labels, key_only"

[entity.Label.unique.label]
key = "UNIQUE_LABEL#{label}"

[access.books]
key     = ["SHELF#{shelfId}", "BOOK#*"]
returns = ["Book"]

[access.labels]
key     = ["LABELS#{noteId}"]
returns = ["Label"]
"##;

async fn store() -> Store {
    let read = monotable_model::read(SHELVES);
    let model = read
        .model
        .unwrap_or_else(|| panic!("{:?}", read.diagnostics));
    let store = Store::new(model, Engine::in_memory().unwrap());
    store.setup().await.unwrap();
    store
}

async fn books(store: &Store, shelf: &str) -> AttributeValue {
    let shelf = Item::new().with("shelfId", shelf);
    let shelf = store.get("Shelf", shelf).await.unwrap();
    shelf.values.get("books").unwrap().clone()
}

#[tokio::test]
async fn a_move_of_a_counted_row_keeps_both_counters_right() {
    let store = store().await;
    for shelf in ["a", "b"] {
        let shelf = Item::new().with("shelfId", shelf);
        store.create("Shelf", shelf).await.unwrap();
    }
    let book = |shelf: &str| Item::new().with("shelfId", shelf).with("bookId", "x");
    store.create("Book", book("a")).await.unwrap();
    let elsewhere = Item::new().with("shelfId", "b");
    let moved = store.move_row("put_elsewhere", book("a"), elsewhere);
    moved.await.unwrap();
    assert_eq!(books(&store, "a").await, 0.into());
    assert_eq!(books(&store, "b").await, 1.into());
    store.delete("Book", book("b")).await.unwrap();
    assert_eq!(books(&store, "b").await, 0.into());
    let found = store.verify().await.unwrap().violations;
    assert!(found.is_empty(), "{found:?}");
}

#[tokio::test]
async fn an_update_of_an_item_of_several_rows_swaps_its_guard() {
    let store = store().await;
    let labels = |labels: &[&str]| {
        let labels = labels.iter().map(|label| AttributeValue::from(*label));
        Item::new().with("labels", AttributeValue::L(labels.collect()))
    };
    let item = |id: &str, given: &[&str]| labels(given).with("noteId", id);
    store
        .create("Label", item("n1", &["red", "blue"]))
        .await
        .unwrap();
    store.create("Label", item("n2", &["green"])).await.unwrap();
    let key = Item::new().with("noteId", "n2");
    let change = |given: &[&str]| Change {
        set: labels(given),
        ..Change::default()
    };
    let taken = store
        .update("Label", key.clone(), change(&["white", "red"]))
        .await;
    assert_eq!(taken.unwrap_err().kind(), ErrorKind::Conflict);
    store
        .update("Label", key, change(&["white"]))
        .await
        .unwrap();
    // The value that was given up is free, and the one that was taken is not.
    store.create("Label", item("n3", &["green"])).await.unwrap();
    let taken = store.create("Label", item("n4", &["white"])).await;
    assert_eq!(taken.unwrap_err().kind(), ErrorKind::Conflict);
    let found = store.verify().await.unwrap().violations;
    assert!(found.is_empty(), "{found:?}");
}

#[tokio::test]
async fn elements_that_are_alike_share_their_guard_and_are_no_duplicates() {
    let store = store().await;
    let labels = ["a", "b", "a"].map(AttributeValue::from);
    let note = Item::new()
        .with("noteId", "n1")
        .with("labels", AttributeValue::L(labels.to_vec()));
    store.create("Label", note).await.unwrap();
    let verified = store.verify().await.unwrap();
    assert!(verified.violations.is_empty(), "{:?}", verified.violations);
}
