//! The load: all items through the engine, in a process of its own, so that what it leaves in memory is
//! the engine's alone.

use crate::dataset::{self, Dataset, TABLE};
use crate::failure::Failure;
use crate::memory;
use monotable_api::{BatchWriteItemInput, WriteRequest};
use monotable_engine::{Durability, Engine, EngineOptions};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const THREADS: usize = 4;
/// Most items of a BatchWriteItem.
const BATCH: u64 = 25;
/// How often progress is shown, in items.
const PROGRESS: u64 = 100_000;
/// How often the time is taken, in items.
pub(crate) const MILLION: u64 = 1_000_000;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LoadTask {
    pub(crate) path: PathBuf,
    pub(crate) items: u64,
    pub(crate) value_bytes: usize,
    pub(crate) cache_bytes: u64,
    /// Whether the table has its two indexes.
    pub(crate) indexes: bool,
}

/// What the load took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LoadFacts {
    pub(crate) seconds: f64,
    /// How long each million of items took, and how long it took afterwards until the store was at rest.
    pub(crate) million_seconds: Vec<f64>,
    pub(crate) settle_seconds: f64,
    /// The longest that a commit took in the engine, and a request for a caller.
    pub(crate) longest_commit_seconds: f64,
    pub(crate) longest_request_seconds: f64,
    /// Commits that the engine itself reported because they took so long.
    pub(crate) stalls: u64,
    /// In memory after everything was flushed and settled, and at most until then.
    pub(crate) resident_bytes: u64,
    pub(crate) peak_bytes: u64,
}

impl LoadTask {
    pub(crate) const fn dataset(&self) -> Dataset {
        Dataset {
            items: self.items,
            value_bytes: self.value_bytes,
        }
    }
}

/// Loads in a child process. Its progress goes to this one's standard error.
pub(crate) fn load_in_child(task: &LoadTask) -> Result<LoadFacts, Failure> {
    let output = Command::new(std::env::current_exe()?)
        .arg("load")
        .arg(serde_json::to_string(task)?)
        .stderr(Stdio::inherit())
        .output()?;
    if output.status.success() {
        Ok(serde_json::from_slice(&output.stdout)?)
    } else {
        Err(format!("the load failed: {}", output.status).into())
    }
}

/// Loads in this process.
pub(crate) fn load(task: &LoadTask) -> Result<LoadFacts, Failure> {
    let start = Instant::now();
    let engine = EngineOptions::new()
        .durability(Durability::Relaxed)
        .cache_bytes(task.cache_bytes)
        .open(&task.path)?;
    engine.create_table(dataset::table(task.indexes))?;
    let load = Load {
        engine: &engine,
        task,
        start,
        next: AtomicU64::new(0),
        millions: Mutex::default(),
    };
    let longest_request = load.write_all()?;
    let loaded = start.elapsed();
    progress(task, task.items, "settling");
    engine.settle()?;
    let settled = start.elapsed();
    let (resident_bytes, peak_bytes) = memory::resident()?;
    let statistics = engine.statistics()?;
    let million_seconds = load.million_seconds();
    engine.close();
    progress(task, task.items, "done");
    Ok(LoadFacts {
        seconds: start.elapsed().as_secs_f64(),
        million_seconds,
        settle_seconds: (settled - loaded).as_secs_f64(),
        longest_commit_seconds: statistics.longest_commit.as_secs_f64(),
        longest_request_seconds: longest_request.as_secs_f64(),
        stalls: statistics.stalls,
        resident_bytes,
        peak_bytes,
    })
}

/// A load that is going on.
struct Load<'a> {
    engine: &'a Engine,
    task: &'a LoadTask,
    start: Instant,
    /// The next item to write.
    next: AtomicU64,
    /// When each million was done.
    millions: Mutex<Vec<Duration>>,
}

impl Load<'_> {
    /// Writes all items; says how long a request took at most.
    fn write_all(&self) -> Result<Duration, Failure> {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(|| self.write())).collect();
            let mut longest = Duration::ZERO;
            for thread in threads {
                let took = thread.join().map_err(|_| "a loading thread panicked")??;
                longest = longest.max(took);
            }
            Ok(longest)
        })
    }

    fn write(&self) -> Result<Duration, Failure> {
        let (task, dataset) = (self.task, self.task.dataset());
        let mut longest = Duration::ZERO;
        loop {
            let first = self.next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= task.items {
                return Ok(longest);
            }
            // Steps of a prime through all numbers: a batch is not one partition.
            let numbers =
                (first..(first + BATCH).min(task.items)).map(|number| number * 7_919 % task.items);
            let puts =
                numbers.map(|number| WriteRequest::put(dataset.item(dataset.loaded(number))));
            let request = BatchWriteItemInput::new(TABLE, puts);
            let sent = Instant::now();
            self.engine.batch_write_item(request)?;
            longest = longest.max(sent.elapsed());
            let done = first + BATCH;
            if done.is_multiple_of(MILLION) {
                self.note_million(done)?;
            } else if first.is_multiple_of(PROGRESS) && first > 0 {
                progress(task, first, "loaded");
            }
        }
    }

    fn note_million(&self, done: u64) -> Result<(), Failure> {
        let now = self.start.elapsed();
        let mut millions = self.lock_millions();
        let before = millions.last().copied().unwrap_or_default();
        millions.push(now);
        let statistics = self.engine.statistics()?;
        let waiting = statistics.crowding.map_or(0, |crowding| crowding.runs);
        let what = format!(
            "loaded, this million in {:.1} s, longest commit so far {:.2} s, {waiting} runs in level 0",
            now.saturating_sub(before).as_secs_f64(),
            statistics.longest_commit.as_secs_f64()
        );
        progress(self.task, done, &what);
        Ok(())
    }

    fn million_seconds(&self) -> Vec<f64> {
        let mut before = Duration::ZERO;
        let millions = self.lock_millions();
        let seconds = millions.iter().map(|now| {
            let took = now.saturating_sub(std::mem::replace(&mut before, *now));
            took.as_secs_f64()
        });
        seconds.collect()
    }

    fn lock_millions(&self) -> MutexGuard<'_, Vec<Duration>> {
        self.millions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn progress(task: &LoadTask, items: u64, what: &str) {
    let indexes = if task.indexes {
        " with two indexes"
    } else {
        ""
    };
    eprintln!("{items} of {} items{indexes}: {what}", task.items);
}
