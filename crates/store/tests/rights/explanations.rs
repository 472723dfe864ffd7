//! Explanations show a caller its own values and the model's words.

use super::{comment, note, note_key, notes, user};
use monotable_item::Item;
use monotable_store::{AnyOperation, Delete, Explanation, Options, Store, Update};

async fn explain_delete(store: &Store, id: &str) -> Explanation {
    let operation = AnyOperation::Delete(Delete {
        entity: "Note".to_owned(),
        key: note_key(id),
    });
    store.explain(operation, Options::default()).await
}

#[tokio::test]
async fn keys_of_rows_that_the_caller_may_not_see_are_places() {
    let store = notes().await;
    store.create("Note", note("mine", "ann")).await.unwrap();
    for reader in ["hidden-bob", "hidden-eve"] {
        let like = Item::new().with("noteId", "mine").with("likedBy", reader);
        store.create("Like", like).await.unwrap();
    }
    let shown = explain_delete(&user(&store, "ann"), "mine").await;
    assert!(shown.outcome.is_ok(), "{shown}");
    let text = shown.to_string();
    assert!(!text.contains("hidden"), "{text}");
    assert!(text.contains("LIKE#<read 3: likedBy>"), "{text}");
    assert!(text.contains(r#""PK":{"S":"NOTE#mine"}"#), "{text}");
    // The program sees its own table.
    let program = explain_delete(&store, "mine").await.to_string();
    assert!(program.contains("LIKE#hidden-bob"), "{program}");
}

#[tokio::test]
async fn what_is_refused_shows_nothing_of_what_was_read() {
    let store = notes().await;
    let hidden = note("note-7", "hidden-owner").with("state", "closed");
    store.create("Note", hidden).await.unwrap();
    let said = comment("note-7", "hidden-comment", "hidden-author");
    store
        .create("Comment", said.with("body", "hidden body"))
        .await
        .unwrap();
    let eve = user(&store, "eve");
    let text = explain_delete(&eve, "note-7").await.to_string();
    assert!(!text.contains("hidden"), "{text}");
    assert!(text.contains("NotFound"), "{text}");
    let query = AnyOperation::Query(monotable_store::Query {
        pattern: "note_with_all".to_owned(),
        parameters: note_key("note-7"),
        ..monotable_store::Query::default()
    });
    let text = eve.explain(query, Options::default()).await.to_string();
    assert!(!text.contains("hidden"), "{text}");
    assert!(text.contains("NOTE#note-7"), "{text}");
}

#[tokio::test]
async fn a_change_shows_what_the_caller_changes() {
    let store = notes().await;
    store.create("Note", note("n", "ann")).await.unwrap();
    let operation = AnyOperation::Update(Update {
        entity: "Note".to_owned(),
        key: note_key("n"),
        change: monotable_store::Change {
            set: Item::new().with("state", "closed"),
            ..monotable_store::Change::default()
        },
    });
    let ann = user(&store, "ann");
    let text = ann.explain(operation, Options::default()).await.to_string();
    assert!(text.contains(r#"{"S":"closed"}"#), "{text}");
    assert!(text.contains(r#"{"S":"ann"}"#), "{text}");
}

#[tokio::test]
async fn a_refused_call_is_explained_alike_whether_there_is_a_row_or_not() {
    let store = notes().await;
    let large = comment("hidden", "c", "bob").with("body", "x".repeat(20_000));
    store.create("Note", note("hidden", "bob")).await.unwrap();
    store.create("Comment", large).await.unwrap();
    let ann = user(&store, "ann");
    let explain = async |id: &str| {
        let shown = explain_delete(&ann, id).await.to_string();
        shown.replace(id, "ID")
    };
    assert_eq!(explain("hidden").await, explain("absent").await);
}

#[tokio::test]
async fn a_query_that_shows_nothing_is_explained_alike_whether_there_are_rows_or_not() {
    let store = notes().await;
    let letter = Item::new()
        .with("to", "bob")
        .with("letterId", "l")
        .with("text", "x".repeat(20_000));
    store.create("Letter", letter).await.unwrap();
    let ann = user(&store, "ann");
    let explain = async |to: &str| {
        let query = AnyOperation::Query(monotable_store::Query {
            pattern: "letters".to_owned(),
            parameters: Item::new().with("to", to),
            ..monotable_store::Query::default()
        });
        let shown = ann.explain(query, Options::default()).await.to_string();
        shown.replace(to, "TO")
    };
    assert_eq!(explain("bob").await, explain("nobody").await);
}
