//! Reads all table files, slowly and again and again, to find damage before something needs what is damaged.

use super::keyspaces::Keyspaces;
use super::manifest;
use super::table_check::{Checked, TableCheck, TableSum};
use super::{ScrubProgress, ScrubStep, Space, disk::fjall_keyspace};
use fjall::AbstractTree;
use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;

/// The pass that is going on.
#[derive(Default)]
pub(crate) struct Scrub {
    /// What is still to be read in this pass.
    queue: VecDeque<TableSum>,
    /// Boxed, because a checksum under way is large.
    current: Option<Box<TableCheck>>,
    progress: ScrubProgress,
}

impl Scrub {
    pub(super) const fn progress(&self) -> ScrubProgress {
        self.progress
    }

    /// Reads about so many bytes.
    pub(super) fn step(&mut self, keyspaces: &Keyspaces, bytes: u64) -> ScrubStep {
        let mut left = bytes;
        loop {
            let Some(check) = self.current.as_mut() else {
                if !self.begin_next(keyspaces) {
                    self.progress.passes += 1;
                    self.queue = list_tables(keyspaces).into();
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

    /// Opens the next file of the pass, if there is one.
    fn begin_next(&mut self, keyspaces: &Keyspaces) -> bool {
        while let Some(table) = self.queue.pop_front() {
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
