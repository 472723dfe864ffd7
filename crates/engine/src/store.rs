//! The seam under the engine: ordered rows in a few spaces, snapshots, and one atomic commit.
//!
//! Two implementations: [`DiskStore`] on fjall and [`MemoryStore`] on persistent maps. Everything above
//! sees only this: rows are read from a snapshot and written by [`Store::commit`], which one thread
//! calls.

#[cfg(not(feature = "disk"))]
mod absent_disk;
#[cfg(feature = "disk")]
mod access;
#[cfg(test)]
#[cfg(feature = "disk")]
mod agreement;
mod batch;
#[cfg(feature = "disk")]
mod batch_mark;
#[cfg(feature = "disk")]
mod compactor;
mod crowding;
#[cfg(feature = "disk")]
mod damage;
mod damaged_file;
#[cfg(feature = "disk")]
mod diagnosis;
#[cfg(feature = "disk")]
mod directory;
#[cfg(feature = "disk")]
mod disk;
mod fault;
#[cfg(feature = "disk")]
mod file_check;
mod folder;
#[cfg(feature = "disk")]
mod heal;
#[cfg(test)]
#[cfg(feature = "disk")]
mod index_tests;
#[cfg(feature = "disk")]
mod journal;
#[cfg(feature = "disk")]
mod journal_fill;
#[cfg(feature = "disk")]
mod keyspaces;
#[cfg(feature = "disk")]
mod manifest;
mod memory;
#[cfg(feature = "disk")]
mod noted;
#[cfg(feature = "disk")]
mod room;
#[cfg(feature = "disk")]
mod salvage;
#[cfg(feature = "disk")]
mod scrub;
mod scrub_progress;
#[cfg(feature = "disk")]
mod sections;
#[cfg(feature = "disk")]
mod set_aside;
#[cfg(test)]
#[cfg(feature = "disk")]
mod stall_tests;
#[cfg(feature = "disk")]
mod table_check;
#[cfg(feature = "disk")]
mod table_file;
#[cfg(feature = "disk")]
mod table_range;

#[cfg(not(feature = "disk"))]
use absent_disk as disk;

#[cfg(feature = "disk")]
pub use access::StoreExposure;
#[cfg(feature = "disk")]
pub(crate) use access::check_writable;
pub(crate) use batch::{Batch, Space};
#[cfg(feature = "disk")]
pub(crate) use batch_mark::BATCH_MARK_KEY;
pub use crowding::Crowding;
#[cfg(feature = "disk")]
pub(crate) use damage::MARK as DAMAGE_MARK;
pub use damaged_file::DamagedFile;
#[cfg(feature = "disk")]
pub(crate) use directory::make_private_directory;
pub(crate) use disk::DiskStore;
pub use fault::{CommitStage, OpenError, StoreFailure, StoreFault};
pub(crate) use folder::sync_directory;
#[cfg(feature = "disk")]
pub(crate) use keyspaces::DiskOptions;
pub(crate) use memory::MemoryStore;
#[cfg(feature = "disk")]
pub(crate) use salvage::{Finding, Loss, LostRows, Salvage};
pub(crate) use scrub_progress::ScrubStep;
pub use scrub_progress::{ScrubPass, ScrubProgress};
#[cfg(feature = "disk")]
pub(crate) use table_range::TableRange;

use bytes::Bytes;
use std::ops::Bound;
use std::time::Duration;

/// The row with the number of the last group.
pub(crate) const SEQUENCE_KEY: &[u8] = b"sequence";

/// How much of a commit must be on the disk before it is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// Every acknowledged write is on the disk: one sync for each group of writes.
    #[default]
    Sync,
    /// Acknowledged writes survive the process; those of the last second may be lost with the machine.
    Relaxed,
}

/// An ordered, atomic store of rows.
pub(crate) enum Store {
    #[cfg_attr(
        not(feature = "disk"),
        expect(dead_code, reason = "without the feature nobody can make one")
    )]
    Disk(DiskStore),
    Memory(MemoryStore),
}

