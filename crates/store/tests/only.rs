//! `only` of a pattern: the answer has these attributes and no others, and no more is read than what decides about a row.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{Page, Store};
use serde_json::Value;
use std::sync::{Arc, Mutex};

const MODEL: &str = r#"
monotable = 1
model     = "notes"

[principal]
userId = "text"

[table.Main]
key  = ["PK", "SK"]
GSI1 = ["GSI1PK", "GSI1SK"]
ttl  = "expires"

[entity.User]
is  = { kind = "User" }
key = ["USER#{userId}", "USER"]
[entity.User.attributes]
userId = "text, matches = /[a-z]+/"
name   = "text"

[entity.Note]
is  = { kind = "Note" }
key = ["USER#{userId}", "NOTE#{noteId}"]
GSI1 = ["STATE#{state}", "{noteId}"]
allow.read = "owner = principal.userId OR shared = true"
tombstone  = { gone = true }
[entity.Note.attributes]
userId  = "-> User, on_delete = cascade"
noteId  = "text, matches = /[a-z0-9]+/"
state   = "open | done"
owner   = "text"
shared  = "boolean?"
gone    = "boolean?"
title   = "text"
rank    = "integer"
body    = "text?, stored = b"
expires = "epoch?"

[entity.Old]
is  = { kind = "Old" }
key = ["OLD#{oldId}", "OLD"]
[entity.Old.attributes]
oldId = "text"
title = "text, alias = caption"
body  = "text?"

[access.titles]
key     = ["USER#{userId}", "NOTE#*"]
returns = ["Note"]
filter  = "rank > 1"
follow  = "userId"
only    = ["title", "body"]

[access.open_titles]
GSI1    = ["STATE#{state}", "*"]
returns = ["Note"]
only    = ["title"]

[access.title]
key     = ["USER#{userId}", "NOTE#{noteId}"]
returns = ["Note"]
only    = ["title"]

[access.notes_of_open]
steps = ["open_titles", "title"]

[access.old]
key     = ["OLD#{oldId}", "OLD"]
returns = ["Old"]
only    = ["title"]
"#;

/// An engine, and the bodies of the reads that it was sent.
#[derive(Clone)]
struct Recorder {
    engine: Arc<Engine>,
    sent: Arc<Mutex<Vec<Value>>>,
}

impl Dynamo for Recorder {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        if matches!(request, Request::Query(_) | Request::GetItem(_)) {
            let mut body = Vec::new();
            request.write_json(&mut body).unwrap();
            let body = serde_json::from_slice(&body).unwrap();
            self.sent.lock().unwrap().push(body);
        }
        self.engine.call(request)
    }
}

impl Recorder {
    /// The attributes that each read since then has asked for; none if it has asked for all.
    fn projections(&self) -> Vec<Option<Vec<String>>> {
        let sent = std::mem::take(&mut *self.sent.lock().unwrap());
        sent.iter().map(projection).collect()
    }
}

fn projection(body: &Value) -> Option<Vec<String>> {
    let names = &body["ExpressionAttributeNames"];
    let text = body["ProjectionExpression"].as_str()?;
    let name = |placeholder: &str| names[placeholder].as_str().unwrap().to_owned();
    let mut all: Vec<_> = text.split(", ").map(name).collect();
    all.sort();
    Some(all)
}

