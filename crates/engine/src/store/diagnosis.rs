//! Finds out what an error of fjall is about.
//!
//! fjall says that a checksum is wrong, and not of which file; and once one of its threads has failed, that something failed. So
//! the files that may be meant are read again here, as a whole, and the one that is damaged is named.

use super::fault::is_full;
use super::keyspaces::Keyspaces;
use super::scrub::{list_tables, list_tables_of};
use super::table_check::{TableSum, find_problem};
use super::{DamagedFile, KeyRange, Space, StoreFault};
use fjall::{AbstractTree, LsmError};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What was asked of the store.
#[derive(Clone, Copy, Debug)]
pub(super) enum Request<'a> {
    /// Rows of a range.
    Read(Space, &'a KeyRange),
    /// A commit or a sync: only the journal is written.
    Write,
    /// A compaction of a space, or a flush.
    Compact(Space),
}

/// Says what is wrong in words that name a file or a folder.
pub(super) fn diagnose(
    keyspaces: &Keyspaces,
    error: fjall::Error,
    request: Request<'_>,
) -> StoreFault {
    let store = keyspaces.damage.store();
    if io_error(&error).is_some_and(is_full) {
        return StoreFault::DiskFull {
            folder: store.into(),
        };
    }
    let damaged = match request {
        Request::Read(space, range) => find_in(keyspaces, overlapping(keyspaces, space, range)),
        Request::Compact(space) if !matches!(error, fjall::Error::Poisoned) => {
            find_in(keyspaces, list_tables_of(keyspaces, space))
        }
        Request::Compact(_) | Request::Write => match error {
            // One of fjall's own threads has failed, and nobody says why.
            fjall::Error::Poisoned if has_no_room(store) => {
                return StoreFault::DiskFull {
                    folder: store.into(),
                };
            }
            fjall::Error::Poisoned => find_in(keyspaces, list_tables(keyspaces)),
            _ => None,
        },
    };
    match damaged {
        Some(file) => StoreFault::DamagedFile(file),
        None => StoreFault::from(error),
    }
}

/// The first damaged one of these files: one that is known, or else one that is found now.
fn find_in(keyspaces: &Keyspaces, tables: Vec<TableSum>) -> Option<DamagedFile> {
    let known = keyspaces.damage.all();
    let is_candidate = |file: &DamagedFile| tables.iter().any(|table| table.path == file.path);
    if let Some(file) = known.into_iter().find(is_candidate) {
        return Some(file);
    }
    tables.iter().find_map(|table| {
        let what = find_problem(table)?;
        Some(keyspaces.damage.note(&table.path, what))
    })
}

/// The table files that may have rows of a range.
fn overlapping(keyspaces: &Keyspaces, space: Space, range: &KeyRange) -> Vec<TableSum> {
    let version = keyspaces.of(space).tree.current_version();
    let tables = version.iter_tables().filter(|table| {
        let keys = &table.metadata.key_range;
        *range.start <= **keys.max() && range.end.as_ref().is_none_or(|end| **keys.min() < **end)
    });
    let sums = tables.map(|table| TableSum {
        path: PathBuf::clone(&table.path),
        checksum: table.checksum().into_u128(),
    });
    sums.collect()
}

const fn io_error(error: &fjall::Error) -> Option<&io::Error> {
    match error {
        fjall::Error::Io(error) | fjall::Error::Storage(LsmError::Io(error)) => Some(error),
        _ => None,
    }
}

/// Whether nothing more can be written beside the store's files.
fn has_no_room(store: &Path) -> bool {
    let path = store.join("ROOM.new");
    let written = File::create(&path).and_then(|mut file| {
        file.write_all(&[0; 64 * 1024])?;
        file.sync_all()
    });
    let removed = fs::remove_file(path);
    written.is_err_and(|error| is_full(&error)) || removed.is_err_and(|error| is_full(&error))
}

#[cfg(test)]
mod tests {
    use super::super::damage::DamageLog;
    use super::super::keyspaces::{DiskOptions, open_database};
    use super::*;

    #[test]
    fn a_full_disk_is_called_by_its_name_with_the_store() {
        let folder = tempfile::tempdir().unwrap();
        let damage = DamageLog::open(folder.path()).unwrap();
        let options = DiskOptions::new(1 << 20);
        let (_database, keyspaces) =
            open_database(&folder.path().join("data"), &options, damage).unwrap();
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let errors = [
            fjall::Error::Io(full()),
            fjall::Error::Storage(LsmError::Io(full())),
        ];
        for error in errors {
            let fault = diagnose(&keyspaces, error, Request::Write);
            let told = fault.to_string();
            let expected = format!(
                "disk full: there is no space left for {}",
                folder.path().display()
            );
            assert!(told.starts_with(&expected), "{told}");
            // Those who come later are told the same.
            assert_eq!(fault.for_later_callers().to_string(), told);
        }
        let other = fjall::Error::Io(io::Error::other("no"));
        let fault = diagnose(&keyspaces, other, Request::Write);
        assert!(matches!(fault, StoreFault::Failed(_)), "{fault}");
    }
}