impl Store {
    /// What is committed now, unchanging.
    pub(crate) fn snapshot(&self) -> Snapshot {
        match self {
            #[cfg_attr(
                not(feature = "disk"),
                expect(unreachable_code, reason = "without the feature nobody can make one")
            )]
            Self::Disk(store) => Snapshot::Disk(store.snapshot()),
            Self::Memory(store) => Snapshot::Memory(store.snapshot()),
        }
    }

    /// Waits until [`Store::commit`] will not be held up. Nothing is written meanwhile.
    pub(crate) fn wait_for_room(&self) -> Result<(), StoreFault> {
        match self {
            Self::Disk(store) => store.wait_for_room(),
            Self::Memory(_) => Ok(()),
        }
    }

    /// Makes the background do whatever could end the wait of a commit.
    pub(crate) fn nudge(&self) {
        if let Self::Disk(store) = self {
            store.nudge();
        }
    }

    /// What waited when a commit last looked. Asks nothing of the disk, which may be stuck.
    pub(crate) fn last_crowding(&self) -> Option<Crowding> {
        match self {
            Self::Disk(store) => store.last_crowding(),
            Self::Memory(_) => None,
        }
    }

    /// What waits to be merged or flushed in the fullest space; none in memory.
    pub(crate) fn crowding(&self) -> Option<Crowding> {
        match self {
            Self::Disk(store) => Some(store.crowding()),
            Self::Memory(_) => None,
        }
    }

    /// Writes all of `batch` or nothing. On return it is as durable as `durability` says, and visible.
    pub(crate) fn commit(&self, batch: Batch, durability: Durability) -> Result<(), StoreFault> {
        match self {
            Self::Disk(store) => store.commit(batch, durability),
            Self::Memory(store) => {
                store.commit(batch);
                Ok(())
            }
        }
    }

    /// Fails if nothing can be written any more, also because of something in the background that nobody was told of.
    pub(crate) fn check_background(&self) -> Result<(), StoreFault> {
        match self {
            Self::Disk(store) => store.check_background(),
            Self::Memory(_) => Ok(()),
        }
    }

    /// The files that are known to be damaged.
    pub(crate) fn damaged_files(&self) -> Vec<DamagedFile> {
        match self {
            Self::Disk(store) => store.damaged_files(),
            Self::Memory(_) => Vec::new(),
        }
    }

    /// Which keys the table files have; none in memory.
    #[cfg(feature = "disk")]
    pub(crate) fn table_ranges(&self) -> Vec<TableRange> {
        match self {
            Self::Disk(store) => store.table_ranges(),
            Self::Memory(_) => Vec::new(),
        }
    }

    /// Reads about so many bytes of files, to see whether they are sound.
    /// `now` is the time since 1970.
    pub(crate) fn scrub(&self, bytes: u64, now: Duration) -> ScrubStep {
        match self {
            Self::Disk(store) => store.scrub(bytes, now),
            Self::Memory(_) => ScrubStep::PassDone,
        }
    }

    /// How far the files were read; none in memory.
    pub(crate) fn scrub_progress(&self) -> Option<ScrubProgress> {
        match self {
            Self::Disk(store) => Some(store.scrub_progress()),
            Self::Memory(_) => None,
        }
    }

    /// Makes everything committed so far durable.
    pub(crate) fn sync(&self) -> Result<(), StoreFault> {
        match self {
            Self::Disk(store) => store.sync(),
            Self::Memory(_) => Ok(()),
        }
    }

    /// How much of the disk it takes; none in memory.
    pub(crate) fn disk_bytes(&self) -> Result<Option<u64>, StoreFault> {
        match self {
            Self::Disk(store) => store.disk_bytes().map(Some),
            Self::Memory(_) => Ok(None),
        }
    }

    /// Notes that every group up to `sequence` is acknowledged, for the check at the next open.
    pub(crate) fn note(&self, sequence: u64) {
        if let Self::Disk(store) = self {
            store.note(sequence);
        }
    }

    /// Makes everything durable; `sequence` is the last group.
    pub(crate) fn close(&self, sequence: u64) -> Result<(), StoreFault> {
        match self {
            Self::Disk(store) => store.close(sequence),
            Self::Memory(_) => Ok(()),
        }
    }

    /// Writes what is only in the journal to its place, so that idle data does not hold journals.
    pub(crate) fn flush(&self) -> Result<(), StoreFault> {
        match self {
            Self::Disk(store) => store.flush(),
            Self::Memory(_) => Ok(()),
        }
    }

    /// Waits until background work is done.
    pub(crate) fn settle(&self) -> Result<(), StoreFault> {
        match self {
            Self::Disk(store) => store.settle(),
            Self::Memory(_) => Ok(()),
        }
    }
}

