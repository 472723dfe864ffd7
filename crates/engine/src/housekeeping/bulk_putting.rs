//! Puts what is in a bucket into tables that are in use.
//!
//! The records of a piece are carried out one after the other within one commit, as PutItem would be, and how far the object was
//! read is written with them, and what is to be reported. So a crash only means that the rest follows later. Reports go to their
//! bucket in the step behind; one that is written again after a crash has the same name and content.

mod records;
mod reports;

use super::Due;
use crate::bucket::{Bucket, TransferError};
use crate::catalog::{
    BulkDefinition, BulkId, BulkObject, BulkState, CatalogRows, Table, TransferFailure, to_row,
};
use crate::clock::Clock;
use crate::commit::{Committer, Group, Published};
use crate::import::{PutReader, ReadPut};
use crate::store::{Space, StoreFault};
use records::{execute, finish_object};
use std::io;
use std::sync::Arc;

/// Records of one commit, and how many bytes of them, or of lines to report, end it early.
const PIECE: usize = 500;
const PIECE_BYTES: usize = 1024 * 1024;
/// Commits of one step: other work of the background waits meanwhile.
const MOST_PIECES: usize = 16;
/// Operations are listed this long after they began, in milliseconds.
pub(crate) const LISTED: u64 = 90 * 24 * 60 * 60 * 1000;

/// The object that is being read.
#[derive(Default)]
pub(super) struct BulkPutting {
    open: Option<OpenObject>,
}

struct OpenObject {
    operation: BulkId,
    key: String,
    /// How many records of it were read.
    records: u64,
    reader: PutReader,
}

/// The next records of an object.
struct Piece {
    records: Vec<ReadPut>,
    /// Whether the object is at its end.
    is_end: bool,
    /// Why the rest of the object cannot be read.
    broken: Option<io::Error>,
}

impl BulkPutting {
    /// Goes on with every operation, and forgets those of long ago.
    pub(super) fn round(
        &mut self,
        published: &Published,
        committer: &Committer,
        clock: &dyn Clock,
    ) -> Result<Due, StoreFault> {
        let mut due = Due::Later;
        for operation in published.catalog.load_full().bulk_operations() {
            let now = clock.now().as_millis() as u64;
            if !operation.is_in_progress() {
                if operation.started.saturating_add(LISTED) < now {
                    forget(committer, operation.id)?;
                }
                continue;
            }
            due = Due::Now;
            for _ in 0..MOST_PIECES {
                // Somebody may have cancelled it meanwhile.
                let catalog = published.catalog.load_full();
                let current = catalog.bulk_operation(operation.id);
                let Some(current) = current.filter(|current| current.is_in_progress()) else {
                    break;
                };
                let current = BulkDefinition::clone(current);
                self.step(published, committer, current, now)?;
            }
        }
        Ok(due)
    }

    /// Writes reports, lists the objects, carries out the next piece of one, or ends the operation.
    fn step(
        &mut self,
        published: &Published,
        committer: &Committer,
        mut operation: BulkDefinition,
        now: u64,
    ) -> Result<(), StoreFault> {
        let buckets = published.buckets.as_ref();
        let bucket = |name: &str| buckets.and_then(|buckets| buckets.bucket(name));
        let (Some(input), Some(output)) = (
            bucket(&operation.request.bucket),
            bucket(&operation.request.output_bucket),
        ) else {
            let failure = fail("S3NoSuchBucket", "The specified bucket does not exist");
            return end(committer, operation, BulkState::Failed(failure), now);
        };
        if !operation.pending.is_empty() {
            return match reports::write(&output, &operation) {
                Ok(mut written) => {
                    operation.pending.clear();
                    operation.reports.append(&mut written);
                    store_progress(committer, operation)
                }
                Err(error) => give_up(committer, operation, &error, now),
            };
        }
        if operation.state == BulkState::Cancelling {
            let failure = fail("Cancelled", "The bulk operation was cancelled by a request");
            return end(committer, operation, BulkState::Cancelled(failure), now);
        }
        let Some(rest) = &operation.rest else {
            return list(committer, &input, operation, now);
        };
        let Some(object) = rest.last().cloned() else {
            return match reports::write_manifest(&output, &operation, now) {
                Ok(()) => end(committer, operation, BulkState::Completed, now),
                Err(error) => give_up(committer, operation, &error, now),
            };
        };
        let catalog = published.catalog.load_full();
        let table = catalog.get(&operation.request.table).cloned();
        let Some(table) = table.filter(|table| table.id == operation.table_id) else {
            return end(committer, operation, BulkState::Failed(no_table()), now);
        };
        let piece = self.read(&input, &table, &operation, &object)?;
        self.carry_out(committer, &table, (operation, object), piece)
    }

    /// The next records of an object.
    fn read(
        &mut self,
        bucket: &Bucket,
        table: &Table,
        operation: &BulkDefinition,
        object: &BulkObject,
    ) -> Result<Piece, StoreFault> {
        let mut piece = Piece {
            records: Vec::new(),
            is_end: false,
            broken: None,
        };
        match self.fill(bucket, table, (operation, object), &mut piece) {
            Ok(()) => {}
            Err(TransferError::Bucket(error)) => piece.broken = Some(error),
            Err(TransferError::Store(fault)) => return Err(fault),
        }
        Ok(piece)
    }

