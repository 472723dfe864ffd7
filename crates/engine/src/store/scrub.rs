//! Reads all table files, slowly and again and again, to find damage before something needs what is damaged.

use super::keyspaces::Keyspaces;
use super::manifest::{self, fjall_keyspace};
use super::table_check::{Checked, TableCheck, TableSum};
use super::{ScrubPass, ScrubProgress, ScrubStep, Space};
use fjall::AbstractTree;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The pass that is going on.
#[derive(Default)]
pub(crate) struct Scrub {
    /// What is still to be read in the pass that is going on; none between two passes.
    queue: Option<VecDeque<TableSum>>,
    /// Boxed, because a checksum under way is large.
    current: Option<Box<TableCheck>>,
    progress: ScrubProgress,
    /// What had been read when the pass began.
    bytes_before: u64,
}

impl Scrub {
    pub(super) const fn progress(&self) -> ScrubProgress {
        self.progress
    }

    /// Reads about so many bytes. A pass reads the table files that are in use when it begins; `now` is the time since 1970.
    pub(super) fn step(&mut self, keyspaces: &Keyspaces, bytes: u64, now: Duration) -> ScrubStep {
        if self.queue.is_none() {
            self.queue = Some(list_tables(keyspaces).into());
            self.bytes_before = self.progress.bytes;
        }
        let mut left = bytes;
        loop {
            let Some(check) = self.current.as_mut() else {
                if !self.begin_next(keyspaces) {
                    self.end_pass(now);
                    return ScrubStep::PassDone;
                }
                continue;
            };
            let (read, checked) = check.read_piece();
            self.progress.bytes += read;
            match checked {
                Checked::Partly => {}
                Checked::Sound => self.current = None,
                Checked::Damaged(what) => {
                    keyspaces.damage.note(check.path(), what);
                    self.current = None;
                }
            }
            if self.current.is_none() {
                self.progress.files += 1;
            }
            left = left.saturating_sub(read);
            if left == 0 {
                return ScrubStep::More;
            }
        }
    }

    fn end_pass(&mut self, now: Duration) {
        self.queue = None;
        self.progress.passes += 1;
        self.progress.last_pass = Some(ScrubPass {
            ended: now,
            bytes: self.progress.bytes - self.bytes_before,
        });
    }

    /// Opens the next file of the pass, if there is one.
    fn begin_next(&mut self, keyspaces: &Keyspaces) -> bool {
        while let Some(table) = self.queue.as_mut().and_then(VecDeque::pop_front) {
            match TableCheck::begin(table.clone()) {
                Ok(check) => {
                    self.current = Some(Box::new(check));
                    return true;
                }
                // A compaction has removed it since the pass began, unless it is still in use.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    if list_tables(keyspaces).contains(&table) {
                        keyspaces.damage.note(&table.path, "it is missing");
                    }
                }
                Err(error) => {
                    let what = format!("it cannot be opened: {error}");
                    keyspaces.damage.note(&table.path, what);
                }
            }
        }
        false
    }
}

/// All table files in use.
pub(super) fn list_tables(keyspaces: &Keyspaces) -> Vec<TableSum> {
    let mut tables = own_tables(keyspaces);
    for space in Space::ALL {
        tables.extend(list_tables_of(keyspaces, space));
    }
    tables
}

/// The table files of a space.
pub(super) fn list_tables_of(keyspaces: &Keyspaces, space: Space) -> Vec<TableSum> {
    let version = keyspaces.of(space).tree.current_version();
    let tables = version.iter_tables().map(|table| TableSum {
        path: PathBuf::clone(&table.path),
        checksum: table.checksum().into_u128(),
    });
    tables.collect()
}

/// The table files of fjall's own catalogue, which never change once a store is made.
fn own_tables(keyspaces: &Keyspaces) -> Vec<TableSum> {
    let folder = fjall_keyspace(&keyspaces.damage.store().join("data"), 0);
    match manifest::read(&folder) {
        Ok(manifest) => manifest.table_sums(&folder),
        Err(problem) => {
            keyspaces.damage.note(&problem.path, problem.what);
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Batch, DiskOptions, DiskStore, Durability};
    use super::*;
    use bytes::Bytes;

    const NOW: Duration = Duration::from_secs(1_794_916_800);

    fn add_table_file(store: &DiskStore, key: &'static [u8]) {
        let mut batch = Batch::default();
        let value = vec![7; 100];
        batch.push(Space::Items, Bytes::from_static(key), Some(value.into()));
        store.commit(batch, Durability::Sync).unwrap();
        store.settle().unwrap();
    }

    #[test]
    fn every_pass_reads_the_files_that_are_there_when_it_begins() {
        let folder = tempfile::tempdir().unwrap();
        let store = DiskStore::open(folder.path(), &DiskOptions::new(1 << 20)).unwrap();
        add_table_file(&store, b"a");
        assert_eq!(store.scrub(u64::MAX, NOW), ScrubStep::PassDone);
        let first = store.scrub_progress();
        let pass = first.last_pass.unwrap();
        assert!(first.files > 0 && first.bytes > 0, "{first:?}");
        assert_eq!((pass.ended, pass.bytes), (NOW, first.bytes));
        // A file that was written between the passes is read in the next one.
        add_table_file(&store, b"b");
        let tables = fjall_keyspace(&folder.path().join("data"), 2).join("tables");
        let newest = std::fs::read_dir(tables).unwrap();
        let newest = newest.map(|entry| entry.unwrap().path()).max().unwrap();
        std::fs::write(newest, b"spoilt").unwrap();
        assert_eq!(store.scrub(u64::MAX, NOW), ScrubStep::PassDone);
        assert_eq!(store.scrub_progress().damaged, 1);
    }
}
