//! Times in an index of several attributes that other programs have spelled otherwise than the model writes them.

use crate::world::{World, adopt};
use monotable_item::{AttributeValue, Item, Number};
use monotable_store::{Page, Store};

const EVENTS: &str = r##"
monotable = 1
model     = "events"

[table.Events]
key    = ["PK", "SK"]
ByKind = [["kind", "line"], ["grade", "at", "tail"]]

[entity.Event]
is     = { Type = "Event" }
key    = ["EVENT#{id}", "EVENT"]
ByKind = [["{kind}", "{line}"], ["{grade}", "{at}", "T#{id}"]]

[entity.Event.attributes]
id    = "text, matches = /[a-z0-9]{1,20}/"
line  = "text, matches = /[a-z0-9]{1,20}/"
kind  = "text, matches = /[a-z]{1,20}/"
grade = "integer(0..99)"
at    = "timestamp"

[access.all]
ByKind  = [["{kind}", "{line}"]]
returns = ["Event"]

[access.graded]
ByKind  = [["{kind}", "{line}"], "{grade}"]
returns = ["Event"]

[access.between]
ByKind  = [["{kind}", "{line}"], ["{grade}", "{at..}"]]
returns = ["Event"]

[access.at_once]
ByKind  = [["{kind}", "{line}"], ["{grade}", "{at}", "T#*"]]
returns = ["Event"]
"##;

/// Spellings of instants, in the order of the instants; their texts are in another order.
const TIMES: [&str; 5] = [
    "10:00:00Z",
    "10:00:00.1Z",
    "10:00:00.250Z",
    "10:00:00.500000Z",
    "10:00:01.000Z",
];

/// Grades as numbers: 9 comes before 10.
const GRADES: [u32; 2] = [9, 10];

async fn loaded() -> World {
    let world = World::new(EVENTS, "Events").await;
    for grade in GRADES {
        for (number, time) in TIMES.iter().enumerate() {
            let id = format!("e{grade}x{number}");
            world.load(&format!(
                r#"{{"PK": "EVENT#{id}", "SK": "EVENT", "Type": "Event", "id": "{id}", "line": "l", "kind": "k",
                    "grade": {grade}, "at": "2026-01-23T{time}", "tail": "T#{id}"}}"#
            ));
        }
    }
    world
}

fn given() -> Item {
    Item::new().with("kind", "k").with("line", "l")
}

fn with_grade(grade: u32) -> Item {
    given().with("grade", AttributeValue::N(Number::from(u64::from(grade))))
}

fn ids(page: &Page) -> Vec<String> {
    let ids = page.rows.iter().map(|row| row.text("id").to_owned());
    ids.collect()
}

fn of_grade(grade: u32) -> Vec<String> {
    (0..TIMES.len())
        .map(|number| format!("e{grade}x{number}"))
        .collect()
}

fn all() -> Vec<String> {
    GRADES.into_iter().flat_map(of_grade).collect()
}

async fn paged(store: &Store, pattern: &str, given: Item, limit: usize, back: bool) -> Vec<String> {
    let (mut found, mut cursor) = (Vec::new(), None);
    loop {
        let mut call = store.query(pattern, given.clone()).limit(limit);
        if back {
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

async fn check_all(store: &Store) {
    for limit in 1..8 {
        let found = paged(store, "all", given(), limit, false).await;
        assert_eq!(found, all(), "{limit}");
        let found = paged(store, "all", given(), limit, true).await;
        let backwards: Vec<_> = all().into_iter().rev().collect();
        assert_eq!(found, backwards, "{limit}");
        let found = paged(store, "graded", with_grade(10), limit, false).await;
        assert_eq!(found, of_grade(10), "{limit}");
        let range = with_grade(9)
            .with("at.from", "2026-01-23T10:00:00.100Z")
            .with("at.to", "2026-01-23T10:00:00.500Z");
        let found = paged(store, "between", range, limit, false).await;
        assert_eq!(found, of_grade(9).get(1..4).unwrap(), "{limit}");
        let at = with_grade(9).with("at", "2026-01-23T10:00:00.500Z");
        let found = paged(store, "at_once", at, limit, false).await;
        assert_eq!(found, of_grade(9).get(3..4).unwrap(), "{limit}");
    }
}

#[tokio::test]
async fn rows_come_in_the_order_of_numbers_and_instants() {
    let world = loaded().await;
    check_all(&world.unadopted()).await;
}

#[tokio::test]
async fn adopt_spells_the_times_of_an_index_anew() {
    let world = loaded().await;
    let store = world.unadopted();
    adopt(&store).await;
    check_all(&store).await;
    let verified = store.verify().await.unwrap();
    assert_eq!(verified.violations, []);
    assert_eq!(verified.notes, []);
}
