//! Backups and recovery: tables as they were.
//!
//! A backup holds a table as it was when it was asked for. CreateBackup takes a snapshot of the store and leaves it here;
//! the background copies the table's rows from it (`housekeeping/copying.rs`), in the space of indexes under the backup's own id.
//! A backup whose copy was interrupted has lost its snapshot, and goes when the store is opened.
//!
//! A table with point-in-time recovery has a log: for every change of an item a record of what the item was before, written like the
//! records of a stream in the commit of the item. A restore copies the present rows, as they are when it comes to
//! them, and then undoes the records that are younger than the wanted time, the youngest first
//! (`housekeeping/restoring.rs`). A row that was copied too late is one that changed since, and so has a record that undoes it.
//!
//! A table that is being filled is in the catalog, with its origin; nobody reads or writes its items before it is whole.

use crate::catalog::{BackupDefinition, BackupState, CatalogRows, DropJob, to_row};
use crate::commit::{Committer, Group, Published};
use crate::store::{Snapshot, Space, StoreFault};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A backup that is to be filled.
pub(crate) struct BackupSource {
    pub(crate) backup: BackupDefinition,
    /// The store as it was when the backup was asked for.
    pub(crate) snapshot: Snapshot,
}

/// The backups that are to be filled, in the order of requests.
#[derive(Default)]
pub(crate) struct BackupSources(Mutex<VecDeque<BackupSource>>);

impl BackupSources {
    pub(crate) fn push(&self, source: BackupSource) {
        self.lock().push_back(source);
    }

    pub(crate) fn take(&self) -> Option<BackupSource> {
        self.lock().pop_front()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<BackupSource>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes the definition of a backup, and puts it into the group's catalog.
pub(crate) fn store(group: &mut Group<'_>, backup: BackupDefinition) -> Result<(), StoreFault> {
    let row = CatalogRows::backup(backup.id);
    group.write(Space::Meta, row, Some(to_row(&backup)?));
    let catalog = group.catalog().with_backup(backup);
    group.set_catalog(catalog);
    Ok(())
}

/// Removes a backup. Its rows go in the background.
pub(crate) fn remove(group: &mut Group<'_>, backup: &BackupDefinition) -> Result<(), StoreFault> {
    group.write(Space::Meta, CatalogRows::backup(backup.id), None);
    let job = to_row(&DropJob::of_backup(backup))?;
    group.write(
        Space::Meta,
        CatalogRows::dropped(backup.dropped_id()),
        Some(job),
    );
    let catalog = group.catalog().without_backup(backup.id);
    group.set_catalog(catalog);
    Ok(())
}

/// Removes the backups that an earlier process has not ended.
pub(crate) fn remove_unfinished(
    published: &Published,
    committer: &Committer,
) -> Result<(), StoreFault> {
    let catalog = published.catalog.load_full();
    let unfinished = catalog
        .backups()
        .filter(|backup| backup.state == BackupState::Creating);
    let unfinished: Vec<Arc<BackupDefinition>> = unfinished.map(Arc::clone).collect();
    if unfinished.is_empty() {
        return Ok(());
    }
    let work = move |group: &mut Group<'_>| {
        let mut backups = unfinished.iter();
        backups.try_for_each(|backup| remove(group, backup))
    };
    committer.submit(work).wait()
}