async fn filled() -> (Store, Recorder) {
    let recorder = Recorder {
        engine: Arc::new(Engine::in_memory().unwrap()),
        sent: Arc::default(),
    };
    let reading = monotable_model::read(MODEL);
    let model = reading
        .model
        .unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
    let store = Store::new(model, recorder.clone()).with_clock(|| 1_763_467_200_000_000);
    store.setup().await.unwrap();
    let user = Item::new().with("userId", "ann").with("name", "Ann");
    store.create("User", user).await.unwrap();
    let note = |id: &str, rank: i64| {
        Item::new()
            .with("userId", "ann")
            .with("noteId", id)
            .with("state", "open")
            .with("owner", "ann")
            .with("title", id)
            .with("rank", monotable_item::AttributeValue::N(rank.into()))
            .with("body", "long")
    };
    let rows = [
        note("low", 1),
        note("high", 2),
        note("shared", 2).with("owner", "bob").with("shared", true),
        note("secret", 2).with("owner", "bob"),
        note("deleted", 2),
        note("late", 2).with("expires", monotable_item::AttributeValue::N(1.into())),
    ];
    for row in rows {
        store.create("Note", row).await.unwrap();
    }
    let deleted = Item::new().with("userId", "ann").with("noteId", "deleted");
    store.delete("Note", deleted).await.unwrap();
    let old = Item::new()
        .with("oldId", "o")
        .with("title", "t")
        .with("body", "b");
    store.create("Old", old).await.unwrap();
    recorder.projections();
    (store, recorder)
}

fn shown(page: &Page) -> Vec<Item> {
    page.rows.iter().map(|row| row.values.clone()).collect()
}

#[tokio::test]
async fn only_cuts_the_answer_down_and_reads_what_decides() {
    let (store, recorder) = filled().await;
    let ann = store.as_principal(Item::new().with("userId", "ann"));
    let page = ann.query("titles", Item::new().with("userId", "ann"));
    let page = page.await.unwrap();
    // Rank, owner, shared, gone and expires decide, and are not shown.
    let row = |title: &str| Item::new().with("title", title).with("body", "long");
    assert_eq!(shown(&page), [row("high"), row("shared")]);
    assert_eq!(page.hidden, 1);
    assert_eq!(page.followed.len(), 1);
    assert_eq!(page.followed[0].text("name"), "Ann");
    let sent = recorder.projections();
    let projected = sent[0].as_ref().expect("a projection");
    for needed in [
        "PK", "SK", "GSI1PK", "GSI1SK", "kind", "title", "b", "rank", "owner", "shared", "gone",
        "expires", "userId", "noteId",
    ] {
        assert!(projected.contains(&needed.to_owned()), "{projected:?}");
    }
    assert!(!projected.contains(&"body".to_owned()), "{projected:?}");
}

#[tokio::test]
async fn only_leaves_out_what_nothing_needs() {
    let (store, recorder) = filled().await;
    let page = store.query(
        "title",
        Item::new().with("userId", "ann").with("noteId", "high"),
    );
    let page = page.await.unwrap();
    assert_eq!(shown(&page), [Item::new().with("title", "high")]);
    let sent = recorder.projections();
    let projected = sent[0].as_ref().expect("a projection");
    assert!(!projected.contains(&"b".to_owned()), "{projected:?}");
    assert!(!projected.contains(&"rank".to_owned()), "{projected:?}");
}

#[tokio::test]
async fn pages_of_only_follow_each_other() {
    let (store, _) = filled().await;
    let mut titles = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let mut call = store
            .query("open_titles", Item::new().with("state", "open"))
            .limit(1);
        if let Some(cursor) = cursor {
            call = call.after(cursor);
        }
        let page = call.await.unwrap();
        titles.extend(page.rows.iter().map(|row| row.text("title").to_owned()));
        match page.cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    assert_eq!(titles, ["high", "low", "secret", "shared"]);
}

#[tokio::test]
async fn only_of_a_part_does_not_take_from_the_next_part() {
    let (store, recorder) = filled().await;
    let page = store.query("notes_of_open", Item::new().with("state", "open"));
    let page = page.await.unwrap();
    assert_eq!(page.rows.len(), 4);
    assert!(recorder.projections().iter().all(Option::is_none));
}

#[tokio::test]
async fn only_with_other_spellings_reads_everything_and_is_cut_down() {
    let (store, recorder) = filled().await;
    let page = store
        .query("old", Item::new().with("oldId", "o"))
        .await
        .unwrap();
    assert_eq!(shown(&page), [Item::new().with("title", "t")]);
    assert_eq!(recorder.projections(), [None]);
}