    fn fill(
        &mut self,
        bucket: &Bucket,
        table: &Table,
        (operation, object): (&BulkDefinition, &BulkObject),
        piece: &mut Piece,
    ) -> Result<(), TransferError> {
        let known = self.open.take().filter(|open| {
            open.operation == operation.id
                && open.key == object.key
                && open.records == operation.records
        });
        let mut open = match known {
            Some(open) => open,
            None => OpenObject {
                operation: operation.id,
                key: object.key.clone(),
                records: operation.records,
                reader: PutReader::open(
                    bucket.open(&object.key)?,
                    operation.request.compression,
                    operation.records,
                )?,
            },
        };
        let mut bytes = 0;
        while piece.records.len() < PIECE && bytes < PIECE_BYTES {
            let Some(record) = open.reader.next(table)? else {
                piece.is_end = true;
                return Ok(());
            };
            open.records += 1;
            bytes += record.line.len();
            piece.records.push(record);
        }
        self.open = Some(open);
        Ok(())
    }

    /// Carries out a piece in one commit, with how far the object is read then.
    fn carry_out(
        &mut self,
        committer: &Committer,
        table: &Arc<Table>,
        (mut operation, object): (BulkDefinition, BulkObject),
        piece: Piece,
    ) -> Result<(), StoreFault> {
        let (id, read) = (operation.id, piece.records.len() as u64);
        let (table, begun) = (Arc::clone(table), operation.records);
        let work = move |group: &mut Group<'_>| {
            // What was asked for since stays: the operation may be given up.
            let Some(current) = group.catalog().bulk_operation(id) else {
                return Ok(0);
            };
            operation.state = current.state.clone();
            let mut bytes = 0;
            let mut records = piece.records.into_iter();
            for record in records.by_ref() {
                operation.records += 1;
                operation.counts.processed += 1;
                let line = execute(group, &table, &mut operation, (&object, record))?;
                if let Some(line) = line {
                    bytes += line.text.len();
                    operation.pending.push(line);
                }
                // What is left is read again.
                if bytes >= PIECE_BYTES {
                    break;
                }
            }
            let done = operation.records - begun;
            if records.len() == 0 {
                finish_object(&mut operation, &object, piece.is_end, piece.broken.as_ref());
            }
            put(group, operation)?;
            Ok(done)
        };
        let done = committer.submit(work).wait()?;
        if done != read {
            self.open = None;
        }
        Ok(())
    }
}

/// Notes which objects there are, and how large they are.
fn list(
    committer: &Committer,
    bucket: &Bucket,
    mut operation: BulkDefinition,
    now: u64,
) -> Result<(), StoreFault> {
    let prefix = operation.request.input.s3_key_prefix.as_deref();
    let listed = bucket.keys(prefix.unwrap_or_default()).and_then(|keys| {
        let objects = keys.into_iter().rev().map(|key| {
            let bytes = bucket.size(&key)?;
            Ok(BulkObject { key, bytes })
        });
        objects.collect::<io::Result<Vec<_>>>()
    });
    match listed {
        Ok(objects) => {
            let total = objects.iter().map(|object| object.bytes).sum();
            operation.counts.total_bytes = Some(total);
            operation.rest = Some(objects);
            store_progress(committer, operation)
        }
        Err(error) => give_up(committer, operation, &error, now),
    }
}

fn fail(code: &str, message: &str) -> TransferFailure {
    TransferFailure {
        code: code.into(),
        message: message.into(),
    }
}

fn no_table() -> TransferFailure {
    fail(
        "TableNotFound",
        "The table was deleted while the bulk operation was in progress",
    )
}

/// A bucket that cannot be read or written ends the operation.
fn give_up(
    committer: &Committer,
    operation: BulkDefinition,
    error: &io::Error,
    now: u64,
) -> Result<(), StoreFault> {
    let failure = fail("S3InternalError", &error.to_string());
    end(committer, operation, BulkState::Failed(failure), now)
}

fn end(
    committer: &Committer,
    mut operation: BulkDefinition,
    state: BulkState,
    now: u64,
) -> Result<(), StoreFault> {
    operation.state = state;
    operation.ended = Some(now);
    operation.rest = Some(Vec::new());
    operation.pending.clear();
    committer.submit(move |group| put(group, operation)).wait()
}

/// Notes how far an operation is. It may have been cancelled since.
fn store_progress(committer: &Committer, mut operation: BulkDefinition) -> Result<(), StoreFault> {
    let work = move |group: &mut Group<'_>| {
        if let Some(current) = group.catalog().bulk_operation(operation.id) {
            operation.state = current.state.clone();
        }
        put(group, operation)
    };
    committer.submit(work).wait()
}

fn put(group: &mut Group<'_>, operation: BulkDefinition) -> Result<(), StoreFault> {
    let row = CatalogRows::bulk(operation.id);
    group.write(Space::Meta, row, Some(to_row(&operation)?));
    let catalog = group.catalog().with_bulk_operation(operation);
    group.set_catalog(catalog);
    Ok(())
}

fn forget(committer: &Committer, id: BulkId) -> Result<(), StoreFault> {
    let work = move |group: &mut Group<'_>| {
        group.write(Space::Meta, CatalogRows::bulk(id), None);
        let catalog = group.catalog().without_bulk_operation(id);
        group.set_catalog(catalog);
        Ok(())
    };
    committer.submit(work).wait()
}
