//! The rules of entities: asked of the row before a change and of the row after it.

use super::{comment, comment_key, kind, note, note_key, notes, user};
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, Change, Create, ErrorKind, Update};

fn set(name: &str, value: impl Into<AttributeValue>) -> Change {
    Change {
        set: Item::new().with(name, value),
        ..Change::default()
    }
}

#[tokio::test]
async fn old_is_bound_in_a_rule_of_updates() {
    let store = notes().await;
    store.create("Note", note("n", "ann")).await.unwrap();
    let famous = comment("n", "famous", "ann").with("stars", 4);
    store.create("Comment", famous).await.unwrap();
    store
        .create("Comment", comment("n", "plain", "ann"))
        .await
        .unwrap();
    let ann = user(&store, "ann");
    let edit = |id: &str| ann.update("Comment", comment_key("n", id), set("body", "new"));
    assert_eq!(kind(edit("famous").await), ErrorKind::Forbidden);
    let plain = edit("plain").await.unwrap();
    assert_eq!(plain.text("body"), "new");
    // It becomes famous by this change, and only the next one is refused.
    let stars = set("stars", 5);
    ann.update("Comment", comment_key("n", "plain"), stars)
        .await
        .unwrap();
    assert_eq!(kind(edit("plain").await), ErrorKind::Forbidden);
    assert_eq!(
        kind(ann.put("Comment", comment("n", "famous", "ann")).await),
        ErrorKind::Forbidden
    );
}

#[tokio::test]
async fn an_owner_cannot_give_a_row_a_state_that_it_could_not_create() {
    let store = notes().await;
    let ann = user(&store, "ann");
    ann.create("Note", note("n", "ann")).await.unwrap();
    let given = ann.update("Note", note_key("n"), set("owner", "bob")).await;
    assert_eq!(kind(given), ErrorKind::Forbidden);
    let put = ann.put("Note", note("n", "bob")).await;
    assert_eq!(kind(put), ErrorKind::Forbidden);
    assert_eq!(
        kind(ann.create("Note", note("m", "bob")).await),
        ErrorKind::Forbidden
    );
    let stored = store.get("Note", note_key("n")).await.unwrap();
    assert_eq!(stored.text("owner"), "ann");
}

#[tokio::test]
async fn every_write_of_a_transaction_is_asked() {
    let store = notes().await;
    let ann = user(&store, "ann");
    ann.create("Note", note("n", "ann")).await.unwrap();
    let create = |values: Item| {
        AnyOperation::Create(Create {
            entity: "Comment".to_owned(),
            values,
        })
    };
    let mixed = vec![
        create(comment("n", "mine", "ann")),
        create(comment("n", "forged", "bob")),
    ];
    assert_eq!(kind(ann.transact(mixed).await), ErrorKind::Forbidden);
    let page = store.query("note_with_all", note_key("n")).await.unwrap();
    assert_eq!(page.rows.len(), 1);
}

#[tokio::test]
async fn a_rule_sees_rows_that_the_same_transaction_writes() {
    let store = notes().await;
    let create = |entity: &str, values: Item| {
        AnyOperation::Create(Create {
            entity: entity.to_owned(),
            values,
        })
    };
    let stamp = |note: &str| Item::new().with("noteId", note).with("stampId", "s");
    let ann = user(&store, "ann");
    let both = vec![
        create("Note", note("n", "ann")),
        create("Stamp", stamp("n")),
    ];
    ann.transact(both).await.unwrap();
    let bob = user(&store, "bob");
    let foreign = vec![
        create("Note", note("m", "bob")),
        create("Stamp", stamp("n").with("stampId", "t")),
    ];
    assert_eq!(kind(bob.transact(foreign).await), ErrorKind::Forbidden);
}

#[tokio::test]
async fn a_reference_that_leads_nowhere_never_grants() {
    let store = notes().await;
    let reply = |id: &str| Item::new().with("writer", "ann").with("replyId", id);
    store.create("Note", note("open", "ann")).await.unwrap();
    let closed = note("closed", "ann").with("state", "closed");
    store.create("Note", closed).await.unwrap();
    for (id, target) in [("1", "open"), ("2", "closed"), ("3", "gone")] {
        let reply = reply(id).with("noteId", target);
        store.create("Reply", reply).await.unwrap();
    }
    // Without a reference there is no closed note.
    store.create("Reply", reply("4")).await.unwrap();
    let writer = Item::new().with("writer", "ann");
    let seen = user(&store, "bob").query("replies", writer).await.unwrap();
    let ids: Vec<_> = seen.rows.iter().map(|row| row.text("replyId")).collect();
    assert_eq!(ids, ["1", "4"]);
    assert_eq!(seen.hidden, 2);
}

#[tokio::test]
async fn a_check_finds_rows_that_the_caller_may_not_see() {
    let store = notes().await;
    let seat = |holder: &str| Item::new().with("room", "r").with("holder", holder);
    user(&store, "ann")
        .create("Seat", seat("ann"))
        .await
        .unwrap();
    let bob = user(&store, "bob");
    let room = Item::new().with("room", "r");
    assert!(
        bob.query("seats_of_room", room)
            .await
            .unwrap()
            .rows
            .is_empty()
    );
    let second = bob.create("Seat", seat("bob")).await;
    assert_eq!(kind(second), ErrorKind::Validation);
}

#[tokio::test]
async fn rights_are_part_of_the_condition_of_a_write() {
    let store = notes().await;
    let ann = user(&store, "ann");
    ann.create("Note", note("n", "ann")).await.unwrap();
    let operation = AnyOperation::Update(Update {
        entity: "Note".to_owned(),
        key: note_key("n"),
        change: set("state", "closed"),
    });
    let explained = ann
        .explain(operation, monotable_store::Options::default())
        .await;
    let write = &explained.requests.last().unwrap().body;
    assert!(write.contains("\"owner\""), "{write}");
}

#[tokio::test]
async fn what_is_wrong_with_a_change_of_a_hidden_row_is_not_told() {
    let store = notes().await;
    let hidden = Item::new()
        .with("boxId", "b")
        .with("owner", "bob")
        .with("size", 1);
    store.create("Box", hidden).await.unwrap();
    let ann = user(&store, "ann");
    for id in ["b", "not-there"] {
        let key = Item::new().with("boxId", id);
        let wrong = ann.update("Box", key, set("size", 9)).await;
        assert_eq!(kind(wrong), ErrorKind::NotFound, "{id}");
    }
    // Whoever sees the row is told.
    let key = Item::new().with("boxId", "b");
    let bob = user(&store, "bob");
    let wrong = bob.update("Box", key, set("size", 9)).await;
    assert_eq!(kind(wrong), ErrorKind::Validation);
}
