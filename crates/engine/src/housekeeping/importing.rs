//! Fills tables with what is in a bucket.
//!
//! Each piece of items is written with how far it was read, so that a crash only means that the rest follows later: records that
//! were taken are passed over then.

use super::{Due, restoring};
use crate::bucket::{Bucket, TransferError};
use crate::catalog::{
    CatalogRows, DropJob, ImportDefinition, ImportId, ImportState, Table, TransferFailure, to_row,
};
use crate::clock::Clock;
use crate::commit::{Committer, Group, Published};
use crate::import::{ItemReader, ReadItem};
use crate::index;
use crate::store::{Space, StoreFault};
use bytes::Bytes;
use monotable_api::{Error, ImportFormat, ImportTableInput};
use monotable_item::EncodedItem;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// Records of one commit, and how many bytes of them end it early.
const PIECE: u64 = 1000;
const PIECE_BYTES: u64 = 2 * 1024 * 1024;
/// Commits of one step: other work of the background waits meanwhile.
const MOST_PIECES: usize = 16;

/// The object that is being read.
#[derive(Default)]
pub(super) struct Importing {
    open: Option<OpenObject>,
}

struct OpenObject {
    import: ImportId,
    key: String,
    /// How many records of it were read.
    records: u64,
    reader: ItemReader,
}

/// What a piece has brought.
#[derive(Default)]
struct Items {
    /// The last item of each key.
    items: BTreeMap<Bytes, EncodedItem>,
    /// Whether the object is at its end.
    is_end: bool,
}

impl Importing {
    /// Goes on with every import.
    pub(super) fn round(
        &mut self,
        published: &Published,
        committer: &Committer,
        clock: &dyn Clock,
    ) -> Result<Due, StoreFault> {
        let mut due = Due::Later;
        for import in published.catalog.load_full().imports() {
            let mut import = ImportDefinition::clone(import);
            for _ in 0..MOST_PIECES {
                if import.state != ImportState::InProgress {
                    break;
                }
                let table = published.catalog.load().get(&import.table).map(Arc::clone);
                let Some(table) = table.filter(|table| table.id == import.table_id) else {
                    break;
                };
                due = Due::Now;
                let now = clock.now().as_millis() as u64;
                import = self.step(published, committer, &table, import, now)?;
            }
        }
        Ok(due)
    }

    /// Lists the objects, reads the next piece of one, or ends the import; the import after that.
    fn step(
        &mut self,
        published: &Published,
        committer: &Committer,
        table: &Arc<Table>,
        mut import: ImportDefinition,
        now: u64,
    ) -> Result<ImportDefinition, StoreFault> {
        let Some(bucket) = bucket(published, &import) else {
            return give_up(committer, table, import, no_bucket(), now);
        };
        let Some(rest) = &import.rest else {
            let prefix = import.request.source.s3_key_prefix.as_deref();
            match bucket.keys(prefix.unwrap_or_default()) {
                Ok(mut keys) => {
                    keys.reverse();
                    import.rest = Some(keys);
                    return store(committer, import);
                }
                Err(error) => return give_up(committer, table, import, unreadable(&error), now),
            }
        };
        let Some(key) = rest.last().cloned() else {
            return finish(committer, table, import, now);
        };
        let items = match self.read(&bucket, table, &mut import, &key) {
            Ok(items) => items,
            Err(TransferError::Store(fault)) => return Err(fault),
            // What cannot be unpacked counts as one item that cannot be taken, and the rest of the object is lost.
            Err(TransferError::Bucket(_)) => {
                import.counts.processed += 1;
                import.counts.errors += 1;
                Items {
                    is_end: true,
                    ..Items::default()
                }
            }
        };
        if items.is_end {
            self.open = None;
            import.records = 0;
            if let Some(rest) = &mut import.rest {
                rest.pop();
            }
        }
        write(published, committer, table, import, items.items)
    }

    /// The next items of an object.
    fn read(
        &mut self,
        bucket: &Bucket,
        table: &Table,
        import: &mut ImportDefinition,
        key: &str,
    ) -> Result<Items, TransferError> {
        let known = self.open.take().filter(|open| {
            open.import == import.id && open.key == key && open.records == import.records
        });
        let mut open = match known {
            Some(open) => open,
            None => open_object(bucket, table, import, key)?,
        };
        let mut items = Items::default();
        let mut bytes = 0;
        for _ in 0..PIECE {
            let Some((read, size)) = open.reader.next(table)? else {
                items.is_end = true;
                return Ok(items);
            };
            open.records += 1;
            import.records += 1;
            import.counts.processed += 1;
            import.counts.bytes += size;
            bytes += size;
            match read {
                ReadItem::Item { key, item } => {
                    import.counts.imported += 1;
                    items.items.insert(key.0, item);
                }
                ReadItem::Error => import.counts.errors += 1,
            }
            if bytes >= PIECE_BYTES {
                break;
            }
        }
        self.open = Some(open);
        Ok(items)
    }
}

