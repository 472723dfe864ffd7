//! The store on disk: fjall.
//!
//! What must hold, and is not fjall's default:
//! - a commit asks for its sync in the batch itself; a later `persist` would let readers see what is
//!   not durable yet;
//! - memtables are bounded for each keyspace, and idle ones are flushed, or they would pin journals;
//! - a commit enters fjall only where fjall will not halt it (`room.rs`), and compactions that are due are
//!   asked for until they are done (`compactor.rs`);
//! - after a failed write nothing more is written: the engine above stops, fjall is poisoned too.

use super::batch_mark::{BATCH_MARK_KEY, BatchMark};
use super::compactor::Compactor;
use super::crowding::Crowding;
use super::damage::DamageLog;
use super::diagnosis::{Request, diagnose};
use super::directory::Directory;
use super::file_check::{check_files, name_damage};
use super::journal_fill::{BatchSize, JournalFill, JournalOrigin};
use super::keyspaces::{DiskOptions, Keyspaces, open_database};
use super::noted::{Note, Noted};
use super::room::Pace;
use super::scrub::Scrub;
use super::table_range::{TableRange, list_ranges};
use super::{
    Batch, DamagedFile, Direction, Durability, KeyRange, OpenError, Row, SEQUENCE_KEY,
    ScrubProgress, ScrubStep, Space, StoreFault, after_key, journal,
};
use bytes::Bytes;
use fjall::{Database, PersistMode, Readable};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const POLL: Duration = Duration::from_millis(5);

pub(crate) struct DiskStore {
    /// Ends before the database closes: declared before it, so dropped before it.
    compactor: Compactor,
    database: Database,
    /// Shared with every snapshot: one count to change instead of three.
    keyspaces: Arc<Keyspaces>,
    /// Bytes committed to each space since its memtable was last sealed.
    unflushed: [AtomicU64; Space::ALL.len()],
    memtable_bytes: u64,
    /// Used by the committer only; the lock is never waited for.
    pace: Box<Mutex<Pace>>,
    /// What waited when a commit last looked.
    last_crowding: Mutex<Option<Crowding>>,
    /// Written by the committer only; the lock is never waited for.
    noted: Mutex<Noted>,
    /// The last group that is known to be on the disk.
    durable: AtomicU64,
    scrub: Box<Mutex<Scrub>>,
    /// Used by the committer only; the lock is never waited for.
    journal_fill: Box<Mutex<JournalFill>>,
    /// Unlocks last: declared after the database, so dropped after it.
    _directory: Directory,
}

