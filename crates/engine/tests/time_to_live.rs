//! Items that go by themselves.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use monotable_api::{
    CreateTableInput, DescribeTimeToLiveInput, Error, GlobalSecondaryIndex, PutItemInput,
    QueryInput, ScalarAttributeType, ScanInput, TimeToLiveStatus, UpdateTimeToLiveInput,
};
use monotable_engine::{Clock, Engine, EngineOptions, ManualClock};
use monotable_item::{AttributeValue, Item, Number};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

const NOW: u64 = 1_763_467_200;
const YEAR: u64 = 31_557_600;

fn engine(clock: &Arc<ManualClock>) -> Engine {
    let clock: Arc<dyn Clock> = Arc::<ManualClock>::clone(clock);
    let engine = EngineOptions::new().clock(clock).in_memory().unwrap();
    let table = CreateTableInput::new("Sessions", "id", ScalarAttributeType::S)
        .attribute("kind", ScalarAttributeType::S)
        .global_index(GlobalSecondaryIndex::new("byKind", "kind"));
    engine.create_table(table).unwrap();
    engine
}

fn put(engine: &Engine, id: &str, expires: impl Into<AttributeValue>) {
    let item = Item::new()
        .with("id", id)
        .with("kind", "session")
        .with("expires", expires);
    engine
        .put_item(PutItemInput::new("Sessions", item))
        .unwrap();
}

fn ids(items: Option<Vec<monotable_item::EncodedItem>>) -> BTreeSet<String> {
    let items = items.unwrap_or_default();
    let ids = items.iter().map(|item| match item.to_item().get("id") {
        Some(AttributeValue::S(id)) => id.clone(),
        other => panic!("{other:?}"),
    });
    ids.collect()
}

fn stored(engine: &Engine) -> BTreeSet<String> {
    let page = engine.scan(ScanInput::new("Sessions")).unwrap();
    ids(page.items)
}

/// Waits until these are left, or says what is.
fn await_left(engine: &Engine, left: &[&str]) {
    let left: BTreeSet<String> = left.iter().map(|id| (*id).to_owned()).collect();
    for _ in 0..2_000 {
        if stored(engine) == left {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(stored(engine), left);
}

#[test]
fn expired_items_go_and_all_others_stay() {
    let clock = Arc::new(ManualClock::at(Duration::from_secs(NOW)));
    let engine = engine(&clock);
    put(&engine, "past", Number::from(NOW - 1));
    put(&engine, "now", Number::from(NOW));
    put(&engine, "soon", Number::from(NOW + 60));
    put(&engine, "text", (NOW - 1).to_string());
    put(&engine, "years ago", Number::from(NOW - 6 * YEAR));
    put(&engine, "milliseconds", Number::from(NOW * 1_000));
    // Nothing goes before it is said.
    thread::sleep(Duration::from_millis(700));
    assert_eq!(stored(&engine).len(), 6);
    let enable = UpdateTimeToLiveInput::enable("Sessions", "expires");
    engine.update_time_to_live(enable).unwrap();
    await_left(&engine, &["milliseconds", "soon", "text", "years ago"]);
    let query = QueryInput::new("Sessions", "kind = :0")
        .index("byKind")
        .value(":0", "session");
    let indexed = engine.query(query).unwrap();
    assert_eq!(ids(indexed.items), stored(&engine));
    clock.advance(Duration::from_secs(61));
    await_left(&engine, &["milliseconds", "text", "years ago"]);
}

#[test]
fn an_item_that_is_written_anew_stays() {
    let clock = Arc::new(ManualClock::at(Duration::from_secs(NOW)));
    let engine = engine(&clock);
    // Each change of the setting begins a pass.
    let passes = || {
        for _ in 0..400 {
            let enable = UpdateTimeToLiveInput::enable("Sessions", "expires");
            engine.update_time_to_live(enable).unwrap();
            let disable = UpdateTimeToLiveInput::disable("Sessions", "expires");
            engine.update_time_to_live(disable).unwrap();
        }
    };
    let writes = || {
        for round in 0..4_000 {
            let id = format!("s{round}");
            put(&engine, &id, Number::from(NOW - 1));
            put(&engine, &id, Number::from(NOW + 60));
        }
    };
    thread::scope(|scope| {
        scope.spawn(passes);
        scope.spawn(writes);
    });
    let input = ScanInput::new("Sessions");
    assert_eq!(engine.scan(input).unwrap().count, 4_000);
}

#[test]
fn the_setting_is_described_kept_and_refused_twice() {
    let folder = tempfile::tempdir().unwrap();
    let describe = |engine: &Engine| {
        let input = DescribeTimeToLiveInput::new("Sessions");
        let output = engine.describe_time_to_live(input).unwrap();
        let described = output.time_to_live_description.unwrap();
        (
            described.time_to_live_status.unwrap(),
            described.attribute_name,
        )
    };
    let message = |result: Result<_, Error>| result.map(drop).unwrap_err().to_string();
    {
        let engine = EngineOptions::new().open(folder.path()).unwrap();
        let table = CreateTableInput::new("Sessions", "id", ScalarAttributeType::S);
        engine.create_table(table).unwrap();
        assert_eq!(describe(&engine), (TimeToLiveStatus::Disabled, None));
        let disable = UpdateTimeToLiveInput::disable("Sessions", "expires");
        let refused = message(engine.update_time_to_live(disable));
        assert!(
            refused.contains("TimeToLive is already disabled"),
            "{refused}"
        );
        let enable = || UpdateTimeToLiveInput::enable("Sessions", "expires");
        engine.update_time_to_live(enable()).unwrap();
        let refused = message(engine.update_time_to_live(enable()));
        assert!(
            refused.contains("TimeToLive is already enabled"),
            "{refused}"
        );
        let other = UpdateTimeToLiveInput::enable("Sessions", "other");
        let refused = message(engine.update_time_to_live(other));
        assert!(
            refused.contains("current AttributeName is expires"),
            "{refused}"
        );
    }
    let engine = EngineOptions::new().open(folder.path()).unwrap();
    let enabled = (TimeToLiveStatus::Enabled, Some("expires".to_owned()));
    assert_eq!(describe(&engine), enabled);
    let disable = UpdateTimeToLiveInput::disable("Sessions", "expires");
    engine.update_time_to_live(disable).unwrap();
    assert_eq!(describe(&engine), (TimeToLiveStatus::Disabled, None));
}
