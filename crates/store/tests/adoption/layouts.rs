//! Rows that stand under the keys of a layout that is declared and was not converted.

use crate::world::{World, adopt};
use monotable_item::Item;
use monotable_store::{Change, ErrorKind, Store};

/// Notes whose keys were other ones before: the old key is told by the new one in the layout `flat`, and in the layout
/// `ranked` only an index leads to the row.
const NOTES: &str = r##"
monotable = 1
model     = "notes"

[table.Notes]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Note]
is   = { Type = "Note" }
key  = ["USER#{user}", "NOTE#{note}"]
GSI1 = ["NOTES#{user}", "NOTE#{note}"]

[entity.Note.layout.flat]
key = ["NOTE#{user}#{note}", "NOTE#{user}#{note}"]

[entity.Note.layout.ranked]
key  = ["RANKED", "RANK#{rank:03}#{user}#{note}"]
GSI1 = ["RANKED#{user}", "NOTE#{note}"]

[entity.Note.attributes]
user = "text, matches = /[a-z0-9]{1,20}/"
note = "text, matches = /[a-z0-9]{1,20}/"
rank = "integer(0..999)"
text = "text?"

[access.notes]
key     = ["USER#{user}", "NOTE#*"]
returns = ["Note"]
"##;

async fn notes() -> World {
    let world = World::new(NOTES, "Notes").await;
    world.load(
        r#"{"PK": "NOTE#u#a", "SK": "NOTE#u#a", "Type": "Note", "user": "u", "note": "a", "rank": 1, "colour": "red"}"#,
    );
    world.load(
        r#"{"PK": "RANKED", "SK": "RANK#002#u#b", "GSI1PK": "RANKED#u", "GSI1SK": "NOTE#b", "Type": "Note", "user": "u",
            "note": "b", "rank": 2}"#,
    );
    world
}

const OLD_PLACES: [(&str, &str); 2] = [("NOTE#u#a", "NOTE#u#a"), ("RANKED", "RANK#002#u#b")];

fn note(id: &str) -> Item {
    Item::new().with("user", "u").with("note", id)
}

fn write(text: &str) -> Change {
    Change {
        set: Item::new().with("text", text),
        ..Change::default()
    }
}

async fn check_old_rows(world: &World, store: &Store) {
    for (id, (partition, sort)) in ["a", "b"].into_iter().zip(OLD_PLACES) {
        assert_eq!(store.get("Note", note(id)).await.unwrap().text("note"), id);
        let taken = store
            .create("Note", note(id).with("rank", 9))
            .await
            .unwrap_err();
        assert_eq!(taken.kind(), ErrorKind::Conflict, "{id}");
        store
            .update("Note", note(id), write("hello"))
            .await
            .unwrap();
        // A row that is written is written where it stands today, once, with everything that nobody knows of it.
        assert_eq!(world.item(partition, sort), None, "{id}");
        let stored = world.item("USER#u", &format!("NOTE#{id}")).unwrap();
        assert_eq!(stored.get("text"), Some(&"hello".into()));
        if id == "a" {
            assert_eq!(stored.get("colour"), Some(&"red".into()));
        }
    }
}

#[tokio::test]
async fn rows_of_old_layouts_are_read_and_changed_by_their_keys() {
    let world = notes().await;
    let store = world.unadopted();
    check_old_rows(&world, &store).await;
}

#[tokio::test]
async fn rows_of_old_layouts_are_deleted_and_replaced_by_their_keys() {
    let world = notes().await;
    let store = world.unadopted();
    store.delete("Note", note("a")).await.unwrap();
    store.put("Note", note("b").with("rank", 3)).await.unwrap();
    for (partition, sort) in OLD_PLACES {
        assert_eq!(world.item(partition, sort), None);
    }
    let page = store
        .query("notes", Item::new().with("user", "u"))
        .await
        .unwrap();
    assert_eq!(page.rows.len(), 1);
}

#[tokio::test]
async fn a_layout_that_the_store_has_written_is_looked_into_until_it_is_converted() {
    let old = NOTES.replace(
        r#"key  = ["USER#{user}", "NOTE#{note}"]"#,
        r#"key  = ["NOTE#{user}#{note}", "NOTE#{user}#{note}"]"#,
    );
    let (before, layouts) = old.split_once("[entity.Note.layout.flat]").unwrap();
    let (_, behind) = layouts.split_once("[entity.Note.attributes]").unwrap();
    let old = format!("{before}[entity.Note.attributes]{behind}").replace(
        r#"key     = ["USER#{user}", "NOTE#*"]"#,
        r#"GSI1    = ["NOTES#{user}", "NOTE#*"]"#,
    );
    // A new store, which has written nothing but this layout, and is adopted.
    let world = World::new(&old, "Notes").await;
    let store = world.store();
    store
        .create("Note", note("a").with("rank", 1))
        .await
        .unwrap();
    assert!(store.is_adopted().await.unwrap());
    let today = world.with_model(NOTES);
    let store = today.store();
    assert!(store.is_adopted().await.unwrap());
    store.get("Note", note("a")).await.unwrap();
    let taken = store
        .create("Note", note("a").with("rank", 9))
        .await
        .unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::Conflict);
    // Converted, nothing more is asked there.
    store.convert().await.unwrap();
    let store = today.store();
    store.update("Note", note("a"), write("x")).await.unwrap();
    let explained = store.get("Note", note("none")).explain().await;
    assert_eq!(explained.requests.len(), 1, "{explained}");
}

#[tokio::test]
async fn a_store_that_was_adopted_looks_at_one_place_only() {
    let world = notes().await;
    let store = world.unadopted();
    let explained = store.get("Note", note("none")).explain().await;
    assert!(explained.requests.len() > 1, "{explained}");
    adopt(&store).await;
    let explained = store.get("Note", note("none")).explain().await;
    assert_eq!(explained.requests.len(), 1, "{explained}");
    let create = store.create("Note", note("c").with("rank", 1));
    let explained = create.explain().await;
    assert_eq!(explained.requests.len(), 1, "{explained}");
}
