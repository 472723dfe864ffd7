//! What a call answers that was made before.

use crate::world::{
    DAY, World, create, delete, is_mismatch, key, named, one_more, set, with_token,
};
use monotable_item::{AttributeValue, Item};
use monotable_store::{
    AnyOperation, AnyOutput, Attach, Create, Delete, Detach, ErrorKind, MoveRow, Put, Transact,
};

#[tokio::test]
async fn a_secret_is_shown_once() {
    let world = World::new().await;
    let ann = world.user("ann");
    let first = ann.create("Key", named("k")).token("t").await.unwrap();
    let again = ann.create("Key", named("k")).token("t").await.unwrap();
    let secret = first.text("secret");
    assert_eq!(secret.len(), 32);
    let mask = format!("{}{}{}", &secret[..4], "*".repeat(16), &secret[28..]);
    assert_eq!(again.text("secret"), mask);
    assert_eq!(again.text("id"), first.text("id"));
    // In a transaction too.
    let make = || vec![create("Key", named("l"))];
    let first = ann.transact(make()).token("u").await.unwrap();
    let again = ann.transact(make()).token("u").await.unwrap();
    assert_eq!(first[0].text("secret").len(), 32);
    assert!(again[0].text("secret").contains("****"));
}

#[tokio::test]
async fn a_replay_shows_the_row_as_it_is_now() {
    let world = World::new().await;
    let store = &world.store;
    store.create("Key", key("k")).token("t").await.unwrap();
    store.update("Key", named("k"), one_more()).await.unwrap();
    let again = store.create("Key", key("k")).token("t").await.unwrap();
    assert_eq!(again.get("uses"), Some(&1.into()));
}

#[tokio::test]
async fn of_a_deleted_row_only_the_key_is_shown() {
    let world = World::new().await;
    let store = &world.store;
    store.create("Key", key("k")).token("t").await.unwrap();
    let delete = || store.delete("Key", named("k")).token("d");
    let gone = delete().await.unwrap();
    assert_eq!(gone.text("owner"), "ann", "a delete shows what it was");
    for again in [
        delete().await.unwrap(),
        store.create("Key", key("k")).token("t").await.unwrap(),
    ] {
        assert_eq!((again.entity.as_str(), &again.values), ("Key", &named("k")));
    }
    assert!(world.rows().await.is_empty(), "nothing was made again");
    world.check().await;
}

#[tokio::test]
async fn a_row_with_a_tombstone_is_as_good_as_deleted() {
    let world = World::new().await;
    let note = || Item::new().with("note", "n");
    let values = note().with("text", "private");
    world.store.create("Note", values).await.unwrap();
    for _ in 0..2 {
        let delete = world.store.delete("Note", note()).token("d");
        delete.await.unwrap();
    }
    let again = world.store.delete("Note", note()).token("d").await.unwrap();
    assert_eq!(again.values, note());
}

#[tokio::test]
async fn a_row_that_is_made_anew_is_shown_to_those_who_may_see_it() {
    let world = World::new().await;
    let ann = world.user("ann");
    ann.create("Key", named("k")).await.unwrap();
    ann.delete("Key", named("k")).token("d").await.unwrap();
    let theirs = named("k").with("owner", "bob");
    world.store.create("Key", theirs).await.unwrap();
    let error = ann.delete("Key", named("k")).token("d").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    assert_eq!(world.rows().await.len(), 1, "bob's key is still there");
}

#[tokio::test]
async fn a_caller_who_lost_the_right_finds_nothing() {
    let world = World::new().await;
    let ann = world.user("ann");
    let create = || ann.create("Key", named("k")).token("t");
    create().await.unwrap();
    let taken = set("owner", "bob");
    world.store.update("Key", named("k"), taken).await.unwrap();
    let error = create().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    assert!(!error.to_string().contains("bob"), "{error}");
}

/// Everything that takes a token, on the rows that `begin` makes.
fn operations() -> Vec<AnyOperation> {
    vec![
        create("Event", Item::new().with("what", "happens")),
        AnyOperation::Put(Put {
            entity: "Key".to_owned(),
            values: key("k").with("uses", 7),
        }),
        crate::world::update("Key", named("k"), one_more()),
        AnyOperation::Attach(Attach {
            entity: "File".to_owned(),
            values: Item::new().with("folder", "f").with("file", "new"),
        }),
        AnyOperation::Detach(Detach {
            entity: "File".to_owned(),
            key: Item::new().with("folder", "f").with("file", "old"),
        }),
        AnyOperation::MoveRow(MoveRow {
            name: "to_board".to_owned(),
            key: Item::new().with("board", "one").with("card", "c"),
            set: Item::new().with("board", "two"),
        }),
        create("Label", labels(&["red", "blue"])),
        crate::world::update(
            "Label",
            Item::new().with("note", "n"),
            set("labels", vec!["red".into(), "green".into(), "blue".into()]),
        ),
        delete("Label", Item::new().with("note", "n")),
        AnyOperation::Transact(Transact {
            operations: vec![
                create("Event", Item::new().with("what", "again")),
                crate::world::update("Key", named("k"), one_more()),
                delete("Note", Item::new().with("note", "n")),
            ],
        }),
        delete("Folder", Item::new().with("folder", "f")),
        delete("Key", named("k")),
    ]
}

