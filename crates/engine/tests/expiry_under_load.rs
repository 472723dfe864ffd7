//! While items expire, are written anew, changed and deleted, nothing goes but what has expired, and the stream tells of it.
//!
//! Each thread has keys of its own and knows what they must hold. The clock runs in leaps, and the background works all
//! the time.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    unreachable_pub,
    reason = "tests"
)]

#[path = "support/cases.rs"]
mod cases;
#[path = "support/stores.rs"]
mod stores;

use monotable_api::{
    CreateTableInput, DeleteItemInput, DescribeStreamInput, DescribeTableInput, Error,
    GetItemInput, GetRecordsInput, GetShardIteratorInput, GlobalSecondaryIndex, OperationType,
    PutItemInput, Record, ScalarAttributeType, ScanInput, StreamViewType, UpdateItemInput,
    UpdateTimeToLiveInput,
};
use monotable_engine::{Clock, Durability, Engine, EngineOptions, ManualClock};
use monotable_item::{AttributeValue, EncodedItem, Item, Number};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const TABLE: &str = "Sessions";
const START: u64 = 1_763_467_200;
const YEAR: u64 = 31_557_600;
const WRITERS: usize = 3;
const KEYS: u32 = 25;
const WRITES: u32 = 400;

/// Items by their ids.
type Model = BTreeMap<String, Item>;

fn table() -> CreateTableInput {
    CreateTableInput::new(TABLE, "id", ScalarAttributeType::S)
        .attribute("kind", ScalarAttributeType::S)
        .global_index(GlobalSecondaryIndex::new("byKind", "kind"))
        .stream(StreamViewType::NewAndOldImages)
}

fn key(id: &str) -> Item {
    Item::new().with("id", id)
}

/// When an item goes, as it says; in all the ways in which items are wrong about it, too.
fn expiry(dice: &mut fastrand::Rng, now: u64) -> Option<AttributeValue> {
    let number = |time: u64| Some(Number::from(time).into());
    match dice.u8(0..8) {
        0 | 1 => number(now - dice.u64(0..100)),
        2 | 3 => number(now + dice.u64(1..20)),
        4 => number(now + YEAR),
        5 => number(now - 6 * YEAR),
        6 => Some(now.to_string().into()),
        _ => None,
    }
}

/// Whether an item has expired at this time.
fn has_expired(item: &Item, now: u64) -> bool {
    match item.get("expires") {
        Some(AttributeValue::N(time)) => {
            (Number::from(now - 5 * YEAR)..=Number::from(now)).contains(time)
        }
        _ => false,
    }
}

struct Writer<'a> {
    engine: &'a Engine,
    clock: &'a ManualClock,
    dice: fastrand::Rng,
    name: usize,
    model: Model,
}

impl Writer<'_> {
    fn now(&self) -> u64 {
        self.clock.now().as_secs()
    }

    fn write(&mut self) {
        let id = format!("w{}k{}", self.name, self.dice.u32(0..KEYS));
        match self.dice.u8(0..8) {
            0 => {
                let delete = DeleteItemInput::new(TABLE, key(&id));
                self.engine.delete_item(delete).unwrap();
                self.model.remove(&id);
            }
            1 | 2 => self.touch(&id),
            3 => self.read(&id),
            _ => {
                let kind = ["A", "B"][self.dice.usize(0..2)];
                let mut item = key(&id).with("kind", kind).with("n", self.dice.u32(..));
                let now = self.now();
                if let Some(expires) = expiry(&mut self.dice, now) {
                    item = item.with("expires", expires);
                }
                let put = PutItemInput::new(TABLE, item.clone());
                self.engine.put_item(put).unwrap();
                self.model.insert(id, item);
            }
        }
    }

    /// Changes an item that is there. It may have gone, but only if it had expired.
    fn touch(&mut self, id: &str) {
        let n = Number::from(u64::from(self.dice.u32(..)));
        let update = UpdateItemInput::new(TABLE, key(id))
            .update("SET n = :n")
            .condition("attribute_exists(id)")
            .value(":n", n);
        match self.engine.update_item(update) {
            Ok(_) => {
                let item = self.model.get_mut(id).expect("an item that nobody wrote");
                *item = item.clone().with("n", n);
            }
            Err(Error::ConditionalCheckFailedException { .. }) => self.accept_absence(id),
            Err(error) => panic!("{error}"),
        }
    }

    fn read(&mut self, id: &str) {
        let read = self
            .engine
            .get_item(GetItemInput::new(TABLE, key(id)).consistent());
        match read.unwrap().item {
            Some(item) => assert_eq!(Some(&item.to_item()), self.model.get(id)),
            None => self.accept_absence(id),
        }
    }

    fn accept_absence(&mut self, id: &str) {
        if let Some(item) = self.model.remove(id) {
            let now = self.now();
            assert!(has_expired(&item, now), "{item:?} is gone at {now}");
        }
    }
}

