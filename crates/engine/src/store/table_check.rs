//! Reads a table file and compares it with the checksum that the store has of it.
//!
//! fjall keeps a checksum of every table file in the list of its table files, and never looks at it. It covers every byte of the file:
//! blocks, index, filter and directory.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// How much is read at a time.
const PIECE: usize = 256 * 1024;

/// A table file, and what its checksum must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableSum {
    pub(super) path: PathBuf,
    pub(super) checksum: u128,
}

/// A check that is going on.
pub(super) struct TableCheck {
    table: TableSum,
    file: File,
    hasher: Xxh3,
    position: u64,
}

/// What a check has come to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Checked {
    /// There is more to read.
    Partly,
    /// The file is what was written.
    Sound,
    /// It is not, and this is why.
    Damaged(String),
}

impl TableCheck {
    pub(super) fn begin(table: TableSum) -> io::Result<Self> {
        Ok(Self {
            file: File::open(&table.path)?,
            table,
            hasher: Xxh3::new(),
            position: 0,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.table.path
    }

    /// Reads the next piece: how many bytes, and what is known now.
    pub(super) fn read_piece(&mut self) -> (u64, Checked) {
        // What is cached was good when it was written. What counts is what the disk gives back.
        forget_cached(&self.file, self.position);
        let mut piece = Vec::with_capacity(PIECE);
        let read = Read::take(&mut self.file, PIECE as u64).read_to_end(&mut piece);
        match read {
            Err(error) => {
                let what = format!("it cannot be read at byte {}: {error}", self.position);
                (0, Checked::Damaged(what))
            }
            Ok(0) if self.hasher.digest128() == self.table.checksum => (0, Checked::Sound),
            Ok(0) => {
                let what = "it does not match the checksum of when it was written";
                (0, Checked::Damaged(what.into()))
            }
            Ok(read) => {
                self.hasher.update(&piece);
                self.position += read as u64;
                (read as u64, Checked::Partly)
            }
        }
    }
}

/// Reads a whole table file: what is wrong with it, if anything is.
pub(super) fn find_problem(table: &TableSum) -> Option<String> {
    let mut check = match TableCheck::begin(table.clone()) {
        Ok(check) => check,
        Err(error) => return Some(format!("it cannot be opened: {error}")),
    };
    loop {
        match check.read_piece().1 {
            Checked::Partly => {}
            Checked::Sound => return None,
            Checked::Damaged(what) => return Some(what),
        }
    }
}

/// Makes the next piece come from the disk, and not from the system's cache.
#[cfg(target_os = "linux")]
fn forget_cached(file: &File, position: u64) {
    use rustix::fs::{Advice, fadvise};
    // Only advice: where it is not taken, the cache is checked.
    let _ = fadvise(
        file,
        position,
        std::num::NonZeroU64::new(PIECE as u64),
        Advice::DontNeed,
    );
}

#[cfg(not(target_os = "linux"))]
fn forget_cached(_file: &File, _position: u64) {}
