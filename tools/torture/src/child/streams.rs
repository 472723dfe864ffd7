//! What the stream of a table tells, replayed from its first record, against the items that are there.

use monotable_api::{
    DescribeStreamInput, Error, GetRecordsInput, GetShardIteratorInput, OperationType, Record,
    StreamRecord, StreamViewType, TableDescription,
};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};
use std::collections::{BTreeMap, BTreeSet};

/// Items by their encoded key. Of a stream that shows only keys, the items are keys.
type Told = BTreeMap<Vec<u8>, EncodedItem>;

/// What differs between the items of a table and what its stream tells.
pub(super) fn compare(
    engine: &Engine,
    table: &TableDescription,
    items: &[Item],
) -> Result<Vec<String>, Error> {
    let Some(stream) = &table.latest_stream_arn else {
        return Ok(Vec::new());
    };
    let mut replay = Replay::default();
    let name = table.table_name.clone().unwrap_or_default();
    for shard in shards(engine, stream)? {
        let from = GetShardIteratorInput::trim_horizon(stream, shard);
        let mut iterator = engine.get_shard_iterator(from)?.shard_iterator;
        while let Some(next) = iterator {
            let page = engine.get_records(GetRecordsInput::new(next))?;
            iterator = page
                .next_shard_iterator
                .filter(|_| !page.records.is_empty());
            for record in page.records {
                replay.apply(record);
            }
        }
    }
    let names: Vec<&String> = table
        .key_schema
        .iter()
        .flatten()
        .filter_map(|element| element.attribute_name.as_ref())
        .collect();
    let there: Told = items
        .iter()
        .map(|item| {
            let key: Item = names
                .iter()
                .filter_map(|name| Some(((*name).clone(), item.get(name)?.clone())))
                .collect();
            let key = EncodedItem::from(&key);
            let shown = if replay.shows_keys {
                key.clone()
            } else {
                EncodedItem::from(item)
            };
            (key.as_bytes().to_vec(), shown)
        })
        .collect();
    let keys: BTreeSet<&Vec<u8>> = there.keys().chain(replay.told.keys()).collect();
    let different = keys
        .into_iter()
        .filter(|key| there.get(*key) != replay.told.get(*key));
    replay.problems.extend(different.map(|key| {
        let state = |told: &Told| {
            if told.contains_key(key) {
                "there"
            } else {
                "absent"
            }
        };
        format!(
            "an item is {} in the table and {} in the stream, or another one",
            state(&there),
            state(&replay.told)
        )
    }));
    let problems = replay.problems.into_iter();
    Ok(problems
        .map(|problem| format!("stream of {name}: {problem}"))
        .collect())
}

fn shards(engine: &Engine, stream: &str) -> Result<Vec<String>, Error> {
    let described = engine.describe_stream(DescribeStreamInput::new(stream))?;
    let described = described.stream_description.unwrap_or_default();
    let shards = described.shards.unwrap_or_default().into_iter();
    Ok(shards.filter_map(|shard| shard.shard_id).collect())
}

#[derive(Default)]
struct Replay {
    told: Told,
    last: String,
    shows_keys: bool,
    problems: Vec<String>,
}

impl Replay {
    fn apply(&mut self, record: Record) {
        let StreamRecord {
            keys: Some(key),
            new_image,
            old_image,
            sequence_number: Some(number),
            stream_view_type: Some(view),
            ..
        } = record.dynamodb.unwrap_or_default()
        else {
            self.problems.push("a record lacks a part".to_owned());
            return;
        };
        self.shows_keys = view == StreamViewType::KeysOnly;
        if number <= self.last {
            self.problems
                .push(format!("{number} comes after {}", self.last));
        }
        let bytes = key.as_bytes().to_vec();
        let new = match (record.event_name, self.shows_keys) {
            (Some(OperationType::Remove), _) => None,
            (_, true) => Some(key),
            (_, false) => new_image,
        };
        let before = match new {
            Some(new) => self.told.insert(bytes, new),
            None => self.told.remove(&bytes),
        };
        let was_there = record.event_name != Some(OperationType::Insert);
        if before.is_some() != was_there || !self.shows_keys && before != old_image {
            self.problems
                .push(format!("{number} does not follow from what is before it"));
        }
        self.last = number;
    }
}
