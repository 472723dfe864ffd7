//! Tables that know nothing but what the streams of the engine tell.
//!
//! After each operation they have what the model has. They follow a stream as a consumer does: by the iterator of the answer
//! before, by the number of the last record when that has expired, and from a shard to its child.

use crate::concrete::Concrete;
use crate::database::Database;
use crate::outcome::sorted;
use monotable_api::{
    DescribeStreamInput, DescribeTableInput, Error, GetRecordsInput, GetShardIteratorInput,
    OperationType, Record, Shard,
};
use monotable_engine::Engine;
use monotable_item::{EncodedItem, Item};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// A replica of each table that has a stream.
#[derive(Default)]
pub struct Replicas {
    tables: BTreeMap<&'static str, Replica>,
}

struct Replica {
    stream: String,
    shard: String,
    iterator: Option<String>,
    /// The number of the last record.
    last: Option<String>,
    /// By the text of their keys.
    items: BTreeMap<String, Item>,
}

impl Replicas {
    /// Reads what is new in all streams, and compares.
    pub fn follow(
        &mut self,
        engine: &Engine,
        database: &Database,
        operation: &Concrete,
    ) -> Result<(), TestCaseError> {
        self.tables
            .retain(|name, _| database.tables.contains_key(name));
        for (name, table) in &database.tables {
            let described = engine.describe_table(DescribeTableInput::new(*name));
            let Some(stream) = described.unwrap().table.unwrap().latest_stream_arn else {
                continue;
            };
            let replica = self.tables.entry(name);
            let replica = replica.or_insert_with(|| Replica::new(engine, &stream));
            if replica.stream != stream {
                // Deleted and made anew.
                *replica = Replica::new(engine, &stream);
            }
            replica.catch_up(engine)?;
            let actual = sorted(replica.items.values().cloned().collect());
            let expected = sorted(table.items.values().cloned().collect());
            prop_assert_eq!(actual, expected, "{} after {:#?}", name, operation);
        }
        Ok(())
    }
}

impl Replica {
    fn new(engine: &Engine, stream: &str) -> Self {
        let shards = shards(engine, stream);
        let mut replica = Self {
            stream: stream.to_owned(),
            shard: shards[0].shard_id.clone().unwrap(),
            iterator: None,
            last: None,
            items: BTreeMap::new(),
        };
        replica.begin(engine);
        replica
    }

    /// Finds its place in the shard again.
    fn begin(&mut self, engine: &Engine) {
        let (stream, shard) = (&*self.stream, &*self.shard);
        let input = match &self.last {
            None => GetShardIteratorInput::trim_horizon(stream, shard),
            Some(last) => GetShardIteratorInput::after(stream, shard, last),
        };
        self.iterator = engine.get_shard_iterator(input).unwrap().shard_iterator;
    }

    fn catch_up(&mut self, engine: &Engine) -> Result<(), TestCaseError> {
        loop {
            let Some(iterator) = self.iterator.take() else {
                let children = shards(engine, &self.stream).into_iter();
                let mut children =
                    children.filter(|child| child.parent_shard_id.as_deref() == Some(&*self.shard));
                let child = children
                    .next()
                    .expect("a shard that was closed has a child");
                self.shard = child.shard_id.unwrap();
                self.last = None;
                self.begin(engine);
                continue;
            };
            let page = match engine.get_records(GetRecordsInput::new(iterator).limit(3)) {
                Ok(page) => page,
                Err(Error::ExpiredIteratorException { .. }) => {
                    self.begin(engine);
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let is_over = page.records.is_empty();
            for record in page.records {
                self.apply(record)?;
            }
            self.iterator = page.next_shard_iterator;
            if is_over && self.iterator.is_some() {
                return Ok(());
            }
        }
    }

    fn apply(&mut self, record: Record) -> Result<(), TestCaseError> {
        let change = record.dynamodb.unwrap();
        let number = change.sequence_number.unwrap();
        prop_assert!(self.last.as_ref().is_none_or(|last| *last < number));
        let plain = |item: Option<EncodedItem>| item.map(|item| item.to_item());
        let (old, new) = (plain(change.old_image), plain(change.new_image));
        let kind = match (&old, &new) {
            (None, Some(_)) => OperationType::Insert,
            (Some(_), Some(_)) => OperationType::Modify,
            _ => OperationType::Remove,
        };
        prop_assert_eq!(record.event_name, Some(kind));
        prop_assert!(old != new, "nothing changes");
        let key = format!("{:?}", change.keys.unwrap().to_item());
        let before = match new {
            Some(new) => self.items.insert(key, new),
            None => self.items.remove(&key),
        };
        prop_assert_eq!(before, old);
        self.last = Some(number);
        Ok(())
    }
}

fn shards(engine: &Engine, stream: &str) -> Vec<Shard> {
    let described = engine.describe_stream(DescribeStreamInput::new(stream));
    described
        .unwrap()
        .stream_description
        .unwrap()
        .shards
        .unwrap()
}
