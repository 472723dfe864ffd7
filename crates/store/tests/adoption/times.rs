//! Times in keys that other programs have spelled otherwise than the model writes them.

use crate::world::{World, adopt, item};
use monotable_item::Item;
use monotable_store::{Change, ErrorKind, Page, Store};

const EVENTS: &str = r##"
monotable = 1
model     = "events"

[table.Events]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]

[entity.Event]
is   = { Type = "Event" }
key  = ["LINE#{line}", "AT#{at}#{id}"]
GSI1 = ["KIND#{kind}", "AT#{at}"]

[entity.Event.attributes]
line = "text, matches = /[a-z0-9]{1,20}/"
id   = "text, matches = /[a-z0-9]{1,20}/"
at   = "timestamp"
kind = "text, matches = /[a-z]{1,20}/"
note = "text?"

[access.events]
key     = ["LINE#{line}", "AT#*"]
returns = ["Event"]

[access.events_between]
key     = ["LINE#{line}", "AT#{at..}"]
returns = ["Event"]

[access.event]
key     = ["LINE#{line}", "AT#{at}#{id}"]
returns = ["Event"]

[access.events_of_kind_at]
GSI1    = ["KIND#{kind}", "AT#{at}"]
returns = ["Event"]
"##;

/// Spellings of instants of one second, in the order of the instants; their texts are in another order.
const TIMES: [&str; 7] = [
    "10:00:00Z",
    "10:00:00.1Z",
    "10:00:00.250Z",
    "10:00:00.250001Z",
    "10:00:00.5Z",
    "10:00:00.750000Z",
    "10:00:01.000Z",
];

async fn line() -> World {
    let world = World::new(EVENTS, "Events").await;
    for (number, time) in TIMES.iter().enumerate() {
        world.load(&format!(
            r#"{{"PK": "LINE#l", "SK": "AT#2026-01-23T{time}#e{number}", "GSI1PK": "KIND#k", "GSI1SK": "AT#2026-01-23T{time}",
                "Type": "Event", "line": "l", "at": "2026-01-23T{time}", "id": "e{number}", "kind": "k"}}"#
        ));
    }
    world
}

fn ids(page: &Page) -> Vec<String> {
    let ids = page.rows.iter().map(|row| row.text("id").to_owned());
    ids.collect()
}

fn all() -> Vec<String> {
    (0..TIMES.len())
        .map(|number| format!("e{number}"))
        .collect()
}

fn on_line() -> Item {
    Item::new().with("line", "l")
}

/// All rows, page by page.
async fn paged(store: &Store, limit: usize, descending: bool) -> Vec<String> {
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let mut call = store.query("events", on_line()).limit(limit);
        if descending {
            call = call.descending();
        }
        if let Some(cursor) = cursor.take() {
            call = call.after(cursor);
        }
        let page = call.await.unwrap();
        assert!(page.rows.len() <= limit);
        found.extend(ids(&page));
        match page.cursor {
            Some(next) => cursor = Some(next),
            None => return found,
        }
    }
}

#[tokio::test]
async fn rows_of_one_second_come_in_the_order_of_their_instants() {
    let world = line().await;
    let store = world.unadopted();
    let page = store.query("events", on_line()).await.unwrap();
    assert_eq!(ids(&page), all());
    let page = store.query("events", on_line()).descending().await.unwrap();
    assert_eq!(ids(&page), all().into_iter().rev().collect::<Vec<_>>());
}

#[tokio::test]
async fn pages_neither_repeat_nor_skip_rows_of_one_second() {
    let world = line().await;
    let store = world.unadopted();
    for limit in 1..9 {
        assert_eq!(paged(&store, limit, false).await, all(), "{limit}");
        let backwards: Vec<_> = all().into_iter().rev().collect();
        assert_eq!(paged(&store, limit, true).await, backwards, "{limit}");
    }
}

#[tokio::test]
async fn a_range_of_times_has_the_rows_whose_instants_lie_in_it() {
    let world = line().await;
    let store = world.unadopted();
    for (from, to, wanted) in [
        ("10:00:00.000Z", "10:00:00.000Z", &all()[..1]),
        ("10:00:00.000Z", "10:00:00.250Z", &all()[..4]),
        ("10:00:00.100Z", "10:00:00.500Z", &all()[1..5]),
        ("10:00:00.501Z", "10:00:02.000Z", &all()[5..]),
    ] {
        let range = on_line()
            .with("at.from", format!("2026-01-23T{from}"))
            .with("at.to", format!("2026-01-23T{to}"));
        let page = store.query("events_between", range).await.unwrap();
        assert_eq!(ids(&page), wanted, "{from} {to}");
    }
}

#[tokio::test]
async fn a_row_is_found_by_its_instant_in_any_spelling() {
    let world = line().await;
    let store = world.unadopted();
    for spelling in [
        "2026-01-23T10:00:00Z",
        "2026-01-23T10:00:00.000Z",
        "2026-01-23T11:00:00+01:00",
    ] {
        let key = || on_line().with("at", spelling).with("id", "e0");
        assert_eq!(store.get("Event", key()).await.unwrap().text("id"), "e0");
        let page = store.query("event", key()).await.unwrap();
        assert_eq!(ids(&page), ["e0"], "{spelling}");
        let at = Item::new().with("kind", "k").with("at", spelling);
        let page = store.query("events_of_kind_at", at).await.unwrap();
        assert_eq!(ids(&page), ["e0"], "{spelling}");
    }
    let other = on_line()
        .with("at", "2026-01-23T10:00:00.100Z")
        .with("id", "e0");
    let missing = store.get("Event", other).await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
}

