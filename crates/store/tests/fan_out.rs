//! Patterns over several partitions: days in turn, shards side by side, and one cursor over all of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{BoxFuture, Dynamo, Error as ServiceError, Request, Response};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{Error, ErrorKind, Page, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const MODEL: &str = r#"
monotable = 1
model     = "log"

[tenant]
name   = "site"
type   = "text, matches = /[a-z]{1,20}/"
prefix = "{site}/"
bare   = "home"

[table.Main]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]
GSI2 = ["GSI2PK", "GSI2SK"]

[entity.Entry]
key  = ["ENTRY#{entryId}", "ENTRY"]
GSI1 = ["DAY#{at:date}", "{at}#{entryId}"]
GSI2 = ["ALL#{entryId:shard(8)}", "AT#{at}"]

[entity.Entry.attributes]
entryId = "text, matches = /[a-z0-9]{1,20}/"
at      = "timestamp(zoned)"

[entity.Line]
key = ["LINES#{lineId:shard(4)}", "LINE#{lineId}"]

[entity.Line.attributes]
lineId = "text, matches = /[a-z0-9]{1,20}/"

[access.between]
GSI1    = ["DAY#{at:date..}", "{at..}"]
returns = ["Entry"]

[access.whole_days]
GSI1    = ["DAY#{at:date..}"]
returns = ["Entry"]
order   = "desc"

[access.of_one_day]
GSI1    = ["DAY#{at:date}", "{at..}"]
returns = ["Entry"]

[access.everything]
GSI2    = ["ALL#{entryId:shard(8)..}", "AT#*"]
returns = ["Entry"]

[access.everything_between]
GSI2    = ["ALL#{entryId:shard(8)..}", "AT#{at..}"]
returns = ["Entry"]

[access.lines]
key     = ["LINES#{lineId:shard(4)..}", "LINE#{lineId..}"]
returns = ["Line"]
"#;

/// An engine that counts what it is asked.
struct Counting {
    engine: Engine,
    calls: AtomicUsize,
}

impl Dynamo for Counting {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, ServiceError>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        Dynamo::call(&self.engine, request)
    }
}

struct World {
    counting: Arc<Counting>,
    store: Store,
}

async fn world(entries: &[(&str, &str)]) -> World {
    let checked = monotable_check::check(MODEL);
    let model = checked
        .model
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    let counting = Arc::new(Counting {
        engine: Engine::in_memory().unwrap(),
        calls: AtomicUsize::new(0),
    });
    let store = Store::new(model, Arc::clone(&counting)).tenant("home");
    store.setup().await.unwrap();
    for (id, at) in entries {
        let entry = Item::new().with("entryId", *id).with("at", *at);
        store.create("Entry", entry).await.unwrap();
    }
    World { counting, store }
}

/// Rows over weeks: two on a day, none on most.
const ENTRIES: &[(&str, &str)] = &[
    ("a", "2025-09-01T08:00:00Z"),
    ("b", "2025-09-01T23:59:59Z"),
    ("c", "2025-09-20T04:59:59Z"),
    ("d", "2025-09-20T05:00:00Z"),
    ("e", "2025-09-20T23:00:00Z"),
    ("f", "2025-09-21T04:59:59Z"),
    ("g", "2025-09-21T05:00:00Z"),
    ("h", "2025-12-24T18:00:00Z"),
];

fn range(from: &str, to: &str) -> Item {
    Item::new().with("at.from", from).with("at.to", to)
}

fn ids(page: &Page) -> String {
    named(page, "entryId")
}

fn named(page: &Page, name: &str) -> String {
    let texts = page.rows.iter().map(|row| match row.values.get(name) {
        Some(AttributeValue::S(text)) => text.clone(),
        other => panic!("{other:?}"),
    });
    texts.collect()
}

/// All pages of a pattern, each with its rows.
async fn pages(
    store: &Store,
    pattern: &str,
    given: &Item,
    limit: usize,
    descending: bool,
) -> Vec<String> {
    let mut pages = Vec::new();
    let mut cursor = None;
    loop {
        let mut call = store.query(pattern, given.clone()).limit(limit);
        if descending {
            call = call.descending();
        }
        if let Some(cursor) = cursor {
            call = call.after(cursor);
        }
        let page = call.await.unwrap();
        pages.push(ids(&page));
        cursor = page.cursor;
        if cursor.is_none() {
            return pages;
        }
    }
}

fn refusal(result: Result<Page, Error>) -> String {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Validation, "{error}");
    error.to_string()
}

