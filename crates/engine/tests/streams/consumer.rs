//! Reads streams as programs do.

use monotable_api::{
    DescribeStreamInput, GetRecordsInput, GetRecordsOutput, GetShardIteratorInput, Record, Shard,
    StreamDescription,
};
use monotable_engine::Engine;

pub fn describe(engine: &Engine, stream: &str) -> StreamDescription {
    let described = engine.describe_stream(DescribeStreamInput::new(stream));
    described.unwrap().stream_description.unwrap()
}

pub fn shards(engine: &Engine, stream: &str) -> Vec<Shard> {
    describe(engine, stream).shards.unwrap()
}

pub fn shard_ids(engine: &Engine, stream: &str) -> Vec<String> {
    let shards = shards(engine, stream).into_iter();
    shards.map(|shard| shard.shard_id.unwrap()).collect()
}

pub fn iterator(engine: &Engine, input: GetShardIteratorInput) -> String {
    let answer = engine.get_shard_iterator(input).unwrap();
    answer.shard_iterator.unwrap()
}

pub fn page(engine: &Engine, iterator: &str) -> GetRecordsOutput {
    engine.get_records(GetRecordsInput::new(iterator)).unwrap()
}

/// What is in a shard, from the oldest record on.
pub fn of_shard(engine: &Engine, stream: &str, shard: &str) -> Vec<Record> {
    let mut next = iterator(engine, GetShardIteratorInput::trim_horizon(stream, shard));
    let mut records = Vec::new();
    loop {
        let answer = page(engine, &next);
        let is_over = answer.records.is_empty();
        records.extend(answer.records);
        match answer.next_shard_iterator {
            Some(iterator) if !is_over => next = iterator,
            Some(_) | None => return records,
        }
    }
}

/// What is in a stream, shard after shard.
pub fn all(engine: &Engine, stream: &str) -> Vec<Record> {
    let shards = shard_ids(engine, stream).into_iter();
    shards
        .flat_map(|shard| of_shard(engine, stream, &shard))
        .collect()
}

/// The ids of the items that records tell of.
pub fn ids(records: &[Record]) -> Vec<String> {
    let keys = records.iter().map(|record| {
        let change = record.dynamodb.as_ref().unwrap();
        match change.keys.as_ref().unwrap().to_item().get("id") {
            Some(monotable_item::AttributeValue::S(id)) => id.clone(),
            other => panic!("{other:?}"),
        }
    });
    keys.collect()
}

pub fn number(record: &Record) -> String {
    let change = record.dynamodb.as_ref().unwrap();
    change.sequence_number.clone().unwrap()
}
