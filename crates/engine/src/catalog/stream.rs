//! A stream of a table: its definition as it is kept, and what the operations use.

use super::definition::{KeyDefinition, PolicyState};
use super::table::RelationId;
use crate::stream::Sequence;
use monotable_api::{StreamViewType, ValidKeySchema};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number that a stream's record rows start with. Drawn from the same counter as ids of tables and indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct StreamId(pub(crate) u32);

impl From<StreamId> for RelationId {
    fn from(id: StreamId) -> Self {
        Self::new(id.0)
    }
}

/// The latest stream of a table, as the table's definition keeps it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct TableStream {
    pub(crate) id: StreamId,
    /// Milliseconds since 1970; the stream's label.
    pub(crate) created: u64,
    pub(crate) view: StreamViewType,
    /// Whether changes of items go into it.
    pub(crate) enabled: bool,
}

/// Everything that is kept of a stream: one row of JSON in the meta space. It outlives its table.
///
/// Field names and meanings are part of the format on disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StreamDefinition {
    pub(crate) id: StreamId,
    /// The name of its table.
    pub(crate) table: String,
    /// Milliseconds since 1970; the stream's label. No two streams of one table name have the same.
    pub(crate) created: u64,
    pub(crate) view: StreamViewType,
    /// The key of the table.
    pub(crate) key: KeyDefinition,
    /// When it was switched off, in milliseconds since 1970.
    pub(crate) disabled: Option<u64>,
    /// Stores from before have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<PolicyState>,
    /// The oldest first. INVARIANT: of an enabled stream the last one is open, all others are closed.
    pub(crate) shards: Vec<ShardDefinition>,
}

/// A part of a stream: a range of sequence numbers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ShardDefinition {
    pub(crate) id: String,
    /// The shard before it, which may be gone.
    pub(crate) parent: Option<String>,
    /// Less than the number of every record in it.
    pub(crate) first: Sequence,
    /// Greater than the number of every record in it; none while it is open.
    pub(crate) last: Option<Sequence>,
    /// Milliseconds since 1970.
    pub(crate) opened: u64,
    /// Milliseconds since 1970; none while it is open.
    pub(crate) closed: Option<u64>,
}

impl StreamDefinition {
    /// The shard that gets records.
    pub(crate) fn open_shard(&self) -> Option<&ShardDefinition> {
        self.shards.last().filter(|shard| shard.last.is_none())
    }

    /// Closes the open shard, with `last` as its end.
    pub(crate) fn close_shard(&mut self, last: Sequence, now: u64) {
        if let Some(shard) = self.shards.last_mut().filter(|shard| shard.last.is_none()) {
            shard.last = Some(last);
            shard.closed = Some(now);
        }
    }

    /// Opens a shard that begins at `first`. The one before it must be closed.
    pub(crate) fn open_shard_at(&mut self, first: Sequence, now: u64) {
        let hash = xxhash_rust::xxh3::xxh3_64(&first.row_key(self.id)) as u32;
        self.shards.push(ShardDefinition {
            id: format!("shardId-{now:020}-{hash:08x}"),
            parent: self.shards.last().map(|shard| shard.id.clone()),
            first,
            last: None,
            opened: now,
            closed: None,
        });
    }
}

/// A stream.
#[derive(Debug)]
pub(crate) struct Stream {
    pub(crate) definition: StreamDefinition,
    /// The names of its table's key attributes, in order.
    pub(crate) key_names: Vec<String>,
    pub(crate) progress: Arc<StreamProgress>,
}

impl Stream {
    pub(crate) fn new(definition: StreamDefinition, progress: StreamProgress) -> Self {
        Self::assemble(definition, Arc::new(progress))
    }

    /// This stream with another definition. It keeps its records and how far they are trimmed.
    pub(crate) fn redefined(&self, definition: StreamDefinition) -> Self {
        Self::assemble(definition, Arc::clone(&self.progress))
    }

    fn assemble(definition: StreamDefinition, progress: Arc<StreamProgress>) -> Self {
        let key: ValidKeySchema = (&definition.key).into();
        let mut names: Vec<String> = key.attributes().map(|key| key.name.clone()).collect();
        names.sort();
        Self {
            definition,
            key_names: names,
            progress,
        }
    }

    pub(crate) fn shard(&self, id: &str) -> Option<&ShardDefinition> {
        self.definition.shards.iter().find(|shard| shard.id == id)
    }
}

/// What changes about a stream without a change of its definition.
#[derive(Debug, Default)]
pub(crate) struct StreamProgress {
    /// No record before this sequence number is there any more.
    trimmed: AtomicU64,
    /// Records that the open shard got since it was opened or the store was.
    records: AtomicU64,
}

impl StreamProgress {
    pub(crate) fn trimmed_to(sequence: Sequence) -> Self {
        let progress = Self::default();
        progress.note_trimmed(sequence);
        progress
    }

    pub(crate) fn trimmed(&self) -> Sequence {
        Sequence::from_number(self.trimmed.load(Ordering::Acquire))
    }

    pub(crate) fn note_trimmed(&self, sequence: Sequence) {
        self.trimmed.store(sequence.number(), Ordering::Release);
    }

    pub(crate) fn records(&self) -> u64 {
        self.records.load(Ordering::Relaxed)
    }

    pub(crate) fn note_record(&self) {
        self.records.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn note_new_shard(&self) {
        self.records.store(0, Ordering::Relaxed);
    }
}
