//! What changes while a copy is made, and until clients are switched over: the streams of the source tell which items.
//!
//! A record only says that an item has changed. The item itself is read from the source and written to the target, or
//! deleted there, so that nothing old ever replaces something new, whatever the stream shows of items. Shards are read from
//! their first record, or behind the last one that an earlier run has followed.

use super::place::CopyPlace;
use crate::error::Error;
use futures_util::future::try_join_all;
use monotable_api::{
    DeleteItemInput, DescribeStreamInput, DescribeTableInput, DynamoExt, Error as ServiceError,
    GetItemInput, GetRecordsInput, GetShardIteratorInput,
};
use monotable_item::{EncodedItem, Item};
use monotable_model::model::TableId;
use monotable_store::Store;
use std::collections::{BTreeMap, BTreeSet};

/// So many items are carried over side by side.
const AT_ONCE: usize = 32;

/// Follows the streams of a store.
#[derive(Debug)]
pub struct Follower<'f> {
    from: &'f Store,
    to: &'f Store,
    streams: Vec<(TableId, String)>,
    /// Where each shard is read on; none at its end.
    iterators: BTreeMap<String, Option<String>>,
    place: CopyPlace,
}

/// A shard of a stream.
struct Shard {
    id: String,
    parent: Option<String>,
}

impl<'f> Follower<'f> {
    /// Follows all tables of the source, each of which must have a stream.
    pub async fn new(from: &'f Store, to: &'f Store, place: CopyPlace) -> Result<Self, Error> {
        let mut streams = Vec::new();
        for id in from.model().stored_tables() {
            let name = &from.model().table(id).physical;
            let describe = DescribeTableInput::new(name);
            let found = from.sender().describe_table(describe).await?;
            let found = found.table.unwrap_or_default();
            let is_on = found
                .stream_specification
                .is_some_and(|stream| stream.stream_enabled == Some(true));
            let Some(arn) = found.latest_stream_arn.filter(|_| is_on) else {
                return Err(Error::refused(
                    format!(
                        "table `{name}` of the source has no stream, so nothing tells what changes"
                    ),
                    "declare stream = \"keys\" in [table], run `monotable setup`, and copy again",
                ));
            };
            streams.push((id, arn));
        }
        Ok(Self {
            from,
            to,
            streams,
            iterators: BTreeMap::new(),
            place,
        })
    }

    /// Carries over what the streams tell now; how many items were.
    pub async fn follow_once(&mut self) -> Result<u64, Error> {
        let mut carried = 0;
        for (id, arn) in self.streams.clone() {
            for shard in self.list_shards(&arn).await? {
                // What happened in the parent happened before.
                let parent = shard.parent.as_ref().and_then(|id| self.iterators.get(id));
                if parent.is_some_and(Option::is_some) {
                    continue;
                }
                carried += self.follow_shard(id, &arn, &shard.id).await?;
            }
        }
        Ok(carried)
    }

    async fn list_shards(&self, arn: &str) -> Result<Vec<Shard>, Error> {
        let mut shards = Vec::new();
        let mut input = DescribeStreamInput::new(arn);
        loop {
            let found = self.from.sender().describe_stream(input.clone()).await?;
            let found = found.stream_description.unwrap_or_default();
            for shard in found.shards.unwrap_or_default() {
                shards.push(Shard {
                    id: shard.shard_id.unwrap_or_default(),
                    parent: shard.parent_shard_id,
                });
            }
            input.exclusive_start_shard_id = found.last_evaluated_shard_id;
            if input.exclusive_start_shard_id.is_none() {
                return Ok(shards);
            }
        }
    }

    /// Carries over what one shard tells, until it has nothing more for now.
    async fn follow_shard(&mut self, id: TableId, arn: &str, shard: &str) -> Result<u64, Error> {
        let mut carried = 0;
        loop {
            let iterator = match self.iterators.get(shard) {
                Some(None) => return Ok(carried),
                Some(Some(iterator)) => iterator.clone(),
                None => self.begin_shard(arn, shard).await?,
            };
            let sender = self.from.sender();
            let page = match sender.get_records(GetRecordsInput::new(iterator)).await {
                Ok(page) => page,
                Err(ServiceError::ExpiredIteratorException { .. }) => {
                    self.iterators.remove(shard);
                    continue;
                }
                Err(error) => return Err(Error::Service(error)),
            };
            let records = page.records;
            let mut keys = BTreeSet::new();
            let mut changed = Vec::new();
            let mut last = None;
            for record in records {
                let record = record.dynamodb.unwrap_or_default();
                last = record.sequence_number.or(last);
                if let Some(key) = record.keys {
                    let name = serde_json::to_string(&key).unwrap_or_default();
                    if keys.insert(name) {
                        changed.push(key);
                    }
                }
            }
            let is_empty = changed.is_empty();
            // Each item is read anew and has one key in the page, so their order does not matter.
            for keys in changed.chunks(AT_ONCE) {
                let items = keys.iter().map(|key| self.carry(id, key.clone()));
                carried += try_join_all(items).await?.into_iter().sum::<u64>();
            }
            if let Some(last) = last {
                self.place.note_followed(shard, last)?;
            }
            let next = page.next_shard_iterator;
            let is_over = next.is_none();
            self.iterators.insert(shard.to_owned(), next);
            if is_over || is_empty {
                return Ok(carried);
            }
        }
    }

    /// Where a shard is read from. What an earlier run has followed may have been trimmed since.
    async fn begin_shard(&self, arn: &str, shard: &str) -> Result<String, Error> {
        let sender = self.from.sender();
        let begun = match self.place.followed(shard) {
            Some(record) => {
                let after = GetShardIteratorInput::after(arn, shard, record);
                match sender.get_shard_iterator(after).await {
                    Err(ServiceError::TrimmedDataAccessException { .. }) => {
                        return Err(Error::refused(
                            "the source's stream no longer has what changed since the copy was interrupted",
                            "remove the progress file and copy again: streams keep changes for a day",
                        ));
                    }
                    begun => begun,
                }
            }
            None => {
                let first = GetShardIteratorInput::trim_horizon(arn, shard);
                sender.get_shard_iterator(first).await
            }
        };
        Ok(begun?.shard_iterator.unwrap_or_default())
    }

    /// Has the target hold what the source holds under a key.
    async fn carry(&self, id: TableId, key: EncodedItem) -> Result<u64, Error> {
        if self.from.is_own_item(id, &key.to_item()) {
            return Ok(0);
        }
        let source = &self.from.model().table(id).physical;
        let get = GetItemInput::new(source, key.clone()).consistent();
        let found = self.from.sender().get_item(get).await?.item;
        match found {
            Some(item) => {
                let item: Item = item.to_item();
                self.to.restore_items(id, vec![item]).await?;
            }
            None => {
                let target = &self.to.model().table(id).physical;
                let delete = DeleteItemInput::new(target, key);
                self.to.sender().delete_item(delete).await?;
            }
        }
        Ok(1)
    }
}
