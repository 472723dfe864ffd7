//! Makes a directory what a power cut would have left of it.
//!
//! A killed process leaves the page cache behind, so a program that never syncs survives kills.
//! [`cut_power`] reads what the fault shim recorded, and takes back every change that no later sync
//! covered: bytes written past the synced size are cut off, and bytes overwritten within it are what
//! they were (in a preallocated journal, zeros). Disks also keep some of what was never synced, in
//! any order: [`Loss::Some`] does that, by a seed.
//!
//! Simplified: directories are as the process left them. A file that was never synced is there, and
//! empty; a rename or a removal that was never synced has happened.

mod changes;
mod rewind;
mod survival;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use self::changes::{Change, FileId, Recorded};
use self::survival::Survival;

/// Which of the changes that no sync covered are lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// All of them.
    Everything,
    /// Some are lost, some kept, some kept in part, as the seed decides.
    Some {
        /// The same seed and log lose the same.
        seed: u64,
    },
}

/// What a power cut did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Damage {
    /// Files with a change that no sync covered.
    pub files: usize,
    /// Changes of those files that no sync covered, whether lost or not.
    pub unsynced_changes: usize,
}

/// Cuts the power of a directory whose writers are dead.
///
/// `logs` are those of the processes that wrote to the directory since the last power cut, in order.
/// They are deleted, because they say nothing about the directory any more.
///
/// # Errors
///
/// When the directory or a log cannot be read or written, or a log is damaged.
pub fn cut_power(directory: &Path, logs: &[&Path], loss: Loss) -> io::Result<Damage> {
    let mut recorded = Recorded::default();
    for log in logs {
        let events = monotable_faultlog::read(&fs::read(log)?).map_err(io::Error::other)?;
        recorded.replay(events);
    }
    let damage = apply(directory, &recorded, loss)?;
    for log in logs {
        fs::remove_file(log)?;
    }
    Ok(damage)
}

fn apply(directory: &Path, recorded: &Recorded, loss: Loss) -> io::Result<Damage> {
    let mut paths = BTreeMap::new();
    find_files(directory, &mut paths)?;
    let mut survival = Survival::of(loss);
    let mut damage = Damage::default();
    // In the order of the log, so that a seed does not depend on inode numbers.
    for (id, changes) in recorded.files() {
        if let Some(path) = paths.get(&id) {
            damage.add(changes);
            let file = File::options().read(true).write(true).open(path)?;
            rewind::rewind(&file, changes, &mut survival)?;
        }
    }
    Ok(damage)
}

impl Damage {
    fn add(&mut self, changes: &[Change]) {
        let unsynced = changes.iter().filter(|change| !change.durable).count();
        self.unsynced_changes += unsynced;
        self.files += usize::from(unsynced > 0);
    }
}

fn find_files(directory: &Path, found: &mut BTreeMap<FileId, PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        if metadata.is_dir() {
            find_files(&entry.path(), found)?;
        } else if metadata.is_file() {
            let id = FileId {
                device: metadata.dev(),
                inode: metadata.ino(),
            };
            found.insert(id, entry.path());
        }
    }
    Ok(())
}