impl DiskStore {
    pub(crate) fn open(path: &Path, options: &DiskOptions) -> Result<Self, OpenError> {
        let directory = Directory::open(path)?;
        let mut noted =
            Noted::open(&directory.noted()).map_err(OpenError::io(directory.noted()))?;
        let note = noted.read().map_err(OpenError::io(directory.noted()))?;
        let origin = if directory.is_complete() {
            check_files(&directory)?;
            JournalOrigin::Found
        } else {
            JournalOrigin::New
        };
        let aside = journal::prepare(directory.path(), &directory.data(), note)?;
        let damage = DamageLog::open(path).map_err(OpenError::io(path))?;
        let failed = |error: fjall::Error| open_failed(&directory, error);
        let (database, keyspaces) = catch_panic(&directory, || {
            open_database(&directory.data(), options, damage).map_err(failed)
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
        let journal_fill =
            JournalFill::new(&directory.data(), origin).map_err(OpenError::io(directory.data()))?;
        directory.complete()?;
        let keyspaces = Arc::new(keyspaces);
        let compactor = Compactor::start(database.clone(), Arc::clone(&keyspaces))
            .map_err(OpenError::io(path))?;
        Ok(Self {
            compactor,
            database,
            keyspaces,
            unflushed: Default::default(),
            memtable_bytes: options.memtable_bytes,
            pace: Box::new(Mutex::new(Pace::new())),
            last_crowding: Mutex::new(None),
            noted: Mutex::new(noted),
            durable: AtomicU64::new(found),
            scrub: Box::default(),
            journal_fill: Box::new(Mutex::new(journal_fill)),
            _directory: directory,
        })
    }

    #[cfg(test)]
    pub(super) fn keyspace(&self, space: Space) -> &fjall::Keyspace {
        self.keyspaces.of(space)
    }

    pub(super) fn disk_bytes(&self) -> Result<u64, StoreFault> {
        self.database
            .disk_space()
            .map_err(|error| self.diagnose(error))
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
        self.compactor.check()?;
        let mark = BatchMark {
            // One thread commits, so nothing that it wrote has this number or a higher one.
            floor: self.database.seqno(),
            durable: self.durable.load(Ordering::Relaxed),
        };
        let mark = mark.encode();
        let entries = changes.len() + 1;
        let mut written = (BATCH_MARK_KEY.len() + mark.len()) as u64;
        self.unflushed(Space::Meta)
            .fetch_add(written, Ordering::Relaxed);
        let mut write = fjall::OwnedWriteBatch::with_capacity(self.database.clone(), entries)
            .durability(Some(mode));
        write.insert(&self.keyspaces.meta, BATCH_MARK_KEY, mark);
        for change in changes {
            let keyspace = self.keyspaces.of(change.space);
            let bytes = change.key.len() + change.value.as_ref().map_or(0, Bytes::len);
            self.unflushed(change.space)
                .fetch_add(bytes as u64, Ordering::Relaxed);
            written += bytes as u64;
            match change.value {
                Some(value) => write.insert(keyspace, change.key, value),
                None => write.remove(keyspace, change.key),
            }
        }
        if durability == Durability::Sync {
            self.make_journal_room(BatchSize::new(entries, written));
        }
        write.commit().map_err(|error| self.diagnose(error))?;
        self.pace().note(written);
        for space in Space::ALL {
            if self.unflushed(space).load(Ordering::Relaxed) > self.memtable_bytes {
                self.seal(space)?;
            }
        }
        Ok(())
    }

    fn make_journal_room(&self, batch: BatchSize) {
        let fill = self.journal_fill.lock();
        let mut fill = fill.unwrap_or_else(PoisonError::into_inner);
        fill.make_room(batch);
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
        let rotated = self.keyspaces.of(space).rotate_memtable();
        rotated.map(drop).map_err(|error| self.diagnose(error))
    }

    fn diagnose(&self, error: fjall::Error) -> StoreFault {
        diagnose(&self.keyspaces, error, Request::Write)
    }

    /// Fails once a file is known to be damaged, or one of the background threads has failed.
    pub(super) fn check_writable(&self) -> Result<(), StoreFault> {
        if let Some(file) = self.keyspaces.damage.first() {
            return Err(StoreFault::DamagedFile(file));
        }
        self.compactor.check()
    }

    /// Fails also if one of fjall's own threads has failed, which nobody is told of otherwise.
    pub(super) fn check_background(&self) -> Result<(), StoreFault> {
        self.check_writable()?;
        let alive = self.database.persist(PersistMode::Buffer);
        alive.map_err(|error| self.diagnose(error))
    }

    pub(super) fn damaged_files(&self) -> Vec<DamagedFile> {
        self.keyspaces.damage.all()
    }

    /// Which keys the table files have.
    pub(super) fn table_ranges(&self) -> Vec<TableRange> {
        list_ranges(&self.keyspaces)
    }

    /// Reads about so many bytes of table files, to see whether they are sound.
    pub(super) fn scrub(&self, bytes: u64, now: Duration) -> ScrubStep {
        self.lock_scrub().step(&self.keyspaces, bytes, now)
    }

    pub(super) fn scrub_progress(&self) -> ScrubProgress {
        ScrubProgress {
            damaged: self.keyspaces.damage.all().len() as u64,
            ..self.lock_scrub().progress()
        }
    }

    fn lock_scrub(&self) -> MutexGuard<'_, Scrub> {
        self.scrub.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn sync(&self) -> Result<(), StoreFault> {
        let synced = self.database.persist(PersistMode::SyncData);
        synced.map_err(|error| self.diagnose(error))
    }

    pub(super) fn note(&self, sequence: u64) {
        self.durable.store(sequence, Ordering::Relaxed);
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

    /// Waits until a commit may enter fjall. Call it before each commit.
    pub(super) fn wait_for_room(&self) -> Result<(), StoreFault> {
        self.check_writable()?;
        self.wait_while(|| self.look_at_crowding().is_full())?;
        let crowding = self.last_crowding();
        let runs = crowding.map_or(0, |crowding| crowding.runs_to_come());
        let delay = self.pace().delay(runs);
        if !delay.is_zero() {
            std::thread::sleep(delay);
        }
        Ok(())
    }

    fn look_at_crowding(&self) -> Crowding {
        let crowding = self.crowding();
        *self.lock_last_crowding() = Some(crowding);
        crowding
    }

    pub(super) fn last_crowding(&self) -> Option<Crowding> {
        *self.lock_last_crowding()
    }

    fn lock_last_crowding(&self) -> MutexGuard<'_, Option<Crowding>> {
        let last = self.last_crowding.lock();
        last.unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the background do whatever could end a commit's wait.
    pub(super) fn nudge(&self) {
        self.compactor.nudge();
    }

    /// What waits in the fullest space.
    pub(super) fn crowding(&self) -> Crowding {
        let [meta, items, indexes] = Space::ALL.map(|space| self.measure(space));
        meta.fuller(items).fuller(indexes)
    }

    fn measure(&self, space: Space) -> Crowding {
        Crowding::measure(space, self.keyspaces.of(space))
    }

    fn pace(&self) -> MutexGuard<'_, Pace> {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn settle(&self) -> Result<(), StoreFault> {
        self.flush()?;
        self.wait_while(|| {
            self.compactor.wake();
            let sealed = |space| self.measure(space).sealed > 0;
            self.database.outstanding_flushes() > 0
                || Space::ALL.into_iter().any(sealed)
                || self.database.active_compactions() > 0
                || !self.compactor.is_at_rest()
        })
    }

    fn wait_while(&self, busy: impl Fn() -> bool) -> Result<(), StoreFault> {
        while busy() {
            self.check_background()?;
            std::thread::sleep(POLL);
        }
        Ok(())
    }
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
        Err(name_damage(directory, what))
    })
}

