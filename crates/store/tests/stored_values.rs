//! Rows whose stored values are not what the model writes, and rows whose time has come.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{DynamoExt, UpdateItemInput};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::{AttributeValue, Item};
use monotable_store::{Change, ErrorKind, Store};
use std::sync::Arc;
use std::time::Duration;

const SESSIONS: &str = r##"
monotable = 1
model     = "sessions"

[table.Main]
key = ["PK", "SK"]
ttl = "expiresAt"

[entity.Session]
is  = { Type = "Session" }
key = ["USER#{userId}", "SESSION#{sessionId}"]

[entity.Session.attributes]
userId    = "text, matches = /[a-z0-9]{1,20}/, movable"
sessionId = "text, matches = /[a-z0-9]{1,20}/"
device    = "text?"
scopes    = "[text](0..9), distinct, default = []"
expiresAt = "epoch?"

[move.hand_over]
of      = "Session"
changes = ["userId"]

[access.sessions]
key     = ["USER#{userId}", "SESSION#*"]
returns = ["Session"]
"##;

const NOW: i64 = 1_763_467_200;

async fn store() -> (Store, Arc<Engine>) {
    let checked = monotable_check::check(SESSIONS);
    let model = checked.model.expect("a sound model");
    // An hour behind: rows that have expired for the store are still there.
    let late = ManualClock::at(Duration::from_secs(NOW.unsigned_abs() - 3600));
    let options = EngineOptions::new().clock(Arc::new(late));
    let engine = Arc::new(options.in_memory().unwrap());
    let store = Store::new(model, Arc::clone(&engine)).with_clock(|| NOW * 1_000_000);
    store.setup().await.unwrap();
    (store, engine)
}

fn key() -> Item {
    Item::new().with("userId", "ann").with("sessionId", "s1")
}

fn set(name: &str, value: &str) -> Change {
    Change {
        set: Item::new().with(name, value),
        ..Change::default()
    }
}

#[tokio::test]
async fn an_expired_row_takes_neither_updates_nor_moves() {
    let (store, _) = store().await;
    let late = key().with("expiresAt", NOW - 1);
    store.create("Session", late).await.unwrap();
    let gone = store.get("Session", key()).await.unwrap_err();
    assert_eq!(gone.kind(), ErrorKind::NotFound);
    let updated = store.update("Session", key(), set("device", "phone")).await;
    assert_eq!(updated.unwrap_err().kind(), ErrorKind::NotFound);
    let to = Item::new().with("userId", "bob");
    let moved = store.move_row("hand_over", key(), to).await;
    assert_eq!(moved.unwrap_err().kind(), ErrorKind::NotFound);
    store.delete("Session", key()).await.unwrap();
    // A row whose time has not come takes both.
    store
        .create("Session", key().with("expiresAt", NOW + 60))
        .await
        .unwrap();
    store
        .update("Session", key(), set("device", "phone"))
        .await
        .unwrap();
    let to = Item::new().with("userId", "bob");
    store.move_row("hand_over", key(), to).await.unwrap();
}

#[tokio::test]
async fn verify_reports_a_list_that_repeats_itself() {
    let (store, engine) = store().await;
    store.create("Session", key()).await.unwrap();
    assert!(store.verify().await.unwrap().violations.is_empty());
    let place = Item::new().with("PK", "USER#ann").with("SK", "SESSION#s1");
    let twice = AttributeValue::L(vec!["read".into(), "read".into()]);
    let update = UpdateItemInput::new("Main", place)
        .update("SET scopes = :0")
        .value(":0", twice);
    engine.update_item(update).await.unwrap();
    let violations = store.verify().await.unwrap().violations;
    let messages: Vec<_> = violations.iter().map(ToString::to_string).collect();
    assert_eq!(violations.len(), 1, "{messages:?}");
}
