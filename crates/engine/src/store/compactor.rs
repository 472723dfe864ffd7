//! The thread that asks fjall for compactions, so that the store never stops taking writes.
//!
//! fjall writes a full memtable to a table file of level 0, and *compactions* merge those files into
//! level 1 and from there downwards. It has two gaps that together stop a store for good:
//!
//! - It asks for compactions only after a flush. A request looks once for the most urgent
//!   compaction and is gone. If that one cannot begin because another compaction holds files of its two
//!   levels, the request does nothing: a merge of level 0 cannot begin while a compaction from level
//!   1 to level 2 runs.
//! - It halts every write, inside the write and without an end, while level 0 has 30 runs.
//!
//! So when a compaction from level 1 to level 2 takes as long as it takes to flush the memtables that
//! fill level 0, all requests of those flushes come too early. Then writes are halted, so no memtable
//! fills and no flush comes; the long compaction ends, nobody asks again, and the writer sleeps while all
//! of fjall's threads are idle. `stall_tests.rs` shows it with fjall alone.
//!
//! This thread closes the first gap: whenever the files of a space have changed it asks again, until
//! nothing is due. It calls what fjall's own threads call, and lsm-tree keeps the two from taking the same
//! files. The second gap is closed by `room.rs`: a commit waits before it enters fjall, where its wait can
//! be bounded, seen and answered.

use super::crowding::Crowding;
use super::diagnosis::{Request, diagnose};
use super::keyspaces::Keyspaces;
use super::{Space, StoreFault};
use fjall::{AbstractTree, Database, PersistMode};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long to wait before asking again while compactions are going on.
const BUSY_PAUSE: Duration = Duration::from_millis(20);
/// How long to wait before looking again when nothing was due.
const IDLE_PAUSE: Duration = Duration::from_millis(500);

/// The handle on the thread, which ends when it is dropped.
pub(super) struct Compactor {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    database: Database,
    keyspaces: Arc<Keyspaces>,
    /// For each space, the version of its files in which nothing was due.
    at_rest: [AtomicU64; Space::ALL.len()],
    signal: Mutex<Signal>,
    signalled: Condvar,
    /// Why nothing is compacted any more.
    fault: OnceLock<StoreFault>,
}

#[derive(Default)]
struct Signal {
    woken: bool,
    nudged: bool,
    closing: bool,
}

impl Compactor {
    pub(super) fn start(database: Database, keyspaces: Arc<Keyspaces>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            database,
            keyspaces,
            at_rest: [const { AtomicU64::new(u64::MAX) }; Space::ALL.len()],
            signal: Mutex::default(),
            signalled: Condvar::new(),
            fault: OnceLock::new(),
        });
        let thread = thread::Builder::new()
            .name("monotable-compact".into())
            .spawn({
                let shared = Arc::clone(&shared);
                move || shared.run()
            })?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Fails once a compaction has failed.
    pub(super) fn check(&self) -> Result<(), StoreFault> {
        match self.shared.fault.get() {
            Some(fault) => Err(fault.clone()),
            None => Ok(()),
        }
    }

    /// Whether no compaction is due, as far as is known.
    pub(super) fn is_at_rest(&self) -> bool {
        Space::ALL
            .into_iter()
            .all(|space| self.shared.is_at_rest(space))
    }

    /// Makes the thread look at once.
    pub(super) fn wake(&self) {
        self.shared.set_signal(|signal| signal.woken = true);
    }

    /// Makes the thread do at once whatever can be done, whether or not it seems to be due.
    pub(super) fn nudge(&self) {
        self.shared.set_signal(|signal| signal.nudged = true);
    }
}

