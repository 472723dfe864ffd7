//! Rows that go, change or move because of another row.

use super::{comment, comment_key, kind, note, note_key, notes, user};
use monotable_item::Item;
use monotable_store::{AnyOperation, Delete, ErrorKind, Failure};

fn like(note: &str, by: &str) -> Item {
    Item::new().with("noteId", note).with("likedBy", by)
}

#[tokio::test]
async fn a_cascade_asks_the_right_to_every_row_that_goes() {
    let store = notes().await;
    let ann = user(&store, "ann");
    ann.create("Note", note("n", "ann")).await.unwrap();
    ann.create("Comment", comment("n", "mine", "ann"))
        .await
        .unwrap();
    let bob = user(&store, "bob");
    bob.create("Comment", comment("n", "his", "bob"))
        .await
        .unwrap();
    let refused = ann.delete("Note", note_key("n")).await.unwrap_err();
    let Failure::Forbidden { entity, action } = refused.failure() else {
        panic!("{refused}");
    };
    assert_eq!((entity.as_str(), *action), ("Comment", "delete"));
    // The entity's name, and nothing else of a row that Ann may not see.
    let told = refused.to_string();
    assert!(!told.contains("his") && !told.contains("bob"), "{told}");
    let page = store.query("note_with_all", note_key("n")).await.unwrap();
    assert_eq!(page.rows.len(), 3);
    bob.delete("Comment", comment_key("n", "his"))
        .await
        .unwrap();
    ann.delete("Note", note_key("n")).await.unwrap();
    assert!(store.verify().await.unwrap().violations.is_empty());
}

#[tokio::test]
async fn a_delete_inside_a_transaction_asks_about_what_goes_with_it() {
    let store = notes().await;
    store.create("Note", note("n", "ann")).await.unwrap();
    store
        .create("Comment", comment("n", "his", "bob"))
        .await
        .unwrap();
    let delete = AnyOperation::Delete(Delete {
        entity: "Note".to_owned(),
        key: note_key("n"),
    });
    let refused = user(&store, "ann").transact(vec![delete]).await;
    assert_eq!(kind(refused), ErrorKind::Forbidden);
}

#[tokio::test]
async fn a_declared_rule_decides_what_goes_with_a_row() {
    let store = notes().await;
    let ann = user(&store, "ann");
    ann.create("Note", note("n", "ann")).await.unwrap();
    for reader in ["bob", "eve"] {
        let own = user(&store, reader);
        own.create("Like", like("n", reader)).await.unwrap();
    }
    // Ann may not delete a like by itself, nor even see it; with her note she may.
    assert_eq!(
        kind(ann.delete("Like", like("n", "bob")).await),
        ErrorKind::NotFound
    );
    ann.delete("Note", note_key("n")).await.unwrap();
    let page = store.query("note_with_all", note_key("n")).await.unwrap();
    assert!(page.rows.is_empty(), "{page:?}");
}

#[tokio::test]
async fn a_reference_is_cleared_only_in_rows_that_the_caller_may_change() {
    let store = notes().await;
    let ann = user(&store, "ann");
    let pin = |by: &str| {
        let pin = Item::new().with("pinId", "p").with("pinnedBy", by);
        pin.with("noteId", "n")
    };
    ann.create("Note", note("n", "ann")).await.unwrap();
    ann.create("Pin", pin("ann")).await.unwrap();
    let bob = user(&store, "bob");
    bob.create("Pin", pin("bob")).await.unwrap();
    assert_eq!(
        kind(ann.delete("Note", note_key("n")).await),
        ErrorKind::Forbidden
    );
    // A delete that is refused has not begun.
    ann.get("Note", note_key("n")).await.unwrap();
    let bobs = Item::new().with("pinId", "p").with("pinnedBy", "bob");
    bob.delete("Pin", bobs).await.unwrap();
    ann.delete("Note", note_key("n")).await.unwrap();
    let mine = Item::new().with("pinnedBy", "ann");
    let pins = ann.query("pins", mine).await.unwrap();
    assert_eq!(pins.rows[0].get("noteId"), None);
}

#[tokio::test]
async fn what_a_move_carries_is_found_and_asked() {
    let store = notes().await;
    let ann = user(&store, "ann");
    let shelf = Item::new().with("owner", "ann").with("shelfId", "s");
    let book = |id: &str, reader: &str| {
        let book = shelf.clone().with("bookId", id);
        book.with("reader", reader)
    };
    ann.create("Shelf", shelf.clone()).await.unwrap();
    store.create("Book", book("1", "ann")).await.unwrap();
    let to_eve = Item::new().with("owner", "eve");
    let moved = ann
        .move_row("hand_over", shelf.clone(), to_eve.clone())
        .await;
    moved.unwrap();
    // A book that the owner of the shelf may not see is neither left behind nor carried against its rule.
    let eve = user(&store, "eve");
    let of_eve = Item::new().with("owner", "eve").with("shelfId", "s");
    let hers = of_eve.clone().with("bookId", "2").with("reader", "bob");
    store.create("Book", hers).await.unwrap();
    let to_ann = Item::new().with("owner", "ann");
    let refused = eve.move_row("hand_over", of_eve.clone(), to_ann).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Forbidden);
    assert!(refused.to_string().starts_with("Book"), "{refused}");
    let page = store.query("shelf", of_eve).await.unwrap();
    assert_eq!(page.rows.len(), 3);
}
