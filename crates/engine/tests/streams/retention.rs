//! How long records, shards and streams are there.

use crate::consumer::{all, describe, ids, iterator, number, of_shard, shard_ids};
use crate::{HOUR, TABLE, clock, engine, latest, options, put, stores, switch, table};
use monotable_api::{
    DeleteTableInput, DescribeStreamInput, Error, GetRecordsInput, GetShardIteratorInput,
    ListStreamsInput, StreamSpecification, StreamStatus, StreamViewType,
};
use monotable_engine::Engine;
use std::time::Duration;

fn streams(engine: &Engine) -> usize {
    let listed = engine.list_streams(ListStreamsInput::new()).unwrap();
    listed.streams.len()
}

#[test]
fn records_are_trimmed_after_a_day() {
    let clock = clock();
    let directory = tempfile::tempdir().unwrap();
    let engine = options(&clock).open(directory.path()).unwrap();
    engine
        .create_table(table().stream(StreamViewType::KeysOnly))
        .unwrap();
    let stream = latest(&engine);
    let shard = shard_ids(&engine, &stream)[0].clone();
    // More than one piece of what a commit removes.
    for id in 0..1500 {
        put(&engine, &format!("old{id}"), "x");
    }
    clock.advance(HOUR);
    put(&engine, "young", "x");
    let oldest = number(&of_shard(&engine, &stream, &shard)[0]);
    clock.advance(23 * HOUR - Duration::from_millis(1));
    engine.background_step().unwrap();
    assert_eq!(all(&engine, &stream).len(), 1501);
    let begin = iterator(
        &engine,
        GetShardIteratorInput::trim_horizon(&stream, &shard),
    );
    clock.advance(Duration::from_millis(1));
    engine.background_step().unwrap();
    assert_eq!(ids(&of_shard(&engine, &stream, &shard)), ["young"]);
    assert_eq!(engine.verify().unwrap().records, 1);
    let trimmed = |error: Error| matches!(error, Error::TrimmedDataAccessException { .. });
    assert!(trimmed(
        engine.get_records(GetRecordsInput::new(begin)).unwrap_err()
    ));
    let at = GetShardIteratorInput::at(&stream, &shard, &oldest);
    assert!(trimmed(engine.get_shard_iterator(at).unwrap_err()));
    drop(engine);

    // What is trimmed stays so after a restart.
    let engine = options(&clock).open(directory.path()).unwrap();
    assert_eq!(ids(&of_shard(&engine, &stream, &shard)), ["young"]);
    let after = GetShardIteratorInput::after(&stream, &shard, &oldest);
    assert!(trimmed(engine.get_shard_iterator(after).unwrap_err()));
    stores::assert_sound(&engine);
}

#[test]
fn closed_shards_go_a_day_after_they_were_closed() {
    let clock = clock();
    let engine = engine(&clock, StreamViewType::KeysOnly);
    let stream = latest(&engine);
    put(&engine, "a", "x");
    let first = shard_ids(&engine, &stream)[0].clone();
    clock.advance(4 * HOUR);
    engine.background_step().unwrap();
    clock.advance(20 * HOUR);
    engine.background_step().unwrap();
    assert!(shard_ids(&engine, &stream).contains(&first));
    assert_eq!(of_shard(&engine, &stream, &first), []);
    let begin = iterator(
        &engine,
        GetShardIteratorInput::trim_horizon(&stream, &first),
    );
    clock.advance(4 * HOUR);
    engine.background_step().unwrap();
    assert!(!shard_ids(&engine, &stream).contains(&first));
    let described = describe(&engine, &stream).shards.unwrap();
    assert_eq!(
        described[0].parent_shard_id,
        Some(first.clone()),
        "it is still named"
    );
    let gone = GetShardIteratorInput::trim_horizon(&stream, &first);
    let error = engine.get_shard_iterator(gone).unwrap_err();
    assert!(
        matches!(error, Error::ResourceNotFoundException { .. }),
        "{error}"
    );
    let error = engine.get_records(GetRecordsInput::new(begin)).unwrap_err();
    assert!(
        matches!(error, Error::ExpiredIteratorException { .. }),
        "{error}"
    );
    // Paging goes on behind a shard that is gone.
    let described = engine.describe_stream(DescribeStreamInput {
        exclusive_start_shard_id: Some(first),
        ..DescribeStreamInput::new(&stream)
    });
    let shards = described.unwrap().stream_description.unwrap().shards;
    assert_eq!(shards.unwrap().len(), shard_ids(&engine, &stream).len());
}

#[test]
fn a_stream_that_was_switched_off_goes_after_a_day() {
    let clock = clock();
    let engine = engine(&clock, StreamViewType::KeysOnly);
    let stream = latest(&engine);
    put(&engine, "a", "x");
    switch(&engine, StreamSpecification::disabled());
    clock.advance(24 * HOUR - Duration::from_millis(1));
    engine.background_step().unwrap();
    assert_eq!(ids(&all(&engine, &stream)), ["a"]);
    clock.advance(Duration::from_millis(1));
    engine.background_step().unwrap();
    let error = engine.describe_stream(DescribeStreamInput::new(&stream));
    assert!(matches!(
        error.unwrap_err(),
        Error::ResourceNotFoundException { .. }
    ));
    assert_eq!(streams(&engine), 0);
    assert_eq!(engine.verify().unwrap().records, 0);
    assert_eq!(latest(&engine), stream, "the table still names it");
    stores::assert_sound(&engine);
}

#[test]
fn a_stream_outlives_its_table_by_a_day() {
    let clock = clock();
    let engine = engine(&clock, StreamViewType::NewImage);
    let stream = latest(&engine);
    put(&engine, "a", "x");
    engine.delete_table(DeleteTableInput::new(TABLE)).unwrap();
    // A table of the same name, in the same millisecond, has a stream of its own.
    engine
        .create_table(table().stream(StreamViewType::KeysOnly))
        .unwrap();
    assert_ne!(latest(&engine), stream);
    put(&engine, "b", "x");
    assert_eq!(ids(&all(&engine, &stream)), ["a"]);
    assert_eq!(ids(&all(&engine, &latest(&engine))), ["b"]);
    let status = describe(&engine, &stream).stream_status;
    assert_eq!(status, Some(StreamStatus::Disabled));
    assert_eq!(streams(&engine), 2);
    stores::assert_sound(&engine);
    clock.advance(24 * HOUR);
    engine.background_step().unwrap();
    assert_eq!(streams(&engine), 1);
    stores::assert_sound(&engine);
}