fn labels(labels: &[&str]) -> Item {
    let labels: Vec<AttributeValue> = labels.iter().map(|label| (*label).into()).collect();
    Item::new().with("note", "n").with("labels", labels)
}

#[tokio::test]
async fn an_item_of_several_rows_is_one_row_of_the_answer() {
    let world = World::new().await;
    let create = || {
        world
            .store
            .create("Label", labels(&["red", "blue"]))
            .token("t")
    };
    let first = create().await.unwrap();
    assert_eq!(create().await.unwrap(), first);
    assert_eq!(world.rows().await.len(), 2);
}

pub(crate) async fn begin(world: &World) {
    let store = &world.store;
    let folder = || Item::new().with("folder", "f");
    let note = Item::new().with("note", "n").with("text", "t");
    let card = Item::new().with("board", "one").with("card", "c");
    store.create("Key", key("k")).await.unwrap();
    store.create("Folder", folder()).await.unwrap();
    let file = folder().with("file", "old");
    store.create("File", file).await.unwrap();
    store.create("Note", note).await.unwrap();
    store.create("Card", card).await.unwrap();
}

/// A file refers to one row only, so it is created and deleted instead of attached and detached.
fn plain(operation: AnyOperation) -> AnyOperation {
    match operation {
        AnyOperation::Attach(Attach { entity, values }) => {
            AnyOperation::Create(Create { entity, values })
        }
        AnyOperation::Detach(Detach { entity, key }) => {
            AnyOperation::Delete(Delete { entity, key })
        }
        other => other,
    }
}

#[tokio::test]
async fn every_write_that_is_said_twice_happens_once() {
    let world = World::new().await;
    begin(&world).await;
    for (position, operation) in operations().into_iter().map(plain).enumerate() {
        let token = format!("t{position}");
        let call = || world.store.run(operation.clone(), with_token(&token));
        call().await.unwrap();
        let before = world.items().await;
        let answer = call()
            .await
            .unwrap_or_else(|error| panic!("{operation:?}: {error}"));
        assert_eq!(world.items().await, before, "{operation:?}");
        let rows = match answer {
            AnyOutput::Row(row) => vec![row],
            AnyOutput::Rows(rows) => rows,
            other => panic!("{other:?}"),
        };
        assert!(rows.iter().all(|row| !row.values.is_empty()), "{rows:?}");
    }
    world.check().await;
}

#[tokio::test]
async fn a_token_lasts_a_day() {
    let world = World::new().await;
    let store = &world.store;
    store.create("Key", key("k")).await.unwrap();
    let more = || store.update("Key", named("k"), one_more()).token("t");
    let uses = |row: monotable_store::Row| row.get("uses").cloned().unwrap();
    assert_eq!(uses(more().await.unwrap()), AttributeValue::from(1));
    world.at(DAY - 2_000_000);
    assert_eq!(uses(more().await.unwrap()), AttributeValue::from(1));
    // Then it names another call, whatever the first one was.
    world.at(DAY + 1_000_000);
    assert_eq!(uses(more().await.unwrap()), AttributeValue::from(2));
    world.at(2 * DAY - 2_000_000);
    assert_eq!(uses(more().await.unwrap()), AttributeValue::from(2));
    world.at(2 * DAY + 2_000_000);
    store.delete("Key", named("k")).token("t").await.unwrap();
    assert_eq!(world.tokens().await.len(), 1);
    let error = more().await.unwrap_err();
    assert!(is_mismatch(&error), "{error}");
}

#[tokio::test]
async fn a_refused_call_leaves_its_token_free() {
    let world = World::new().await;
    let store = &world.store;
    let update = || store.update("Key", named("k"), one_more()).token("t");
    let error = update().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert!(world.items().await.is_empty());
    store.create("Key", key("k")).await.unwrap();
    assert_eq!(update().await.unwrap().get("uses"), Some(&1.into()));
}

#[tokio::test]
async fn a_dry_run_names_nothing() {
    let world = World::new().await;
    let create = || world.store.create("Key", key("k")).token("t");
    create().dry_run().await.unwrap();
    assert!(world.items().await.is_empty());
    create().await.unwrap();
    let again = create().dry_run().await.unwrap();
    assert_eq!(
        again.text("name"),
        "k",
        "it is the same call, which was made"
    );
}