fn scan(engine: &Engine, input: ScanInput) -> Model {
    let page = engine.scan(input).unwrap();
    assert!(page.last_evaluated_key.is_none());
    let items = page.items.unwrap_or_default();
    let items = items.iter().map(EncodedItem::to_item);
    items.map(|item| (id(&item), item)).collect()
}

fn id(item: &Item) -> String {
    match item.get("id") {
        Some(AttributeValue::S(id)) => id.clone(),
        other => panic!("{other:?}"),
    }
}

fn records(engine: &Engine) -> Vec<Record> {
    let described = engine.describe_table(DescribeTableInput::new(TABLE));
    let stream = described.unwrap().table.unwrap().latest_stream_arn.unwrap();
    let described = engine.describe_stream(DescribeStreamInput::new(&stream));
    let shards = described.unwrap().stream_description.unwrap().shards;
    let mut records = Vec::new();
    for shard in shards.unwrap() {
        let from = GetShardIteratorInput::trim_horizon(&stream, shard.shard_id.unwrap());
        let mut next = engine.get_shard_iterator(from).unwrap().shard_iterator;
        while let Some(iterator) = next {
            let page = engine.get_records(GetRecordsInput::new(iterator)).unwrap();
            next = page
                .next_shard_iterator
                .filter(|_| !page.records.is_empty());
            records.extend(page.records);
        }
    }
    records
}

/// Replays the stream; every record that is not a client's must remove what had expired when it was made.
fn assert_told(engine: &Engine, items: &Model) {
    let mut told = Model::new();
    let mut expired = 0;
    for record in records(engine) {
        let change = record.dynamodb.unwrap();
        let old = change.old_image.map(|image| image.to_item());
        let new = change.new_image.map(|image| image.to_item());
        let id = id(&change.keys.unwrap().to_item());
        assert_eq!(told.remove(&id), old, "{id}");
        if record.user_identity.is_some() {
            expired += 1;
            assert_eq!(record.event_name, Some(OperationType::Remove));
            let made = change.approximate_creation_date_time.unwrap();
            let old = old.unwrap();
            assert!(has_expired(&old, made.as_millis() / 1000), "{old:?}");
        }
        told.extend(new.map(|new| (id, new)));
    }
    assert_eq!(told, *items);
    assert!(expired > 0, "nothing has expired");
}

fn check(engine: &Engine, clock: &ManualClock, seed: u64) {
    engine.create_table(table()).unwrap();
    let enable = UpdateTimeToLiveInput::enable(TABLE, "expires");
    engine.update_time_to_live(enable).unwrap();
    let running = AtomicUsize::new(WRITERS);
    let mut model = Model::new();
    thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS)
            .map(|name| {
                let mut writer = Writer {
                    engine,
                    clock,
                    dice: fastrand::Rng::with_seed(seed << 8 | name as u64),
                    name,
                    model: Model::new(),
                };
                let running = Ending(&running);
                scope.spawn(move || {
                    let _running = running;
                    (0..WRITES).for_each(|_| writer.write());
                    writer.model
                })
            })
            .collect();
        let mut dice = fastrand::Rng::with_seed(seed);
        while running.load(Ordering::Relaxed) > 0 {
            clock.advance(Duration::from_millis(dice.u64(0..2_000)));
            engine.background_step().unwrap();
        }
        for writer in writers {
            model.extend(writer.join().unwrap());
        }
    });
    let now = clock.now().as_secs();
    model.retain(|_, item| !has_expired(item, now));
    engine.background_step().unwrap();
    assert_eq!(scan(engine, ScanInput::new(TABLE)), model);
    let indexed: Model = model
        .iter()
        .filter(|(_, item)| item.get("kind").is_some())
        .map(|(id, item)| (id.clone(), item.clone()))
        .collect();
    assert_eq!(scan(engine, ScanInput::new(TABLE).index("byKind")), indexed);
    assert_told(engine, &model);
    stores::assert_sound(engine);
}

/// Counts a writer down, also when an assertion has failed.
struct Ending<'a>(&'a AtomicUsize);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn options(clock: &Arc<ManualClock>) -> EngineOptions {
    let clock: Arc<dyn Clock> = Arc::<ManualClock>::clone(clock);
    EngineOptions::new().clock(clock)
}

fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at(Duration::from_secs(START)))
}

#[test]
fn in_memory() {
    for seed in 0..u64::from(cases::cases(10)) {
        let clock = clock();
        check(&options(&clock).in_memory().unwrap(), &clock, seed);
    }
}

#[test]
fn on_disk() {
    for seed in 0..u64::from(cases::cases(3)) {
        let clock = clock();
        let directory = tempfile::tempdir().unwrap();
        let options = options(&clock).durability(Durability::Relaxed);
        check(&options.open(directory.path()).unwrap(), &clock, seed);
    }
}
