//! What fjall does when compactions fall behind, and that the store does not stop with it.
//!
//! `compactor.rs` explains the cause. Memtables and table files are tiny here, so that level 0 fills
//! within a second.

mod gate;

use super::{
    Batch, Crowding, DiskOptions, DiskStore, Durability, Snapshot, Space, Store, StoreFault,
};
use bytes::Bytes;
use fjall::compaction::Leveled;
use fjall::{AbstractTree, Database, Keyspace, KeyspaceCreateOptions};
use gate::{Gate, PATIENCE};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const TINY: u64 = 16 * 1024;
const VALUE_BYTES: usize = 1024;
/// For how many milliseconds in a row nothing happens when nothing will.
const REST: usize = 300;
/// Where fjall halts writes.
const HALT: usize = 30;
/// Commits of one row that fill more memtables than fjall or the store would let wait.
const MANY: u64 = 100 * TINY / VALUE_BYTES as u64;
/// As many as fjall's queue has places for what is asked of its threads by the way: it takes 1,000 requests, and where no thread
/// takes one from it a commit that asks for one more waits for ever. They fill all memtables that may be sealed many times over.
const MANY_WITHOUT_THREADS: u64 = MANY / 2;

/// Waits until `done`, within reason; says whether it came.
fn await_that(done: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !done() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    true
}

/// Waits until `resting` holds for a while.
fn await_rest(resting: impl Fn() -> bool) -> bool {
    await_that(|| {
        (0..REST).all(|_| {
            thread::sleep(Duration::from_millis(1));
            resting()
        })
    })
}

/// Whether the tree has a second level below level 0, so that the first one is compacted as well.
fn has_two_levels(rows: &Keyspace) -> bool {
    let filled = |level| rows.tree.level_table_count(level).unwrap_or(0) > 0;
    filled(5) && filled(6)
}

fn open_fjall(path: &Path, gate: &Gate) -> (Database, Keyspace) {
    let gate = gate.clone();
    let database = Database::builder(path)
        .worker_threads(4)
        .with_compaction_filter_factories(Arc::new(move |_| Some(Arc::new(gate.clone()))))
        .open()
        .unwrap();
    let options = || {
        KeyspaceCreateOptions::default()
            .max_memtable_size(TINY)
            .compaction_strategy(Arc::new(Leveled::default().with_table_target_size(TINY)))
    };
    let rows = database.keyspace("rows", options).unwrap();
    (database, rows)
}

/// The cause. Should a later fjall fail this test by going on, `compactor.rs` may be needed no more.
#[test]
fn fjall_alone_forgets_a_compaction_that_was_due_while_another_one_ran() {
    let directory = tempfile::tempdir().unwrap();
    let gate = Gate::open();
    let (database, rows) = open_fjall(directory.path(), &gate);
    let stop = Arc::new(AtomicBool::new(false));
    let writer = thread::spawn({
        let (rows, stop) = (rows.clone(), Arc::clone(&stop));
        move || {
            let mut random = fastrand::Rng::with_seed(1);
            while !stop.load(Ordering::Relaxed) {
                let key = random.u64(..).to_be_bytes();
                rows.insert(key, vec![7; VALUE_BYTES]).unwrap();
                if rows.tree.active_memtable().size() > TINY {
                    rows.rotate_memtable_and_wait().unwrap();
                }
            }
        }
    });
    assert!(await_that(|| has_two_levels(&rows)));
    // A compaction from level 1 to level 2 begins. Level 0 fills meanwhile, since it cannot go to level 1.
    gate.shut();
    assert!(await_that(|| gate.is_holding()));
    assert!(await_that(|| rows.tree.l0_run_count() >= HALT));
    // Every request for a compaction is taken, and finds nothing to do.
    assert!(await_rest(|| database.active_compactions() == 1));
    gate.release();
    assert!(await_rest(|| database.active_compactions() == 0));
    let runs = rows.tree.l0_run_count();
    assert!(runs >= HALT, "fjall has gone on by itself: {runs} runs");
    // One request is enough.
    let strategy = Arc::clone(&rows.config.compaction_strategy);
    rows.tree.compact(strategy, 0).unwrap();
    assert!(rows.tree.l0_run_count() < HALT);
    stop.store(true, Ordering::Relaxed);
    writer.join().unwrap();
}

