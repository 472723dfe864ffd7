//! Writes tables as they were into buckets.
//!
//! The items are worked out first, as those of a restored table are, in a table that nobody sees. Then they go into files,
//! one in each step; what is written is noted after each file, so that a crash only means that the last one is
//! written again.

mod changes;

use super::{Due, restoring};
use crate::bucket::{Bucket, TransferError};
use crate::catalog::{
    CatalogRows, DropJob, ExportDefinition, ExportState, ExportedFile, Table, TableDefinition,
    TransferFailure, to_row,
};
use crate::clock::Clock;
use crate::commit::{Committer, Group, Published};
use crate::export_manifest::manifests;
use crate::ops::ExportFilter;
use crate::store::{Direction, Snapshot, Space, StoreFault, after_key};
use monotable_exports::ExportFile;
use monotable_item::EncodedItem;

/// Commits of one step: other work of the background waits meanwhile.
const MOST_PIECES: usize = 16;
/// A file takes no further items once it has this many, or this many bytes of them.
const FILE_ITEMS: u64 = 100_000;
const FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Goes on with every export.
pub(super) fn round(
    published: &Published,
    committer: &Committer,
    clock: &dyn Clock,
    region: &str,
) -> Result<Due, StoreFault> {
    let mut due = Due::Later;
    for export in published.catalog.load_full().exports() {
        let Some(scratch) = export.scratch.as_ref().filter(|_| export.is_in_progress()) else {
            continue;
        };
        due = Due::Now;
        if export.state == ExportState::Copying {
            copy(published, committer, export, scratch)?;
            continue;
        }
        let now = clock.now().as_millis() as u64;
        let next = match write_file(published, export, scratch, (now, region)) {
            Ok(next) => next,
            Err(TransferError::Store(fault)) => return Err(fault),
            Err(TransferError::Bucket(error)) => ExportDefinition {
                state: ExportState::Failed(TransferFailure {
                    code: "S3InternalError".into(),
                    message: error.to_string(),
                }),
                ended: Some(now),
                ..ExportDefinition::clone(export)
            },
        };
        committer.submit(move |group| store(group, next)).wait()?;
    }
    Ok(due)
}

/// Works out the next items.
fn copy(
    published: &Published,
    committer: &Committer,
    export: &ExportDefinition,
    scratch: &TableDefinition,
) -> Result<(), StoreFault> {
    let table = Table::new(scratch.clone());
    let Some(origin) = &scratch.origin else {
        return Ok(());
    };
    for _ in 0..MOST_PIECES {
        let piece = restoring::next_piece(published, &table, origin)?;
        let is_done = piece.next.is_none();
        let whole = ExportDefinition {
            state: ExportState::Writing,
            ..export.clone()
        };
        let id = scratch.id;
        let write = move |group: &mut Group<'_>| {
            for (space, key, value) in piece.changes {
                group.write(space, key, value);
            }
            let progress = piece.next.as_ref().map(restoring::Progress::to_row);
            group.write(Space::Meta, CatalogRows::restore(id), progress);
            match piece.next {
                Some(_) => Ok(()),
                None => store(group, whole),
            }
        };
        committer.submit(write).wait()?;
        if is_done {
            return Ok(());
        }
    }
    Ok(())
}

/// Writes the next file, or the manifests behind the last one; the export after that.
fn write_file(
    published: &Published,
    export: &ExportDefinition,
    scratch: &TableDefinition,
    (now, region): (u64, &str),
) -> Result<ExportDefinition, TransferError> {
    let mut next = export.clone();
    let Some(bucket) = bucket(published, &export.request.bucket) else {
        next.ended = Some(now);
        next.state = ExportState::Failed(TransferFailure {
            code: "S3NoSuchBucket".into(),
            message: "The specified bucket does not exist".into(),
        });
        return Ok(next);
    };
    if export.files.is_empty() {
        bucket.write(&export.key("_started"), b"")?;
    }
    let snapshot = published.snapshot();
    let filter = filter(export, scratch)?;
    let (file, last) = match export.request.period {
        None => fill_with_items(&snapshot, export, &filter)?,
        Some(period) => changes::fill(&snapshot, export, (scratch, &filter), period)?,
    };
    let is_last = last.is_none();
    next.last = last.or(next.last);
    if !is_last && file.items() == 0 {
        return Ok(next);
    }
    // An empty table has one file, too.
    if !is_last || export.files.is_empty() {
        let name = file.name(&export.label, export.files.len());
        let key = export.data_key(&name);
        let (items, bytes) = (file.items(), file.bytes());
        let (content, digest) = file.finish()?;
        bucket.write(&key, &content)?;
        next.files.push(ExportedFile {
            key,
            items,
            bytes,
            digest,
        });
        return Ok(next);
    }
    next.state = ExportState::Completed;
    next.ended = Some(now);
    for (name, content) in manifests(&next, region) {
        bucket.write(&export.key(name), &content)?;
    }
    Ok(next)
}

/// A file with the next items, and the key of the last row that it has; none if there is no further row.
fn fill_with_items(
    snapshot: &Snapshot,
    export: &ExportDefinition,
    filter: &ExportFilter,
) -> Result<(ExportFile, Option<Vec<u8>>), TransferError> {
    let mut range = filter.range.clone();
    if let Some(last) = &export.last {
        range.start = after_key(last);
    }
    let mut file = ExportFile::default();
    let (mut last, mut rows, mut bytes) = (None, 0, 0);
    for row in snapshot.range(Space::Items, range, Direction::Forwards) {
        let (key, value) = row?;
        let item = EncodedItem::from_stored(value);
        rows += 1;
        bytes += item.size() as u64;
        if filter.takes(item.view()) {
            file.push(&filter.project(item))?;
        }
        last = Some(key.to_vec());
        // What the filter leaves out counts, too, so that a step of the background stays short.
        if rows >= FILE_ITEMS || bytes >= FILE_BYTES {
            break;
        }
    }
    Ok((file, last))
}

/// The filter of an export. It was checked when the export began, and the key of the table has not changed since.
fn filter(
    export: &ExportDefinition,
    scratch: &TableDefinition,
) -> Result<ExportFilter, StoreFault> {
    let table = Table::new(scratch.clone());
    let filter = ExportFilter::new(&table, export.request.filter.as_ref());
    filter.map_err(|error| StoreFault::Damaged {
        what: format!("the filter of export {}: {error}", export.label),
    })
}

fn bucket(published: &Published, name: &str) -> Option<Bucket> {
    published.buckets.as_ref()?.bucket(name)
}

/// Writes the definition of an export. The table that nobody sees goes when it has ended.
fn store(group: &mut Group<'_>, mut export: ExportDefinition) -> Result<(), StoreFault> {
    if !export.is_in_progress()
        && let Some(scratch) = export.scratch.take()
    {
        let job = to_row(&DropJob::of_scratch(scratch.id))?;
        group.write(Space::Meta, CatalogRows::dropped(scratch.id), Some(job));
        group.write(Space::Meta, CatalogRows::restore(scratch.id), None);
    }
    let row = CatalogRows::export(export.id);
    group.write(Space::Meta, row, Some(to_row(&export)?));
    let catalog = group.catalog().with_export(export);
    group.set_catalog(catalog);
    Ok(())
}