#[tokio::test]
async fn days_are_read_in_turn() {
    let World { store, .. } = world(ENTRIES).await;
    let all = range("2025-09-01T08:00:00Z", "2025-12-31T00:00:00Z");
    let page = store.query("between", all.clone()).await.unwrap();
    assert_eq!(ids(&page), "abcdefgh");
    assert_eq!(page.cursor, None);
    let page = store
        .query("between", all.clone())
        .descending()
        .await
        .unwrap();
    assert_eq!(ids(&page), "hgfedcba");
    // Times hold inside the first and the last day.
    let part = range("2025-09-01T09:00:00Z", "2025-09-21T04:59:59Z");
    let page = store.query("between", part.clone()).await.unwrap();
    assert_eq!(ids(&page), "bcdef");
    // Without a condition on the sort key the days are whole.
    let page = store.query("whole_days", part).await.unwrap();
    assert_eq!(ids(&page), "gfedcba");
    // A day alone is all of it.
    let days = range("2025-09-20", "2025-09-21");
    let page = store.query("between", days).await.unwrap();
    assert_eq!(ids(&page), "cdefg");
    let one = Item::new().with("at", "2025-09-20");
    let page = store.query("between", one).await.unwrap();
    assert_eq!(ids(&page), "cde");
}

#[tokio::test]
async fn one_cursor_goes_on_over_days() {
    let World { store, .. } = world(ENTRIES).await;
    let all = range("2025-08-01", "2026-01-31");
    for limit in 1..=9 {
        for (descending, wanted) in [(false, "abcdefgh"), (true, "hgfedcba")] {
            let pages = pages(&store, "between", &all, limit, descending).await;
            assert_eq!(pages.concat(), wanted, "{limit} {descending}");
            let (last, full) = pages.split_last().unwrap();
            assert!(full.iter().all(|page| page.len() == limit), "{pages:?}");
            assert!(last.len() <= limit);
        }
    }
}

#[tokio::test]
async fn a_cursor_serves_its_question_only() {
    let World { store, .. } = world(ENTRIES).await;
    let all = range("2025-08-01", "2026-01-31");
    let page = store.query("between", all.clone()).limit(3).await.unwrap();
    let cursor = page.cursor.unwrap();
    let other = range("2025-08-01", "2026-01-30");
    assert!(
        store
            .query("between", other)
            .after(cursor.clone())
            .await
            .is_err()
    );
    let foreign = store.tenant("away");
    assert!(
        foreign
            .query("between", all.clone())
            .after(cursor.clone())
            .await
            .is_err()
    );
    let back = store
        .query("between", all.clone())
        .descending()
        .after(cursor.clone());
    assert!(back.await.is_err());
    let mut changed = cursor.clone();
    changed.replace_range(..1, if cursor.starts_with('A') { "B" } else { "A" });
    assert!(
        store
            .query("between", all.clone())
            .after(changed)
            .await
            .is_err()
    );
    let next = store.query("between", all).after(cursor).await.unwrap();
    assert_eq!(ids(&next), "defgh");
}

#[tokio::test]
async fn empty_days_are_passed_quickly() {
    let World { store, counting } = world(ENTRIES).await;
    let empty = range("2025-09-22", "2025-12-31");
    let before = counting.calls.load(Ordering::SeqCst);
    let mut rounds = store.machine(
        monotable_store::AnyOperation::Query(monotable_store::Query {
            pattern: "between".to_owned(),
            parameters: empty.clone(),
            limit: Some(1),
            ..Default::default()
        }),
        monotable_store::Options::default(),
    );
    let mut count = 0;
    let mut answers = Vec::new();
    let page = loop {
        match rounds.step(answers) {
            monotable_store::Step::Send(requests) => {
                count += 1;
                answers = Vec::new();
                for request in requests {
                    let result = counting.call(request).await;
                    answers.push(monotable_store::Answer::first(result));
                }
            }
            monotable_store::Step::Done(result) => break result.unwrap(),
            monotable_store::Step::Wait(_) => panic!("it reads only"),
        }
    };
    let monotable_store::AnyOutput::Page(page) = page else {
        panic!("a page");
    };
    assert_eq!(ids(&page), "h");
    assert!(count < 15, "{count} rounds for 94 days");
    let asked = counting.calls.load(Ordering::SeqCst) - before;
    assert!(asked <= 101, "{asked}: each day once");
}

#[tokio::test]
async fn a_local_day_is_two_days_of_utc() {
    let World { store, .. } = world(ENTRIES).await;
    let local = range("2025-09-20T00:00:00-05:00", "2025-09-20T23:59:59-05:00");
    let page = store.query("between", local.clone()).await.unwrap();
    assert_eq!(ids(&page), "def");
    let pages = pages(&store, "between", &local, 1, true).await;
    assert_eq!(pages.concat(), "fed");
}