#[tokio::test]
async fn a_row_with_another_spelling_is_changed_deleted_and_not_made_twice() {
    let world = line().await;
    let store = world.unadopted();
    let key = || {
        on_line()
            .with("at", "2026-01-23T10:00:00.000Z")
            .with("id", "e0")
    };
    let taken = store
        .create("Event", key().with("kind", "k"))
        .await
        .unwrap_err();
    assert_eq!(taken.kind(), ErrorKind::Conflict);
    let change = Change {
        set: Item::new().with("note", "seen"),
        ..Change::default()
    };
    store.update("Event", key(), change).await.unwrap();
    let page = store.query("events", on_line()).await.unwrap();
    assert_eq!(ids(&page), all());
    store.delete("Event", key()).await.unwrap();
    let page = store.query("events", on_line()).await.unwrap();
    assert_eq!(ids(&page), all()[1..]);
}

#[tokio::test]
async fn a_row_of_the_model_is_found_by_its_instant_in_any_spelling() {
    let world = World::new(EVENTS, "Events").await;
    let store = world.store();
    let key = |at: &str| on_line().with("at", at).with("id", "e");
    let new = key("2026-01-23T10:00:00Z").with("kind", "k");
    store.create("Event", new).await.unwrap();
    for spelling in ["2026-01-23T10:00:00Z", "2026-01-23T11:00:00.000000+01:00"] {
        store.get("Event", key(spelling)).await.unwrap();
    }
    let change = Change {
        set: Item::new().with("note", "seen"),
        ..Change::default()
    };
    store
        .update("Event", key("2026-01-23T10:00:00Z"), change)
        .await
        .unwrap();
    store
        .delete("Event", key("2026-01-23T10:00:00Z"))
        .await
        .unwrap();
}

#[tokio::test]
async fn adopting_spells_times_as_the_model_writes_them() {
    let world = line().await;
    let store = world.unadopted();
    // A verify that finds no violation does not adopt rows that would not be found by their keys.
    let verified = store.verify().await.unwrap();
    assert!(verified.violations.is_empty(), "{:?}", verified.violations);
    assert!(!store.is_adopted().await.unwrap());
    adopt(&store).await;
    let stored = world
        .item("LINE#l", "AT#2026-01-23T10:00:00.000Z#e0")
        .unwrap();
    assert_eq!(stored.get("at"), Some(&"2026-01-23T10:00:00.000Z".into()));
    assert_eq!(
        stored.get("GSI1SK"),
        Some(&"AT#2026-01-23T10:00:00.000Z".into())
    );
    assert_eq!(world.item("LINE#l", "AT#2026-01-23T10:00:00Z#e0"), None);
    assert_eq!(paged(&store, 2, false).await, all());
}

#[tokio::test]
async fn adopting_spells_times_of_revisions_too() {
    let world = World::of_model("values", "App").await;
    for json in [
        r#"{"PK": "U#u1#PLAN#2026-01-23", "SK": "HEAD", "headRevId": "r1", "updatedAt": "2026-01-23T08:00:00.000Z"}"#,
        r#"{"PK": "U#u1#PLAN#2026-01-23", "SK": "REV#2026-01-23T08:00:00Z#r1", "revId": "r1", "reason": "morning_plan"}"#,
        r#"{"PK": "U#u1#PLAN#2026-01-23#r1", "SK": "BLOCK#2026-01-23T10:00:00Z#b2", "blockId": "b2", "startTimeIso": "2026-01-23T10:00:00Z", "endTimeIso": "2026-01-23T10:30:00Z", "blockType": "BREAK"}"#,
    ] {
        world.load(json);
    }
    let store = world.unadopted();
    let plan = item(r#"{"userId": "u1", "date": "2026-01-23", "revId": "r1"}"#);
    assert_eq!(
        store.query("plan", plan.clone()).await.unwrap().rows.len(),
        1
    );
    store.convert().await.unwrap();
    let block = "BLOCK#2026-01-23T10:00:00.000Z#b2";
    assert!(world.item("U#u1#PLAN#2026-01-23#r1", block).is_some());
    let revision = "REV#2026-01-23T08:00:00.000Z#r1";
    assert!(world.item("U#u1#PLAN#2026-01-23", revision).is_some());
    assert_eq!(store.query("plan", plan).await.unwrap().rows.len(), 1);
}

#[tokio::test]
async fn seconds_with_a_fraction_and_without_a_zone_are_read() {
    let text = EVENTS.replace(r#"at   = "timestamp""#, r#"at   = "timestamp(seconds)""#);
    let world = World::new(&text, "Events").await;
    for (number, time) in ["10:00:00.5", "10:00:00", "10:00:00.250"]
        .iter()
        .enumerate()
    {
        world.load(&format!(
            r#"{{"PK": "LINE#l", "SK": "AT#2026-01-23T{time}#e{number}", "Type": "Event", "line": "l", "kind": "k",
                "GSI1PK": "KIND#k", "GSI1SK": "AT#2026-01-23T{time}", "at": "2026-01-23T{time}", "id": "e{number}"}}"#
        ));
    }
    let store = world.unadopted();
    assert_eq!(paged(&store, 2, false).await, ["e1", "e2", "e0"]);
    let second = on_line()
        .with("at.from", "2026-01-23T10:00:00")
        .with("at.to", "2026-01-23T10:00:00");
    let page = store.query("events_between", second).await.unwrap();
    assert_eq!(page.rows.len(), 3);
}
