//! What leaves the store: answers of writes, and rows that others wrote.

use super::{kind, note, note_key, notes, store_of, user};
use monotable_api::{DynamoExt, UpdateItemInput};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{AnyOperation, Commit, Delete, ErrorKind, Put, Store};
use std::sync::Arc;

#[tokio::test]
async fn whoever_may_write_and_not_read_is_answered_with_the_key() {
    let store = notes().await;
    let letter = Item::new().with("to", "bob").with("letterId", "1");
    let text = letter.clone().with("text", "dear bob");
    let sent = user(&store, "ann").create("Letter", text).await.unwrap();
    assert_eq!(sent.values, letter);
    let bob = user(&store, "bob");
    let mine = Item::new().with("to", "bob");
    let letters = bob.query("letters", mine).await.unwrap();
    assert_eq!(letters.rows[0].text("text"), "dear bob");
    // A delete answers with what went, to whom may see it.
    let gone = user(&store, "ann").delete("Letter", letter.clone()).await;
    assert_eq!(gone.unwrap().values, letter);
}

#[tokio::test]
async fn a_row_that_is_kept_is_shown_to_whoever_may_see_it() {
    let store = notes().await;
    let slot = |holder: &str| Item::new().with("name", "s").with("holder", holder);
    let ann = user(&store, "ann");
    ann.create("Slot", slot("ann")).await.unwrap();
    let again = ann.create("Slot", slot("ann")).await.unwrap();
    assert_eq!(again.text("holder"), "ann");
    let refused = user(&store, "bob").create("Slot", slot("bob")).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Conflict);
    assert!(!refused.to_string().contains("ann"), "{refused}");
}

#[tokio::test]
async fn a_call_that_is_said_again_is_answered_with_what_the_caller_may_see() {
    let store = notes().await;
    let letter = Item::new().with("to", "bob").with("letterId", "1");
    let text = letter.clone().with("text", "dear bob");
    let ann = user(&store, "ann");
    let send = || ann.create("Letter", text.clone()).token("t1");
    assert_eq!(send().await.unwrap().values, letter);
    if let Ok(again) = send().await {
        assert_eq!(again.values, letter);
    }
}

#[tokio::test]
async fn a_row_that_is_being_deleted_is_told_only_to_those_who_may_see_it() {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let model = monotable_check::check(include_str!("notes.toml"))
        .model
        .unwrap();
    let store = Store::new(model, Arc::clone(&engine));
    store.setup().await.unwrap();
    store.create("Note", note("n", "ann")).await.unwrap();
    let key = Item::new().with("PK", "NOTE#n").with("SK", "NOTE");
    let mark = UpdateItemInput::new("Notes", key)
        .update("SET goesAt = :now")
        .value(":now", "2025-11-18T12:00:00.000Z");
    engine.update_item(mark).await.unwrap();
    let ann = user(&store, "ann");
    let told = ann.get("Note", note_key("n")).await.unwrap_err();
    assert_eq!(
        told.to_string(),
        "Note NOTE#n / NOTE is being deleted or moved"
    );
    let bob = user(&store, "bob");
    let change = monotable_store::Change {
        set: Item::new().with("state", "closed"),
        ..monotable_store::Change::default()
    };
    for hidden in [
        bob.get("Note", note_key("n")).await,
        bob.update("Note", note_key("n"), change).await,
        bob.delete("Note", note_key("n")).await,
    ] {
        let told = hidden.unwrap_err().to_string();
        assert_eq!(told, "there is no Note NOTE#n / NOTE");
    }
}

const HISTORY: &str = include_str!("history.toml");

fn page(owner: &str) -> Item {
    Item::new().with("owner", owner)
}

fn line(id: &str, author: &str, text: &str) -> AnyOperation {
    let values = Item::new()
        .with("lineId", id)
        .with("author", author)
        .with("text", text);
    let entity = "Line".to_owned();
    AnyOperation::Put(Put { entity, values })
}

#[tokio::test]
async fn a_commit_asks_about_every_row_that_it_changes() {
    let store = store_of(HISTORY).await;
    let ann = user(&store, "ann");
    let first = Commit::new("pages", page("ann"))
        .change(line("1", "ann", "mine"))
        .change(line("2", "ann", "also mine"));
    ann.commit(first).await.unwrap();
    let forged = Commit::new("pages", page("ann")).change(line("3", "bob", "not mine"));
    assert_eq!(kind(ann.commit(forged).await), ErrorKind::Forbidden);
    let taken = Commit::new("pages", page("ann")).change(line("1", "bob", "given away"));
    assert_eq!(kind(ann.commit(taken).await), ErrorKind::Forbidden);
    let foreign = Commit::new("pages", page("ann")).change(line("4", "bob", "bob's"));
    store.commit(foreign).await.unwrap();
    let delete = AnyOperation::Delete(Delete {
        entity: "Line".to_owned(),
        key: Item::new().with("lineId", "4"),
    });
    let removed = Commit::new("pages", page("ann")).change(delete);
    let refused = ann.commit(removed).await.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NotFound, "{refused}");
}

#[tokio::test]
async fn a_revert_and_a_rollback_are_asked() {
    let store = store_of(HISTORY).await;
    let ann = user(&store, "ann");
    let first = Commit::new("pages", page("ann")).change(line("1", "ann", "mine"));
    let first = ann.commit(first).await.unwrap();
    let revision = first.revisions[0].text("revId").to_owned();
    let second = Commit::new("pages", page("ann")).change(line("2", "bob", "bob's"));
    store.commit(second).await.unwrap();
    // The revert would delete a line that Ann may not delete.
    let at = || monotable_store::At::Revision(revision.clone());
    let refused = ann.revert("pages", page("ann"), at(), Item::new()).await;
    assert!(matches!(
        kind(refused),
        ErrorKind::Forbidden | ErrorKind::NotFound
    ));
    // A page of somebody else is not there: neither its log, nor its head, nor its rows.
    let bob = user(&store, "bob");
    let log = bob.log("pages", page("ann")).await.unwrap();
    assert!(log.rows.is_empty() && log.followed.is_empty(), "{log:?}");
    let show = bob
        .show("pages", page("ann"), monotable_store::At::Head)
        .await;
    assert_eq!(kind(show), ErrorKind::NotFound);
    let back = bob.rollback("pages", page("ann"), &revision).await;
    assert_eq!(kind(back), ErrorKind::NotFound);
    let head = ann.rollback("pages", page("ann"), &revision).await.unwrap();
    assert_eq!(head.text("headRevId"), revision);
}

#[tokio::test]
async fn a_caller_sweeps_nothing_where_no_partitions_are_its_own() {
    let store = store_of(HISTORY).await;
    let ann = user(&store, "ann");
    let age = std::time::Duration::from_secs(1);
    let swept = ann.sweep("pages", page("bob"), age).await;
    assert_eq!(kind(swept), ErrorKind::Forbidden);
    assert!(store.sweep("pages", page("bob"), age).await.is_ok());
}
