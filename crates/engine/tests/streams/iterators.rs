//! Places in a shard: where reading begins, where it ends, and how long an iterator serves.

use crate::consumer::{all, ids, iterator, number, page, shard_ids};
use crate::{TABLE, clock, engine, latest, put, switch};
use monotable_api::{
    Error, GetRecordsInput, GetShardIteratorInput, PutItemInput, ShardIteratorType,
    StreamSpecification, StreamViewType, Timestamp,
};
use monotable_item::Item;
use std::time::Duration;

#[test]
fn each_kind_begins_where_it_says() {
    let clock = clock();
    let engine = engine(&clock, StreamViewType::KeysOnly);
    let stream = latest(&engine);
    let shard = &shard_ids(&engine, &stream)[0];
    let latest_before = iterator(&engine, GetShardIteratorInput::latest(&stream, shard));
    for id in ["a", "b", "c", "d"] {
        put(&engine, id, "x");
        clock.advance(Duration::from_secs(10));
    }
    let records = all(&engine, &stream);
    let second = number(&records[1]);
    let at_time = |millis: u64| GetShardIteratorInput {
        shard_iterator_type: Some(ShardIteratorType::AtTimestamp.into()),
        timestamp: Some(Timestamp::from_millis(millis)),
        ..GetShardIteratorInput::latest(&stream, shard)
    };
    let begin = 1_763_467_200_500;
    for (input, expected) in [
        (GetShardIteratorInput::trim_horizon(&stream, shard), "abcd"),
        (GetShardIteratorInput::latest(&stream, shard), ""),
        (GetShardIteratorInput::at(&stream, shard, &second), "bcd"),
        (GetShardIteratorInput::after(&stream, shard, &second), "cd"),
        (at_time(begin - 1), "abcd"),
        (at_time(begin + 10_000), "bcd"),
        (at_time(begin + 10_001), "cd"),
        (at_time(begin + 30_000), "d"),
        (at_time(begin + 30_001), ""),
    ] {
        let found = page(&engine, &iterator(&engine, input.clone()));
        assert_eq!(ids(&found.records).concat(), expected, "{input:?}");
        assert!(found.next_shard_iterator.is_some());
    }
    let found = page(&engine, &latest_before);
    assert_eq!(ids(&found.records).concat(), "abcd");
    put(&engine, "e", "x");
    let next = page(&engine, &found.next_shard_iterator.unwrap());
    assert_eq!(ids(&next.records), ["e"]);
}

#[test]
fn pages_have_a_limit_and_join_without_a_gap() {
    let engine = engine(&clock(), StreamViewType::KeysOnly);
    let stream = latest(&engine);
    let shard = &shard_ids(&engine, &stream)[0];
    let names: Vec<String> = (0..7).map(|id| id.to_string()).collect();
    names.iter().for_each(|id| put(&engine, id, "x"));
    let mut next = iterator(&engine, GetShardIteratorInput::trim_horizon(&stream, shard));
    let mut told = Vec::new();
    for expected in [3, 3, 1, 0] {
        let answer = engine.get_records(GetRecordsInput::new(next).limit(3));
        let answer = answer.unwrap();
        assert_eq!(answer.records.len(), expected);
        told.extend(ids(&answer.records));
        next = answer.next_shard_iterator.unwrap();
    }
    assert_eq!(told, names);
}

#[test]
fn an_answer_has_a_megabyte_at_most() {
    let engine = engine(&clock(), StreamViewType::NewImage);
    let stream = latest(&engine);
    let shard = &shard_ids(&engine, &stream)[0];
    for id in 0..5 {
        let item = Item::new()
            .with("id", id.to_string())
            .with("body", "x".repeat(300_000));
        engine.put_item(PutItemInput::new(TABLE, item)).unwrap();
    }
    let first = page(
        &engine,
        &iterator(&engine, GetShardIteratorInput::trim_horizon(&stream, shard)),
    );
    assert_eq!(
        ids(&first.records),
        ["0", "1", "2"],
        "the fourth does not fit"
    );
    let second = page(&engine, &first.next_shard_iterator.unwrap());
    assert_eq!(ids(&second.records), ["3", "4"]);
}

#[test]
fn a_closed_shard_has_an_end() {
    let engine = engine(&clock(), StreamViewType::KeysOnly);
    let stream = latest(&engine);
    let shard = &shard_ids(&engine, &stream)[0];
    put(&engine, "a", "x");
    put(&engine, "b", "x");
    let latest = iterator(&engine, GetShardIteratorInput::latest(&stream, shard));
    switch(&engine, StreamSpecification::disabled());
    put(&engine, "c", "not told any more");
    let begin = iterator(&engine, GetShardIteratorInput::trim_horizon(&stream, shard));
    let first = engine
        .get_records(GetRecordsInput::new(&begin).limit(1))
        .unwrap();
    assert_eq!(ids(&first.records), ["a"]);
    let rest = page(&engine, &first.next_shard_iterator.unwrap());
    assert_eq!(ids(&rest.records), ["b"]);
    assert_eq!(rest.next_shard_iterator, None);
    for iterator in [
        latest,
        iterator(&engine, GetShardIteratorInput::latest(&stream, shard)),
    ] {
        let found = page(&engine, &iterator);
        assert_eq!((found.records.len(), found.next_shard_iterator), (0, None));
    }
}

#[test]
fn iterators_expire_after_a_quarter_of_an_hour() {
    let clock = clock();
    let engine = engine(&clock, StreamViewType::KeysOnly);
    let stream = latest(&engine);
    let shard = &shard_ids(&engine, &stream)[0];
    put(&engine, "a", "x");
    let begin = iterator(&engine, GetShardIteratorInput::trim_horizon(&stream, shard));
    clock.advance(Duration::from_secs(15 * 60));
    let next = page(&engine, &begin).next_shard_iterator.unwrap();
    clock.advance(Duration::from_millis(1));
    let expired = engine
        .get_records(GetRecordsInput::new(&begin))
        .unwrap_err();
    assert!(
        matches!(expired, Error::ExpiredIteratorException { .. }),
        "{expired}"
    );
    assert!(!expired.retryable());
    // Each answer brings a new one.
    clock.advance(Duration::from_secs(14 * 60));
    assert_eq!(page(&engine, &next).records.len(), 0);
}

/// The checksum keeps no secret, so anyone can make up an iterator. It reads the stream that it names, or nothing.
#[test]
fn an_iterator_names_the_stream_that_it_reads() {
    let clock = clock();
    let engine = engine(&clock, StreamViewType::KeysOnly);
    let stream = latest(&engine);
    let shard = &shard_ids(&engine, &stream)[0];
    put(&engine, "a", "x");
    let right = iterator(&engine, GetShardIteratorInput::trim_horizon(&stream, shard));
    let (content, _) = right.split_at(right.len() - 16);
    let renamed = |from: &str, to: &str| {
        let text = content.replacen(from, to, 1);
        let checksum = xxhash_rust::xxh3::xxh3_64(text.as_bytes());
        format!("{text}{checksum:016x}")
    };
    assert_eq!(renamed("", ""), right);
    assert_eq!(page(&engine, &right).records.len(), 1);
    let table = format!("table/{TABLE}/");
    for made_up in [
        renamed(&table, "table/Another/"),
        renamed("/stream/", "/stream/1"),
        renamed("arn:aws:dynamodb", "arn:aws:kinesis"),
        renamed(&stream, ""),
    ] {
        let refused = engine.get_records(GetRecordsInput::new(&made_up));
        assert_eq!(
            refused.unwrap_err().message(),
            "Invalid ShardIterator",
            "{made_up}"
        );
    }
}
