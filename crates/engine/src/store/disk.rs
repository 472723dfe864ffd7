//! The store on disk: fjall.
//!
//! What must hold, and is not fjall's default:
//! - a commit asks for its sync in the batch itself; a later `persist` would let readers see what is
//!   not durable yet;
//! - memtables are bounded for each keyspace, and idle ones are flushed, or they would pin journals;
//! - after a failed write nothing more is written: the engine above stops, fjall is poisoned too.

use super::directory::Directory;
use super::noted::{Note, Noted};
use super::{Batch, Direction, Durability, KeyRange, OpenError, Row, Space, StoreFault, journal};
use bytes::Bytes;
use fjall::config::{PartitioningPolicy, PinningPolicy};
use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode, Readable};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A memtable that outgrows this is written to a table file, in bytes.
const MEMTABLE_BYTES: u64 = 16 * 1024 * 1024;

/// Journals that together outgrow this make fjall flush what keeps them, in bytes. A bound on what must
/// be replayed at open.
const JOURNALS_BYTES: u64 = 256 * 1024 * 1024;

/// fjall's background threads. The first one never compacts: with only two, it takes and returns the
/// same message for as long as the other compacts, and keeps a core busy with it.
const WORKERS: usize = 4;

/// Memtables of one keyspace that wait to be flushed before commits wait too. fjall itself stalls at 4.
const MOST_SEALED: usize = 3;

const POLL: Duration = Duration::from_millis(5);

/// The row of [`Space::Meta`] that every group of commits overwrites with its sequence.
pub(crate) const SEQUENCE_KEY: &[u8] = b"sequence";

struct Keyspaces {
    meta: Keyspace,
    items: Keyspace,
    indexes: Keyspace,
}

impl Keyspaces {
    const fn of(&self, space: Space) -> &Keyspace {
        match space {
            Space::Meta => &self.meta,
            Space::Items => &self.items,
            Space::Indexes => &self.indexes,
        }
    }
}

pub(crate) struct DiskStore {
    database: Database,
    /// Shared with every snapshot: one count to change instead of three.
    keyspaces: Arc<Keyspaces>,
    /// Bytes committed to each space since its memtable was last sealed.
    unflushed: [AtomicU64; Space::ALL.len()],
    /// Written by the committer only; the lock is never waited for.
    noted: Mutex<Noted>,
    /// Unlocks last: declared after the database, so dropped after it.
    _directory: Directory,
}

impl DiskStore {
    pub(crate) fn open(path: &Path, cache_bytes: u64) -> Result<Self, OpenError> {
        let directory = Directory::open(path)?;
        let mut noted =
            Noted::open(&directory.noted()).map_err(OpenError::io(directory.noted()))?;
        let note = noted.read().map_err(OpenError::io(directory.noted()))?;
        if directory.is_complete() {
            check_files(&directory.data())?;
        }
        let aside = journal::prepare(directory.path(), &directory.data(), note)?;
        let failed = |error: fjall::Error| open_failed(&directory, error);
        let (database, keyspaces) = catch_panic(&directory, || {
            open_database(&directory.data(), cache_bytes).map_err(failed)
        })?;
        let found = keyspaces.meta.get(SEQUENCE_KEY).map_err(failed)?;
        let found = found
            .and_then(|bytes| journal::read_sequence(&bytes))
            .unwrap_or(0);
        if found < note.sequence {
            // fjall lets go of its files before one of them is put back.
            drop((database, keyspaces));
            if let Some(aside) = aside {
                aside.restore().map_err(OpenError::io(path))?;
            }
            return Err(OpenError::JournalTruncated {
                path: path.into(),
                acknowledged: note.sequence,
                found,
            });
        }
        if let Some(aside) = aside {
            aside.discard().map_err(OpenError::io(path))?;
        }
        directory.complete()?;
        Ok(Self {
            database,
            keyspaces: Arc::new(keyspaces),
            unflushed: Default::default(),
            noted: Mutex::new(noted),
            _directory: directory,
        })
    }

