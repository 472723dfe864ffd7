//! The order of records when many write at once, and while streams are switched.

use crate::consumer::{all, iterator, number, shard_ids, shards};
use crate::{HOUR, TABLE, clock, key, latest, options, stores, switch, table};
use monotable_api::{
    Error, GetRecordsInput, GetShardIteratorInput, ListStreamsInput, OperationType, Record,
    StreamSpecification, StreamViewType, TransactPut, TransactWriteItemsInput, UpdateItemInput,
};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item, Number};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;

fn count(engine: &Engine, id: &str) {
    let update = UpdateItemInput::new(TABLE, key(id)).update("ADD n :one");
    engine.update_item(update.value(":one", 1)).unwrap();
}

fn counted(item: Option<&monotable_item::EncodedItem>) -> u64 {
    let item = item.map(|item| item.to_item()).unwrap_or_default();
    match item.get("n") {
        Some(AttributeValue::N(number)) => number.to_string().parse().unwrap(),
        None => 0,
        other => panic!("{other:?}"),
    }
}

/// Whether every record goes on where the one before it about the same item ended.
fn assert_in_order(records: &[Record], items: &mut BTreeMap<String, u64>) {
    assert!(
        records
            .windows(2)
            .all(|pair| number(&pair[0]) < number(&pair[1]))
    );
    for record in records {
        let change = record.dynamodb.as_ref().unwrap();
        let key = format!("{:?}", change.keys.as_ref().unwrap().to_item());
        let item = items.entry(key).or_default();
        assert_eq!(counted(change.old_image.as_ref()), *item);
        assert_eq!(counted(change.new_image.as_ref()), *item + 1);
        let is_new = record.event_name == Some(OperationType::Insert);
        assert_eq!(is_new, *item == 0);
        *item += 1;
    }
}

#[test]
fn concurrent_writers_leave_one_story_of_each_item() {
    stores::on_each(
        || options(&clock()),
        |engine| {
            engine
                .create_table(table().stream(StreamViewType::NewAndOldImages))
                .unwrap();
            thread::scope(|scope| {
                for _ in 0..4 {
                    scope.spawn(|| (0..50).for_each(|n| count(engine, &(n % 5).to_string())));
                }
            });
            let records = all(engine, &latest(engine));
            assert_eq!(records.len(), 200);
            assert_in_order(&records, &mut BTreeMap::new());
            stores::assert_sound(engine);
        },
    );
}

#[test]
fn a_transaction_is_told_in_the_order_of_its_actions() {
    let engine = crate::engine(&clock(), StreamViewType::NewImage);
    let item = |n: i64| {
        Item::new()
            .with("id", (9 - n).to_string())
            .with("n", Number::from(n))
    };
    let puts = (0..5).map(|n| TransactPut::new(TABLE, item(n)));
    let transaction = TransactWriteItemsInput::new(puts);
    engine.transact_write_items(transaction).unwrap();
    let records = all(&engine, &latest(&engine));
    let told: Vec<u64> = records
        .iter()
        .map(|record| counted(record.dynamodb.as_ref().unwrap().new_image.as_ref()))
        .collect();
    assert_eq!(told, [0, 1, 2, 3, 4]);
}

/// A write that was prepared before the stream was switched must not be told of with an old state of the item.
#[test]
fn streams_that_are_switched_under_load_tell_nothing_wrong() {
    let engine = options(&clock()).in_memory().unwrap();
    engine.create_table(table()).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut n = 0;
                while !done.load(Ordering::Relaxed) {
                    // Blind as long as there is no stream.
                    let item = key("x").with("n", Number::from(n));
                    let put = monotable_api::PutItemInput::new(TABLE, item);
                    engine.put_item(put).unwrap();
                    n += 1;
                }
            });
        }
        for _ in 0..120 {
            switch(
                &engine,
                StreamSpecification::enabled(StreamViewType::NewAndOldImages),
            );
            thread::sleep(std::time::Duration::from_millis(1));
            switch(&engine, StreamSpecification::disabled());
        }
        done.store(true, Ordering::Relaxed);
    });
    let streams = engine
        .list_streams(ListStreamsInput::new())
        .unwrap()
        .streams;
    assert_eq!(streams.len(), 100, "a page");
    let mut told = 0;
    for stream in streams {
        let records = all(&engine, &stream.stream_arn.unwrap());
        told += records.len();
        for pair in records.windows(2) {
            let change = |at: usize| pair[at].dynamodb.as_ref().unwrap();
            assert_eq!(change(0).new_image, change(1).old_image);
        }
    }
    assert!(told > 0);
    stores::assert_sound(&engine);
}

/// Follows a stream from shard to shard, until it has come to the end of what was written when `done` is set.
fn follow(engine: &Engine, stream: &str, done: &AtomicBool) -> Vec<Record> {
    let mut told: Vec<Record> = Vec::new();
    let mut shard = shard_ids(engine, stream)[0].clone();
    // Of the shard that is being read.
    let mut last: Option<String> = None;
    'shards: loop {
        let mut next = Some(iterator(
            engine,
            match &last {
                None => GetShardIteratorInput::trim_horizon(stream, &shard),
                Some(last) => GetShardIteratorInput::after(stream, &shard, last),
            },
        ));
        while let Some(iterator) = next {
            // Before the page: what comes after it is then not missed.
            let was_done = done.load(Ordering::Acquire);
            let page = match engine.get_records(GetRecordsInput::new(iterator).limit(7)) {
                Ok(page) => page,
                // The clock was moved on.
                Err(Error::ExpiredIteratorException { .. }) => continue 'shards,
                Err(error) => panic!("{error}"),
            };
            next = page.next_shard_iterator;
            if was_done && page.records.is_empty() && next.is_some() {
                return told;
            }
            last = page.records.last().map(number).or(last);
            told.extend(page.records);
        }
        let shards = shards(engine, stream).into_iter();
        let mut children = shards.filter(|child| child.parent_shard_id.as_ref() == Some(&shard));
        shard = children.next().unwrap().shard_id.unwrap();
        last = None;
    }
}

#[test]
fn who_follows_while_shards_are_closed_misses_nothing_and_reads_nothing_twice() {
    const ROLLS: u32 = 5;
    let clock = clock();
    let engine = crate::engine(&clock, StreamViewType::KeysOnly);
    let stream = latest(&engine);
    let (rolled, done, written) = (
        AtomicBool::new(false),
        AtomicBool::new(false),
        AtomicU32::new(0),
    );
    let told = thread::scope(|scope| {
        let follower = scope.spawn(|| follow(&engine, &stream, &done));
        let write = |writer: u32| {
            for n in 0.. {
                if rolled.load(Ordering::Relaxed) {
                    return;
                }
                crate::put(&engine, &format!("{writer}-{n}"), "x");
                written.fetch_add(1, Ordering::Relaxed);
            }
        };
        let writers = [0, 1, 2].map(|writer| scope.spawn(move || write(writer)));
        for _ in 0..ROLLS {
            thread::sleep(std::time::Duration::from_millis(50));
            clock.advance(4 * HOUR);
            engine.background_step().unwrap();
        }
        thread::sleep(std::time::Duration::from_millis(50));
        rolled.store(true, Ordering::Relaxed);
        for writer in writers {
            writer.join().unwrap();
        }
        done.store(true, Ordering::Release);
        follower.join().unwrap()
    });
    assert_eq!(told.len(), written.load(Ordering::Relaxed) as usize);
    let numbers: Vec<String> = told.iter().map(number).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(shards(&engine, &stream).len(), ROLLS as usize + 1);
    assert_eq!(told, all(&engine, &stream));
}
