//! Keeps streams in order: removes records, closed shards and switched off streams after a day, and opens new shards.
//!
//! Records are removed a piece at a time. The row that says how far that has come is part of the piece, so that a crash
//! leaves neither a gap nor a search through what is gone.

use crate::catalog::{CatalogRows, Stream, StreamDefinition, StreamId};
use crate::clock::Clock;
use crate::commit::{Committer, Published};
use crate::store::{Direction, Space, StoreFault};
use crate::stream::{RETENTION_MILLIS, Sequence, SequenceRange, StoredRecord, store_definition};
use bytes::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Records that one commit removes.
const PIECE: usize = 1000;

/// A shard is closed when it is this old, in milliseconds: AWS does so after about four hours.
const SHARD_MILLIS: u64 = 4 * 60 * 60 * 1000;

/// A shard is closed when it has got this many records, for each shard that the stream has. So that consumers meet shards
/// with parents before hours have passed, and the busiest stream still has some hundreds of shards at most.
const SHARD_RECORDS: u64 = 10_000;

pub(super) fn round(
    published: &Published,
    committer: &Committer,
    clock: &dyn Clock,
    closing: &AtomicBool,
) -> Result<(), StoreFault> {
    let catalog = published.catalog.load_full();
    let now = clock.now().as_millis() as u64;
    let oldest = now.saturating_sub(RETENTION_MILLIS);
    let is_over = move |time: Option<u64>| time.is_some_and(|time| time <= oldest);
    for stream in catalog.streams() {
        let definition = &stream.definition;
        // Nothing stays of a stream that goes, whatever a clock that was set back has written.
        let newest = if is_over(definition.disabled) {
            u64::MAX
        } else {
            oldest
        };
        while remove_piece(published, committer, stream, newest)? {
            if closing.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
        if is_over(definition.disabled) {
            remove_stream(committer, definition.id)?;
        } else if definition.shards.iter().any(|shard| is_over(shard.closed)) {
            change_shards(committer, definition.id, move |stream, _| {
                stream.shards.retain(|shard| !is_over(shard.closed));
            })?;
        }
        if is_full(stream, now) {
            change_shards(committer, definition.id, move |stream, draw| {
                // It may have been switched off meanwhile.
                if stream.open_shard().is_some() {
                    stream.close_shard(draw(), now);
                    stream.open_shard_at(draw(), now);
                }
            })?;
            stream.progress.note_new_shard();
        }
    }
    Ok(())
}

/// Whether the open shard should be closed.
fn is_full(stream: &Stream, now: u64) -> bool {
    let most = SHARD_RECORDS * stream.definition.shards.len() as u64;
    let shard = stream.definition.open_shard();
    shard.is_some_and(|shard| {
        shard.opened.saturating_add(SHARD_MILLIS) <= now || stream.progress.records() >= most
    })
}

/// Removes the next records that were made up to `newest`; whether there may be more.
fn remove_piece(
    published: &Published,
    committer: &Committer,
    stream: &Arc<Stream>,
    newest: u64,
) -> Result<bool, StoreFault> {
    let id = stream.definition.id;
    let rows = SequenceRange::from(stream.progress.trimmed()).rows(id);
    let snapshot = published.snapshot();
    let mut keys: Vec<Bytes> = Vec::new();
    for row in snapshot
        .range(Space::Indexes, rows, Direction::Forwards)
        .take(PIECE)
    {
        let (key, value) = row?;
        if StoredRecord::time_of(&value).is_some_and(|time| time > newest) {
            break;
        }
        keys.push(key);
    }
    let Some(last) = keys.last().and_then(|key| Sequence::of_row_key(key)) else {
        return Ok(false);
    };
    let is_full = keys.len() == PIECE;
    let trimmed = last.next();
    let remove = move |group: &mut crate::commit::Group<'_>| {
        for key in keys {
            group.write(Space::Indexes, key, None);
        }
        let number = Bytes::copy_from_slice(&trimmed.number().to_be_bytes());
        group.write(Space::Meta, CatalogRows::trim(id), Some(number));
        Ok(())
    };
    committer.submit(remove).wait()?;
    stream.progress.note_trimmed(trimmed);
    Ok(is_full)
}

/// Removes a stream that has no records any more.
fn remove_stream(committer: &Committer, id: StreamId) -> Result<(), StoreFault> {
    let remove = move |group: &mut crate::commit::Group<'_>| {
        group.write(Space::Meta, CatalogRows::stream(id), None);
        group.write(Space::Meta, CatalogRows::trim(id), None);
        let catalog = group.catalog().without_stream(id);
        group.set_catalog(catalog);
        Ok(())
    };
    committer.submit(remove).wait()
}

/// Changes the shards of a stream as it is when the change is committed. `draw` draws sequence numbers.
fn change_shards<F>(committer: &Committer, id: StreamId, change: F) -> Result<(), StoreFault>
where
    F: FnOnce(&mut StreamDefinition, &mut dyn FnMut() -> Sequence) + Send + 'static,
{
    let write = move |group: &mut crate::commit::Group<'_>| {
        let Some(stream) = group.catalog().stream(id) else {
            return Ok(());
        };
        let mut definition = stream.definition.clone();
        change(&mut definition, &mut || group.take_sequence());
        store_definition(group, definition)
    };
    committer.submit(write).wait()
}