    pub(super) fn disk_bytes(&self) -> Result<u64, StoreFault> {
        Ok(self.database.disk_space()?)
    }

    pub(super) fn snapshot(&self) -> DiskSnapshot {
        DiskSnapshot {
            snapshot: self.database.snapshot(),
            keyspaces: Arc::clone(&self.keyspaces),
        }
    }

    pub(super) fn commit(&self, batch: Batch, durability: Durability) -> Result<(), StoreFault> {
        let changes = batch.into_changes();
        let mode = match durability {
            Durability::Sync => PersistMode::SyncData,
            Durability::Relaxed => PersistMode::Buffer,
        };
        self.wait_for_flushes()?;
        let mut write = fjall::OwnedWriteBatch::with_capacity(self.database.clone(), changes.len())
            .durability(Some(mode));
        for change in changes {
            let keyspace = self.keyspaces.of(change.space);
            let bytes = change.key.len() + change.value.as_ref().map_or(0, Bytes::len);
            self.unflushed(change.space)
                .fetch_add(bytes as u64, Ordering::Relaxed);
            match change.value {
                Some(value) => write.insert(keyspace, change.key, value),
                None => write.remove(keyspace, change.key),
            }
        }
        write.commit()?;
        for space in Space::ALL {
            if self.unflushed(space).load(Ordering::Relaxed) > MEMTABLE_BYTES {
                self.seal(space)?;
            }
        }
        Ok(())
    }

    fn unflushed(&self, space: Space) -> &AtomicU64 {
        let [meta, items, indexes] = &self.unflushed;
        match space {
            Space::Meta => meta,
            Space::Items => items,
            Space::Indexes => indexes,
        }
    }

    /// Seals the memtable of a space, to be flushed. fjall does that too, but in the thread that flushes:
    /// while that one is busy the memtable grows without bound, and nothing waits for it.
    fn seal(&self, space: Space) -> Result<(), StoreFault> {
        self.unflushed(space).store(0, Ordering::Relaxed);
        self.keyspaces.of(space).rotate_memtable()?;
        Ok(())
    }

    pub(super) fn sync(&self) -> Result<(), StoreFault> {
        Ok(self.database.persist(PersistMode::SyncData)?)
    }

    pub(super) fn note(&self, sequence: u64) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        // The note is only for the check at open: a stale one misses damage, but loses nothing.
        let _ = noted.write(Note {
            sequence,
            closed: false,
        });
    }

    /// Makes everything durable and notes that it is.
    pub(super) fn close(&self, sequence: u64) -> Result<(), StoreFault> {
        self.sync()?;
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        let closed = Note {
            sequence,
            closed: true,
        };
        // Without the note the next open only takes longer.
        let _ = noted.write(closed).and_then(|()| noted.sync());
        Ok(())
    }

    pub(super) fn flush(&self) -> Result<(), StoreFault> {
        for space in Space::ALL {
            self.seal(space)?;
        }
        Ok(())
    }

    /// Waits while a keyspace has so many memtables to flush that fjall would stall the commit: fjall
    /// would wait for ever if its flush thread had failed meanwhile.
    fn wait_for_flushes(&self) -> Result<(), StoreFault> {
        let busy = |space| self.keyspaces.of(space).sealed_memtable_count() >= MOST_SEALED;
        self.wait_while(|| Space::ALL.into_iter().any(busy))
    }

    pub(super) fn settle(&self) -> Result<(), StoreFault> {
        self.flush()?;
        let sealed = |space| self.keyspaces.of(space).sealed_memtable_count() > 0;
        self.wait_while(|| {
            self.database.outstanding_flushes() > 0
                || self.database.active_compactions() > 0
                || Space::ALL.into_iter().any(sealed)
        })
    }

    fn wait_while(&self, busy: impl Fn() -> bool) -> Result<(), StoreFault> {
        while busy() {
            // Fails once a background thread has failed.
            self.database.persist(PersistMode::Buffer)?;
            std::thread::sleep(POLL);
        }
        Ok(())
    }
}

