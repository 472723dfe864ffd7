//! GetRecords: the records of a shard from a place on.

use crate::constraint::{Constraints, Path};
use crate::structure::{map_only, structure};
use crate::{Error, Record, wording};
use monotable_item::limits;
use serde::{Deserialize, Serialize};

/// How long an iterator may be, in characters.
const ITERATOR_CHARS: std::ops::RangeInclusive<usize> = 1..=2048;

structure! {
    /// A GetRecords request.
    pub struct GetRecordsInput {
        /// Where to read: from GetShardIterator, or from the answer before.
        shard_iterator: String,
        /// How many records to return at most.
        limit: i64,
    }
}

/// A GetRecords answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct GetRecordsOutput {
    /// The records, in the order in which they were written.
    #[serde(default)]
    pub records: Vec<Record>,
    /// Where to go on; absent once a closed shard is read to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_shard_iterator: Option<String>,
}

map_only!(GetRecordsOutput);

/// A GetRecords request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidGetRecords {
    /// Where to read.
    pub iterator: String,
    /// How many records to return at most.
    pub limit: usize,
}

impl GetRecordsInput {
    /// Reads from here.
    pub fn new(shard_iterator: impl Into<String>) -> Self {
        Self {
            shard_iterator: Some(shard_iterator.into()),
            limit: None,
        }
    }

    /// Returns at most this many records.
    pub fn limit(mut self, limit: i64) -> Self {
        self.limit = Some(limit);
        self
    }

    /// Checks everything that can be judged without the stream.
    pub fn validate(self) -> Result<ValidGetRecords, Error> {
        let mut constraints = Constraints::default();
        let path = Path::Root("shardIterator");
        let iterator = constraints.required(path, &self.shard_iterator);
        if let Some(iterator) = iterator {
            constraints.text_length(path, iterator, ITERATOR_CHARS);
        }
        let limit = constraints.limit(self.limit);
        let iterator = constraints.finish(iterator)?.clone();
        let limit = limit.map_or(limits::MAX_GET_RECORDS, usize::from);
        if limit > limits::MAX_GET_RECORDS {
            return Err(Error::validation(wording::RECORDS_LIMIT));
        }
        Ok(ValidGetRecords { iterator, limit })
    }
}
