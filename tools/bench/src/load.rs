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
use std::thread;
use std::time::Instant;

const THREADS: usize = 4;
/// Most items of a BatchWriteItem.
const BATCH: u64 = 25;
/// How often progress is shown, in items.
const PROGRESS: u64 = 100_000;

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
    match output.status.success() {
        true => Ok(serde_json::from_slice(&output.stdout)?),
        false => Err(format!("the load failed: {}", output.status).into()),
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
    let next = AtomicU64::new(0);
    thread::scope(|scope| -> Result<(), Failure> {
        let spawn = |_| scope.spawn(|| write(&engine, task, &next));
        let threads: Vec<_> = (0..THREADS).map(spawn).collect();
        for thread in threads {
            thread.join().map_err(|_| "a loading thread panicked")??;
        }
        Ok(())
    })?;
    progress(task, task.items, "settling");
    engine.settle()?;
    let (resident_bytes, peak_bytes) = memory::resident()?;
    engine.close();
    progress(task, task.items, "done");
    Ok(LoadFacts {
        seconds: start.elapsed().as_secs_f64(),
        resident_bytes,
        peak_bytes,
    })
}

fn write(engine: &Engine, task: &LoadTask, next: &AtomicU64) -> Result<(), Failure> {
    let dataset = task.dataset();
    loop {
        let first = next.fetch_add(BATCH, Ordering::Relaxed);
        if first >= task.items {
            return Ok(());
        }
        // Steps of a prime through all numbers: a batch is not one partition.
        let numbers =
            (first..(first + BATCH).min(task.items)).map(|number| number * 7_919 % task.items);
        let puts = numbers.map(|number| WriteRequest::put(dataset.item(dataset.loaded(number))));
        engine.batch_write_item(BatchWriteItemInput::new(TABLE, puts))?;
        if first.is_multiple_of(PROGRESS) && first > 0 {
            progress(task, first, "loaded");
        }
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