/// A thread that commits one row after the other, as the committer does.
struct Writer {
    store: Arc<Store>,
    commits: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<(), StoreFault>>,
}

impl Writer {
    fn start(store: Store) -> Self {
        let (store, commits, stop) = (
            Arc::new(store),
            Arc::new(AtomicU64::new(0)),
            Arc::new(AtomicBool::new(false)),
        );
        let thread = thread::spawn({
            let (store, commits, stop) =
                (Arc::clone(&store), Arc::clone(&commits), Arc::clone(&stop));
            move || {
                let mut random = fastrand::Rng::with_seed(2);
                while !stop.load(Ordering::Relaxed) {
                    let key = Bytes::copy_from_slice(&random.u64(..).to_be_bytes());
                    let mut batch = Batch::default();
                    batch.push(Space::Items, key, Some(Bytes::from(vec![7; VALUE_BYTES])));
                    store.wait_for_room()?;
                    store.commit(batch, Durability::Relaxed)?;
                    commits.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            }
        });
        Self {
            store,
            commits,
            stop,
            thread,
        }
    }

    fn commits(&self) -> u64 {
        self.commits.load(Ordering::Relaxed)
    }

    fn crowding(&self) -> Crowding {
        self.store.crowding().unwrap()
    }

    fn items(&self) -> Keyspace {
        match &*self.store {
            Store::Disk(store) => store.keyspace(Space::Items).clone(),
            Store::Memory(_) => unreachable!(),
        }
    }

    fn end(self) {
        self.stop.store(true, Ordering::Relaxed);
        assert!(await_that(|| {
            self.store.nudge();
            self.thread.is_finished()
        }));
        self.thread.join().unwrap().unwrap();
    }
}

fn open_store(path: &Path, workers: usize, gate: &Gate) -> Store {
    let options = DiskOptions {
        memtable_bytes: TINY,
        table_bytes: TINY,
        workers,
        filter: Some(Arc::new(gate.clone())),
        ..DiskOptions::new(1 << 20)
    };
    Store::Disk(DiskStore::open(path, &options).unwrap())
}

fn first_row(snapshot: &Snapshot) -> Option<super::Row> {
    let all = super::KeyRange::prefix(&[]);
    let mut rows = snapshot.range(Space::Items, all, super::Direction::Forwards);
    rows.next().map(Result::unwrap)
}

#[test]
fn a_store_takes_writes_again_when_a_compaction_that_held_up_others_ends() {
    let directory = tempfile::tempdir().unwrap();
    let gate = Gate::open();
    let writer = Writer::start(open_store(directory.path(), 4, &gate));
    let items = writer.items();
    assert!(await_that(|| has_two_levels(&items)));
    gate.shut();
    assert!(await_that(|| gate.is_holding()));
    assert!(await_that(|| writer.crowding().is_full()));
    // Commits wait where fjall does not halt them, and readers do not wait.
    assert!(await_rest(|| writer.crowding().is_full()));
    assert!(items.tree.l0_run_count() < HALT);
    assert!(first_row(&writer.store.snapshot()).is_some());
    let commits = writer.commits();
    gate.release();
    assert!(
        await_that(|| writer.commits() > commits + MANY),
        "no commit since the compaction has ended: {}",
        writer.crowding()
    );
    writer.end();
}

#[test]
fn a_store_that_is_nudged_takes_writes_even_if_no_thread_of_fjall_does_anything() {
    let directory = tempfile::tempdir().unwrap();
    let writer = Writer::start(open_store(directory.path(), 0, &Gate::open()));
    assert!(await_that(|| writer.crowding().is_full()));
    let went_on = await_that(|| {
        writer.store.nudge();
        writer.commits() > MANY_WITHOUT_THREADS
    });
    assert!(went_on, "commits are stuck: {}", writer.crowding());
    assert!(first_row(&writer.store.snapshot()).is_some());
    writer.end();
}