#[tokio::test]
async fn ranges_of_days_have_two_ends() {
    let World { store, .. } = world(&[]).await;
    let ask = |given: Item| store.query("between", given);
    let text = refusal(ask(Item::new()).await);
    assert!(
        text.contains("`at.from` is required") && text.contains("`at.to` is required"),
        "{text}"
    );
    let text = refusal(ask(Item::new().with("at.from", "2025-09-20")).await);
    assert!(text.contains("`at.to` is required"), "{text}");
    let text = refusal(ask(range("2025-09-20", "2025-09-19")).await);
    assert!(text.contains("no earlier than `at.from`"), "{text}");
    let text = refusal(ask(range("2025-09-20T10:00:00Z", "2025-09-20T09:00:00Z")).await);
    assert!(text.contains("no less than `at.from`"), "{text}");
    let text = refusal(ask(range("1925-09-20", "2025-09-20")).await);
    assert!(text.contains("3700 days"), "{text}");
    let text = refusal(ask(range("2025-09", "2025-10")).await);
    assert!(text.contains("a time or a day"), "{text}");
}

#[tokio::test]
async fn two_times_of_one_day_say_which() {
    let World { store, .. } = world(ENTRIES).await;
    let ask = |given: Item| store.query("of_one_day", given);
    let page = ask(range("2025-09-20T05:00:00Z", "2025-09-20T22:00:00Z"))
        .await
        .unwrap();
    assert_eq!(ids(&page), "d");
    let from = Item::new().with("at.from", "2025-09-20T05:00:00Z");
    assert_eq!(ids(&ask(from).await.unwrap()), "de");
    let text = refusal(ask(range("2025-09-20T05:00:00Z", "2025-09-21T05:00:00Z")).await);
    assert!(text.contains("one partition"), "{text}");
    let text = refusal(ask(Item::new()).await);
    assert!(text.contains("`at` is required"), "{text}");
}

#[tokio::test]
async fn shards_are_merged_in_order() {
    // Some rows have the same sort key in different shards, and in one.
    let many: Vec<(String, String)> = (0..40)
        .map(|number: u32| {
            let at = format!("2025-09-20T10:{:02}:00Z", number * 7 % 40 / 3);
            (format!("e{number:02}"), at)
        })
        .collect();
    let entries: Vec<_> = many
        .iter()
        .map(|(id, at)| (id.as_str(), at.as_str()))
        .collect();
    let World { store, .. } = world(&entries).await;
    let all = store.query("everything", Item::new()).await.unwrap();
    assert_eq!(all.rows.len(), 40);
    assert_eq!(all.cursor, None);
    let times = named(&all, "at");
    let mut sorted: Vec<_> = times.split_inclusive("+0000").collect();
    sorted.sort_unstable();
    assert_eq!(times, sorted.concat());
    let back = store.query("everything", Item::new()).descending();
    let back = back.await.unwrap();
    sorted.reverse();
    assert_eq!(named(&back, "at"), sorted.concat());
    for limit in [1, 2, 3, 5, 13, 39, 40, 41] {
        for (descending, whole) in [(false, &all), (true, &back)] {
            let pages = pages(&store, "everything", &Item::new(), limit, descending).await;
            assert_eq!(pages.concat(), ids(whole), "{limit} {descending}");
            let (_, full) = pages.split_last().unwrap();
            assert!(full.iter().all(|page| page.len() == limit * "e00".len()));
        }
    }
    let some = range("2025-09-20T10:03:00Z", "2025-09-20T10:05:00Z");
    let page = store
        .query("everything_between", some.clone())
        .await
        .unwrap();
    assert_eq!(page.rows.len(), 9);
    for limit in [1, 2, 4] {
        for descending in [false, true] {
            let pages = pages(&store, "everything_between", &some, limit, descending).await;
            assert_eq!(pages.concat().len(), ids(&page).len());
        }
    }
}

#[tokio::test]
async fn shards_of_the_table_itself() {
    let World { store, .. } = world(&[]).await;
    for id in ["a", "b", "c", "d", "e", "f"] {
        store
            .create("Line", Item::new().with("lineId", id))
            .await
            .unwrap();
    }
    let page = store
        .query("lines", Item::new())
        .consistent()
        .await
        .unwrap();
    assert_eq!(named(&page, "lineId"), "abcdef");
    let some = Item::new().with("lineId.from", "b").with("lineId.to", "d");
    let page = store.query("lines", some).await.unwrap();
    assert_eq!(named(&page, "lineId"), "bcd");
}

#[tokio::test]
async fn what_spreads_rows_is_no_parameter() {
    let World { store, .. } = world(ENTRIES).await;
    let given = Item::new().with("entryId", "a");
    let text = refusal(store.query("everything", given).await);
    assert!(text.contains("`entryId`"), "{text}");
}