/// A row: its key and its value.
pub(crate) type Row = (Bytes, Bytes);

/// An unchanging state of the store.
#[derive(Clone)]
pub(crate) enum Snapshot {
    Disk(disk::DiskSnapshot),
    Memory(memory::MemorySnapshot),
}

impl Snapshot {
    /// The value of a row.
    pub(crate) fn get(&self, space: Space, key: &[u8]) -> Result<Option<Bytes>, StoreFault> {
        match self {
            Self::Disk(snapshot) => snapshot.get(space, key),
            Self::Memory(snapshot) => Ok(snapshot.get(space, key)),
        }
    }

    /// The rows of a range, forwards or backwards.
    pub(crate) fn range(&self, space: Space, range: KeyRange, direction: Direction) -> Rows<'_> {
        if range.is_empty() {
            return Rows(Box::new(std::iter::empty()));
        }
        Rows(match self {
            Self::Disk(snapshot) => snapshot.range(space, range, direction),
            Self::Memory(snapshot) => snapshot.range(space, range, direction),
        })
    }
}

/// The rows of a range.
pub(crate) struct Rows<'a>(Box<dyn Iterator<Item = Result<Row, StoreFault>> + 'a>);

impl Iterator for Rows<'_> {
    type Item = Result<Row, StoreFault>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

/// Which end of a range to start from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Forwards,
    Backwards,
}

/// Keys from `start` on and before `end`; no `end` is the end of the space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyRange {
    pub(crate) start: Bytes,
    pub(crate) end: Option<Bytes>,
}

impl KeyRange {
    /// The keys that start with `prefix`.
    pub(crate) fn prefix(prefix: &[u8]) -> Self {
        Self {
            start: Bytes::copy_from_slice(prefix),
            end: after_prefix(prefix),
        }
    }

    pub(crate) fn contains(&self, key: &[u8]) -> bool {
        *self.start <= *key && self.end.as_ref().is_none_or(|end| *key < **end)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.end.as_ref().is_some_and(|end| *end <= self.start)
    }

    fn bounds(self) -> (Bound<Bytes>, Bound<Bytes>) {
        let end = self.end.map_or(Bound::Unbounded, Bound::Excluded);
        (Bound::Included(self.start), end)
    }
}

/// The first key after all keys that start with `prefix`.
pub(crate) fn after_prefix(prefix: &[u8]) -> Option<Bytes> {
    let kept = prefix.iter().rposition(|byte| *byte != u8::MAX)?;
    let mut end = prefix.get(..=kept)?.to_vec();
    if let Some(last) = end.last_mut() {
        *last += 1;
    }
    Some(end.into())
}

/// The first key after `key`.
pub(crate) fn after_key(key: &[u8]) -> Bytes {
    let mut next = Vec::with_capacity(key.len() + 1);
    next.extend_from_slice(key);
    next.push(0);
    next.into()
}