fn open_failed(directory: &Directory, error: fjall::Error) -> OpenError {
    match error {
        fjall::Error::Locked => OpenError::Locked {
            path: directory.path().into(),
        },
        fjall::Error::Io(source) | fjall::Error::Storage(fjall::LsmError::Io(source))
            if !matches!(
                source.kind(),
                std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::InvalidData
            ) =>
        {
            OpenError::io(directory.data())(source)
        }
        other => name_damage(directory, other),
    }
}

#[derive(Clone)]
pub(crate) struct DiskSnapshot {
    snapshot: fjall::Snapshot,
    keyspaces: Arc<Keyspaces>,
}

impl DiskSnapshot {
    pub(super) fn get(&self, space: Space, key: &[u8]) -> Result<Option<Bytes>, StoreFault> {
        let value = self.snapshot.get(self.keyspaces.of(space), key);
        match value {
            Ok(value) => Ok(value.map(Bytes::from)),
            Err(error) => {
                let range = KeyRange {
                    start: Bytes::copy_from_slice(key),
                    end: Some(after_key(key)),
                };
                Err(diagnose(
                    &self.keyspaces,
                    error,
                    Request::Read(space, &range),
                ))
            }
        }
    }

    pub(super) fn range(
        &self,
        space: Space,
        range: KeyRange,
        direction: Direction,
    ) -> Box<dyn Iterator<Item = Result<Row, StoreFault>>> {
        let keyspaces = Arc::clone(&self.keyspaces);
        let rows = self
            .snapshot
            .range(keyspaces.of(space), range.clone().bounds());
        let read = move |guard: fjall::Guard| match guard.into_inner() {
            Ok((key, value)) => Ok((key.into(), value.into())),
            Err(error) => Err(diagnose(&keyspaces, error, Request::Read(space, &range))),
        };
        match direction {
            Direction::Forwards => Box::new(rows.map(read)),
            Direction::Backwards => Box::new(rows.rev().map(read)),
        }
    }
}
