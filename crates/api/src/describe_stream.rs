//! DescribeStream: a stream and its shards.

use crate::choice::{Chosen, choices};
use crate::constraint::{Constraints, Path};
use crate::stream_arn::StreamArn;
use crate::structure::structure;
use crate::{Error, StreamDescription, wording};
use monotable_item::limits;

/// How long the id of a shard may be, in characters.
pub(crate) const SHARD_ID_CHARS: std::ops::RangeInclusive<usize> = 28..=65;

choices! {
    /// Which shards are wanted.
    pub enum ShardFilterType {
        /// Those that follow a shard.
        ChildShards = "CHILD_SHARDS",
    }
}

structure! {
    /// A DescribeStream request.
    pub struct DescribeStreamInput {
        /// The stream.
        stream_arn: String,
        /// How many shards to return at most.
        limit: i64,
        /// The shard to go on after.
        exclusive_start_shard_id: String,
        /// Which shards are wanted.
        shard_filter: ShardFilter,
    }

    /// Which shards are wanted.
    pub struct ShardFilter {
        /// How they are chosen.
        #[serde(rename = "Type")]
        kind: Chosen<ShardFilterType>,
        /// The shard whose children are wanted.
        shard_id: String,
    }

    /// A DescribeStream answer.
    pub struct DescribeStreamOutput {
        /// The stream.
        stream_description: StreamDescription,
    }
}

/// A DescribeStream request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeStream {
    /// The stream.
    pub stream: StreamArn,
    /// How many shards to return at most.
    pub limit: usize,
    /// The shard to go on after.
    pub start: Option<String>,
    /// The shard whose children are wanted; all shards without.
    pub children_of: Option<String>,
}

impl DescribeStreamInput {
    /// Describes this stream.
    pub fn new(stream_arn: impl Into<String>) -> Self {
        Self {
            stream_arn: Some(stream_arn.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the stream.
    pub fn validate(self) -> Result<ValidDescribeStream, Error> {
        let mut constraints = Constraints::default();
        let arn = StreamArn::require(&mut constraints, &self.stream_arn);
        let limit = constraints.limit(self.limit);
        if let Some(id) = &self.exclusive_start_shard_id {
            constraints.text_length(Path::Root("exclusiveStartShardId"), id, SHARD_ID_CHARS);
        }
        let filter = self.shard_filter.unwrap_or_default();
        let path = Path::Root("shardFilter");
        let kind = constraints.choice(path.field("type"), &filter.kind);
        if let Some(id) = &filter.shard_id {
            constraints.text_length(path.field("shardId"), id, SHARD_ID_CHARS);
        }
        let stream = StreamArn::parse(constraints.finish(arn)?)?;
        let limit = limit.map_or(limits::MAX_DESCRIBE_SHARDS, usize::from);
        if limit > limits::MAX_DESCRIBE_SHARDS {
            return Err(Error::validation(wording::SHARD_LIST_LIMIT));
        }
        let children_of = match (kind, filter.shard_id) {
            (Some(ShardFilterType::ChildShards), Some(id)) => Some(id),
            (None, None) => None,
            (Some(ShardFilterType::ChildShards), None) => {
                return Err(Error::validation(wording::SHARD_FILTER_WITHOUT_SHARD));
            }
            (None, Some(_)) => {
                return Err(Error::validation(wording::SHARD_FILTER_WITHOUT_TYPE));
            }
        };
        Ok(ValidDescribeStream {
            stream,
            limit,
            start: self.exclusive_start_shard_id,
            children_of,
        })
    }
}