fn open_object(
    bucket: &Bucket,
    table: &Table,
    import: &ImportDefinition,
    key: &str,
) -> Result<OpenObject, TransferError> {
    let format = format(import).map_err(|error| StoreFault::Damaged {
        what: format!("import {}: {error}", import.label),
    })?;
    let file = bucket.open(key)?;
    let mut reader = ItemReader::new(file, import.request.compression, format);
    reader.skip(import.records, table)?;
    Ok(OpenObject {
        import: import.id,
        key: key.to_owned(),
        records: import.records,
        reader,
    })
}

/// How the request says that items are written.
fn format(import: &ImportDefinition) -> Result<ImportFormat, Error> {
    let request = &import.request;
    let input = ImportTableInput {
        client_token: None,
        s3_bucket_source: Some(request.source.clone()),
        input_format: Some(request.format.into()),
        input_format_options: request.options.clone(),
        input_compression_type: Some(request.compression.into()),
        table_creation_parameters: Some(request.parameters.clone()),
    };
    Ok(input.validate()?.format)
}

fn bucket(published: &Published, import: &ImportDefinition) -> Option<Bucket> {
    let name = import.request.source.s3_bucket.as_ref()?;
    published.buckets.as_ref()?.bucket(name)
}

fn no_bucket() -> TransferFailure {
    TransferFailure {
        code: "S3NoSuchBucket".into(),
        message: "The specified bucket does not exist".into(),
    }
}

fn unreadable(error: &io::Error) -> TransferFailure {
    TransferFailure {
        code: "S3InternalError".into(),
        message: error.to_string(),
    }
}

/// Writes items and how far the import is.
fn write(
    published: &Published,
    committer: &Committer,
    table: &Arc<Table>,
    import: ImportDefinition,
    items: BTreeMap<Bytes, EncodedItem>,
) -> Result<ImportDefinition, StoreFault> {
    let snapshot = published.snapshot();
    let mut changes = Vec::new();
    for (key, item) in items {
        // Nobody else writes to the table.
        let now = snapshot.get(Space::Items, &key)?;
        let now = now.map(EncodedItem::from_stored);
        index::entry_changes(table, now.as_ref(), Some(&item), &mut changes);
        changes.push((Space::Items, key, Some(item.into_bytes())));
    }
    let (table, stored) = (Arc::clone(table), import.clone());
    let work = move |group: &mut Group<'_>| {
        for (space, key, value) in changes {
            group.write(space, key, value);
        }
        table.counts.note_write(group.number);
        put(group, stored)
    };
    committer.submit(work).wait()?;
    Ok(import)
}

fn store(committer: &Committer, import: ImportDefinition) -> Result<ImportDefinition, StoreFault> {
    let stored = import.clone();
    committer.submit(move |group| put(group, stored)).wait()?;
    Ok(import)
}

fn put(group: &mut Group<'_>, import: ImportDefinition) -> Result<(), StoreFault> {
    let row = CatalogRows::import(import.id);
    group.write(Space::Meta, row, Some(to_row(&import)?));
    let catalog = group.catalog().with_import(import);
    group.set_catalog(catalog);
    Ok(())
}

/// Lets the table be used. Items that it could not take make the import a failed one, as with AWS.
fn finish(
    committer: &Committer,
    table: &Arc<Table>,
    mut import: ImportDefinition,
    now: u64,
) -> Result<ImportDefinition, StoreFault> {
    import.ended = Some(now);
    import.rest = Some(Vec::new());
    import.state = match import.counts.errors {
        0 => ImportState::Completed,
        _ => ImportState::Failed(TransferFailure {
            code: "ItemValidationError".into(),
            message: "Some of the items failed validation checks and were not imported. Please check CloudWatch error logs for more details.".into(),
        }),
    };
    let (table, stored) = (Arc::clone(table), import.clone());
    let work = move |group: &mut Group<'_>| {
        restoring::finish(group, &table)?;
        put(group, stored)
    };
    committer.submit(work).wait()?;
    Ok(import)
}

/// Ends an import that could not read anything. Its table goes.
fn give_up(
    committer: &Committer,
    table: &Arc<Table>,
    mut import: ImportDefinition,
    failure: TransferFailure,
    now: u64,
) -> Result<ImportDefinition, StoreFault> {
    import.ended = Some(now);
    import.state = ImportState::Failed(failure);
    let (table, stored) = (Arc::clone(table), import.clone());
    let work = move |group: &mut Group<'_>| {
        let job = DropJob {
            table: table.id,
            indexes: table.indexes.iter().map(|index| index.id).collect(),
        };
        group.write(Space::Meta, CatalogRows::table(table.name()), None);
        let row = CatalogRows::dropped(table.id);
        group.write(Space::Meta, row, Some(to_row(&job)?));
        let catalog = group.catalog().without(table.name());
        group.set_catalog(catalog);
        put(group, stored)
    };
    committer.submit(work).wait()?;
    Ok(import)
}