/// fjall takes a missing file of its own for a database or keyspace that was never finished, and makes it
/// anew or removes its folder. In a store that is complete, a missing file is damage.
fn check_files(data: &Path) -> Result<(), OpenError> {
    // fjall's own catalogue is the keyspace 0; ours follow.
    let keyspaces = (0..=Space::ALL.len()).map(|id| format!("keyspaces/{id}/current"));
    for name in keyspaces.chain(["version".to_owned()]) {
        let path = data.join(name);
        if !path.try_exists().map_err(OpenError::io(&path))? {
            return Err(OpenError::damaged(path, "it is missing"));
        }
    }
    Ok(())
}

fn open_database(path: &Path, cache_bytes: u64) -> fjall::Result<(Database, Keyspaces)> {
    let database = Database::builder(path)
        .cache_size(cache_bytes)
        .max_journaling_size(JOURNALS_BYTES)
        .worker_threads(WORKERS)
        .open()?;
    let keyspace = |space: Space| database.keyspace(space.name(), keyspace_options);
    let keyspaces = Keyspaces {
        meta: keyspace(Space::Meta)?,
        items: keyspace(Space::Items)?,
        indexes: keyspace(Space::Indexes)?,
    };
    Ok((database, keyspaces))
}

/// fjall keeps these as they were when the keyspace was made.
fn keyspace_options() -> KeyspaceCreateOptions {
    // One index or filter for a whole table file is larger than a shard of the cache takes: it would be
    // read from the file by every request. What is pinned need not be cut up.
    KeyspaceCreateOptions::default()
        .max_memtable_size(MEMTABLE_BYTES)
        .index_block_pinning_policy(PinningPolicy::new([true, true, false]))
        .index_block_partitioning_policy(PartitioningPolicy::new([false, false, true]))
        .filter_block_pinning_policy(PinningPolicy::new([true, false]))
        .filter_block_partitioning_policy(PartitioningPolicy::new([false, true]))
}

/// fjall panics on some damaged files. Nothing is shared with the closure that a panic could leave
/// half done.
fn catch_panic<T>(
    directory: &Directory,
    open: impl FnOnce() -> Result<T, OpenError>,
) -> Result<T, OpenError> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(open)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied());
        let what = text.unwrap_or("a file is not what it should be");
        Err(OpenError::damaged(directory.data(), what))
    })
}

fn open_failed(directory: &Directory, error: fjall::Error) -> OpenError {
    match error {
        fjall::Error::Locked => OpenError::Locked {
            path: directory.path().into(),
        },
        fjall::Error::Io(source)
            if !matches!(
                source.kind(),
                std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::InvalidData
            ) =>
        {
            OpenError::io(directory.data())(source)
        }
        other => OpenError::damaged(directory.data(), other),
    }
}

#[derive(Clone)]
pub(crate) struct DiskSnapshot {
    snapshot: fjall::Snapshot,
    keyspaces: Arc<Keyspaces>,
}

impl DiskSnapshot {
    pub(super) fn get(&self, space: Space, key: &[u8]) -> Result<Option<Bytes>, StoreFault> {
        let value = self.snapshot.get(self.keyspaces.of(space), key)?;
        Ok(value.map(Bytes::from))
    }

    pub(super) fn range(
        &self,
        space: Space,
        range: KeyRange,
        direction: Direction,
    ) -> Box<dyn Iterator<Item = Result<Row, StoreFault>>> {
        let rows = self
            .snapshot
            .range(self.keyspaces.of(space), range.bounds());
        match direction {
            Direction::Forwards => Box::new(rows.map(read_row)),
            Direction::Backwards => Box::new(rows.rev().map(read_row)),
        }
    }
}

fn read_row(guard: fjall::Guard) -> Result<Row, StoreFault> {
    let (key, value) = guard.into_inner()?;
    Ok((key.into(), value.into()))
}
