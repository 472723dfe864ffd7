//! Settings of a table that `setup` sends beside CreateTable.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_api::{
    BoxFuture, DescribeContinuousBackupsInput, DescribeTimeToLiveInput, Dynamo, Error,
    PointInTimeRecoveryStatus, Request, Response, TimeToLiveStatus, UpdateTimeToLiveInput,
};
use monotable_engine::{Engine, EngineOptions, ManualClock};
use monotable_item::{Item, Number};
use monotable_store::{ErrorKind, Store};
use std::sync::Arc;
use std::time::{Duration, Instant};

const MODEL: &str = r##"
monotable = 1
model     = "sessions"

[table.Main]
key = ["PK", "SK"]
ttl = "expiresAt"

[entity.Session]
key = ["SESSION#{sessionId}", "SESSION"]

[entity.Session.attributes]
sessionId = "text, matches = /[a-z0-9]{1,20}/"
expiresAt = "epoch?"
"##;

const NOW: u64 = 1_763_467_200;

fn store(text: &str, dynamo: impl Dynamo + 'static) -> Store {
    let model = monotable_check::check(text).model.expect("a sound model");
    Store::new(model, dynamo).with_clock(|| NOW as i64 * 1_000_000)
}

fn status(engine: &Engine) -> (Option<TimeToLiveStatus>, Option<String>) {
    let described = engine.describe_time_to_live(DescribeTimeToLiveInput::new("Main"));
    let described = described.unwrap().time_to_live_description.unwrap();
    (described.time_to_live_status, described.attribute_name)
}

#[tokio::test]
async fn setup_lets_expired_rows_go() {
    let clock = Arc::new(ManualClock::at(Duration::from_secs(NOW)));
    let options = EngineOptions::new().clock(Arc::clone(&clock) as _);
    let engine = options.in_memory().unwrap();
    let store = store(MODEL, engine.clone());
    let report = store.setup().await.unwrap();
    assert_eq!(report[0].changed, ["time to live"]);
    assert_eq!(report[0].lacks, Vec::<&str>::new());
    let enabled = (
        Some(TimeToLiveStatus::Enabled),
        Some("expiresAt".to_owned()),
    );
    assert_eq!(status(&engine), enabled);
    // What is so already is not changed.
    let again = store.setup().await.unwrap();
    assert!(!again[0].new && again[0].changed.is_empty());
    let session = |id: &str, expires: u64| {
        Item::new().with("sessionId", id).with(
            "expiresAt",
            monotable_item::AttributeValue::N(Number::from(expires)),
        )
    };
    store
        .create("Session", session("a", NOW + 60))
        .await
        .unwrap();
    store
        .create("Session", session("b", NOW + 6000))
        .await
        .unwrap();
    clock.advance(Duration::from_secs(600));
    let began = Instant::now();
    let count = || {
        let scanned = engine.scan(monotable_api::ScanInput::new("Main")).unwrap();
        let items = scanned.items.unwrap_or_default();
        let sessions = items
            .iter()
            .filter(|item| item.to_item().get("sessionId").is_some());
        sessions.count()
    };
    while count() > 1 {
        assert!(began.elapsed() < Duration::from_secs(120), "it never goes");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(count(), 1);
}

#[tokio::test]
async fn another_attribute_is_an_error() {
    let engine = Engine::in_memory().unwrap();
    let plain = store(&MODEL.replace("ttl = \"expiresAt\"\n", ""), engine.clone());
    // A model without a time to live asks for nothing.
    assert!(plain.setup().await.unwrap()[0].changed.is_empty());
    assert_eq!(status(&engine).0, Some(TimeToLiveStatus::Disabled));
    let enable = UpdateTimeToLiveInput::enable("Main", "other");
    engine.update_time_to_live(enable).unwrap();
    let error = store(MODEL, engine.clone()).setup().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Integrity);
    assert!(error.to_string().contains("expire by `other`"), "{error}");
    assert_eq!(status(&engine).1.as_deref(), Some("other"));
}

/// A target that knows nothing of expiry.
struct Without(Engine);

impl Dynamo for Without {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        match request {
            Request::DescribeTimeToLive(_) | Request::UpdateTimeToLive(_) => {
                let message = "no such operation".to_owned();
                Box::pin(async { Err(Error::UnknownOperationException { message }) })
            }
            request => Dynamo::call(&self.0, request),
        }
    }
}

#[tokio::test]
async fn a_target_without_it_is_told_of() {
    let store = store(MODEL, Without(Engine::in_memory().unwrap()));
    let report = store.setup().await.unwrap();
    assert_eq!(report[0].lacks, ["time to live"]);
}

#[tokio::test]
async fn setup_turns_recovery_and_the_stream_on() {
    let engine = Engine::in_memory().unwrap();
    store(MODEL, engine.clone()).setup().await.unwrap();
    let more = "ttl = \"expiresAt\"\npitr = true\nstream = \"new\"\n";
    let declared = MODEL.replace("ttl = \"expiresAt\"\n", more);
    let store_of = |text: &str| store(text, engine.clone());
    // A table that was there before gets both.
    let report = store_of(&declared).setup().await.unwrap();
    assert_eq!(report[0].changed, ["point-in-time recovery", "stream"]);
    let again = store_of(&declared).setup().await.unwrap();
    assert!(again[0].changed.is_empty());
    let described = DescribeContinuousBackupsInput::new("Main");
    let described = engine.describe_continuous_backups(described).unwrap();
    let backups = described.continuous_backups_description.unwrap();
    let recovery = backups.point_in_time_recovery_description.unwrap();
    assert_eq!(
        recovery.point_in_time_recovery_status,
        Some(PointInTimeRecoveryStatus::Enabled)
    );
    // A stream that shows something else is left as it is.
    let other = declared.replace("\"new\"", "\"keys\"");
    let error = store_of(&other).setup().await.unwrap_err();
    assert!(
        error.to_string().contains("shows something else"),
        "{error}"
    );
}
