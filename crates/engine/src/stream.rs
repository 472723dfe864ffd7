//! Streams: what happened to the items of a table, in order.
//!
//! A write of a table with a stream makes a record ([`RecordDraft`]) where it is evaluated; the committer gives it its
//! number and writes it in the batch of the item. Numbers are those of the groups of commits, so nothing has to be read
//! or counted to draw one, and they rise with the order of commits.
//!
//! A stream is cut into shards, ranges of numbers one after another: `housekeeping/trimming.rs` opens a new one now and
//! then and removes what is older than a day. A stream that was switched off, or whose table is gone, can be read until then.

mod label;
mod record;
mod sequence;
mod shard_iterator;
mod switch;

pub(crate) use label::label;
pub(crate) use record::{Author, RecordDraft, StoredRecord};
pub(crate) use sequence::{Sequence, SequenceRange};
pub(crate) use shard_iterator::{ITERATOR_MILLIS, ShardIterator};
pub(crate) use switch::{disable, enable, store_definition};

/// How long records, closed shards and streams that were switched off are kept, in milliseconds.
pub(crate) const RETENTION_MILLIS: u64 = 24 * 60 * 60 * 1000;