impl Drop for Compactor {
    fn drop(&mut self) {
        self.shared.set_signal(|signal| signal.closing = true);
        if let Some(thread) = self.thread.take() {
            // A panic is caught in the thread.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn run(&self) {
        while let Some(nudged) = self.pause() {
            let round = catch_unwind(AssertUnwindSafe(|| self.round(nudged)));
            let fault = match round {
                Ok(Ok(())) => continue,
                Ok(Err(fault)) => fault,
                Err(_) => StoreFault::Damaged {
                    what: "a compaction panicked; the panic was reported where it happened".into(),
                },
            };
            // Commits are told. Nothing else is asked of a store that has failed.
            let _ = self.fault.set(fault);
            return;
        }
    }

    /// Waits for the next round: whether somebody is stuck, or none if the store closes.
    fn pause(&self) -> Option<bool> {
        let pause = if Space::ALL.into_iter().all(|space| self.is_at_rest(space)) {
            IDLE_PAUSE
        } else {
            BUSY_PAUSE
        };
        let waited = self
            .signalled
            .wait_timeout_while(self.lock_signal(), pause, |signal| {
                !signal.woken && !signal.nudged && !signal.closing
            });
        let (mut signal, _) = waited.unwrap_or_else(PoisonError::into_inner);
        signal.woken = false;
        let nudged = std::mem::take(&mut signal.nudged);
        (!signal.closing).then_some(nudged)
    }

    fn round(&self, nudged: bool) -> Result<(), StoreFault> {
        // A compaction over a damaged file would fail, and fjall with it.
        if !self.keyspaces.damage.is_empty() {
            return Ok(());
        }
        for space in Space::ALL {
            if nudged {
                self.flush(space)?;
            }
            let mut due = nudged || !self.is_at_rest(space);
            while due && !self.lock_signal().closing {
                due = self.compact(space)?;
            }
        }
        Ok(())
    }

    /// Runs the most urgent compaction of a space. Whether another one may be due.
    fn compact(&self, space: Space) -> Result<bool, StoreFault> {
        // Fails once a write or a thread of fjall has failed: nothing is written behind that.
        let diagnosed = |error| diagnose(&self.keyspaces, error, Request::Compact(space));
        let alive = self.database.persist(PersistMode::Buffer);
        alive.map_err(diagnosed)?;
        let keyspace = self.keyspaces.of(space);
        let before = self.version(space);
        let strategy = Arc::clone(&keyspace.config.compaction_strategy);
        let removable = self
            .database
            .supervisor
            .snapshot_tracker
            .get_seqno_safe_to_gc();
        let compacted = keyspace.tree.compact(strategy, removable);
        compacted.map_err(|error| diagnosed(error.into()))?;
        let changed = self.version(space) != before;
        if !changed {
            // Nothing is due, or what is due waits for a compaction that runs and will change the version.
            self.place_of_rest(space).store(before, Ordering::Release);
        }
        Ok(changed)
    }

    /// Writes sealed memtables to table files, if so many wait that commits do. fjall's threads do that
    /// by themselves: this is for the case that they do not.
    fn flush(&self, space: Space) -> Result<(), StoreFault> {
        let keyspace = self.keyspaces.of(space);
        if !Crowding::measure(space, keyspace).has_too_many_memtables() {
            return Ok(());
        }
        // As fjall does: a table file must not hold what the journal could lose.
        let diagnosed = |error| diagnose(&self.keyspaces, error, Request::Compact(space));
        let synced = self.database.persist(PersistMode::SyncAll);
        synced.map_err(diagnosed)?;
        let removable = self
            .database
            .supervisor
            .snapshot_tracker
            .get_seqno_safe_to_gc();
        let flushing = keyspace.tree.get_flush_lock();
        let flushed = keyspace.tree.flush(&flushing, removable);
        flushed.map(drop).map_err(|error| diagnosed(error.into()))
    }

    fn is_at_rest(&self, space: Space) -> bool {
        self.place_of_rest(space).load(Ordering::Acquire) == self.version(space)
    }

    /// Which files the space consists of: a number that every flush and every compaction raises.
    fn version(&self, space: Space) -> u64 {
        self.keyspaces.of(space).tree.current_version().id()
    }

    const fn place_of_rest(&self, space: Space) -> &AtomicU64 {
        let [meta, items, indexes] = &self.at_rest;
        match space {
            Space::Meta => meta,
            Space::Items => items,
            Space::Indexes => indexes,
        }
    }

    fn set_signal(&self, set: impl FnOnce(&mut Signal)) {
        set(&mut self.lock_signal());
        self.signalled.notify_all();
    }

    fn lock_signal(&self) -> MutexGuard<'_, Signal> {
        self.signal.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
