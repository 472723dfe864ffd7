//! A large load in one go, and whether reads take longer with it than with a part of its items.
//!
//! No raw side here: both stores are the engine's, open at once and read in turns, so that whatever else the
//! machine does hits both. The ratio is that of the medians of single operations, with files in the operating
//! system's memory as far as they fit.

use crate::contest::{LATENCY_EVERY, Side};
use crate::dataset::{Dataset, TABLE, partition_key};
use crate::failure::Failure;
use crate::get::get;
use crate::load::LoadFacts;
use crate::query::{self, query};
use crate::workspace::Loaded;
use monotable_api::{DescribeTableInput, GetItemInput};
use monotable_engine::{Engine, EngineOptions};
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long to wait for the count of items that the engine makes after it is opened.
const COUNTING: Duration = Duration::from_secs(1_800);
const BLOCKS: usize = 400;
/// Blocks before the first that counts.
const WARM_UP: usize = 100;
const GETS: usize = 250;
const QUERIES: usize = 50;

/// What an operation takes with many and with few items.
pub(crate) struct Growth {
    pub(crate) name: String,
    pub(crate) large: Side,
    pub(crate) small: Side,
}

/// The course of a load, in words.
pub(crate) fn describe(facts: &LoadFacts) -> String {
    let millions = facts.million_seconds.iter();
    let millions: Vec<String> = millions.map(|seconds| format!("{seconds:.1}")).collect();
    format!(
        "seconds of each million: {}; {:.1} s until all was merged; {} commits were reported as stuck",
        millions.join(" "),
        facts.settle_seconds,
        facts.stalls
    )
}

/// Reads both stores, in turns.
pub(crate) fn measure(large: &Loaded, small: &Loaded) -> Result<Vec<Growth>, Failure> {
    let (large, small) = (OpenStore::open(large)?, OpenStore::open(small)?);
    let gets = compare("get", &large, &small, GETS, OpenStore::get)?;
    let queries = compare("query", &large, &small, QUERIES, OpenStore::query)?;
    Ok(vec![gets, queries])
}

struct OpenStore {
    engine: Engine,
    dataset: Dataset,
}

impl OpenStore {
    fn open(loaded: &Loaded) -> Result<Self, Failure> {
        let engine = EngineOptions::new()
            .cache_bytes(loaded.task.cache_bytes)
            .open(&loaded.path)?;
        let store = Self {
            engine,
            dataset: loaded.task.dataset(),
        };
        store.await_count()?;
        store.engine.settle()?;
        read_files(&loaded.path)?;
        Ok(store)
    }

    /// Waits until the engine has counted its items: that reads all of them.
    fn await_count(&self) -> Result<(), Failure> {
        let start = Instant::now();
        while start.elapsed() < COUNTING {
            let table = self.engine.describe_table(DescribeTableInput::new(TABLE))?;
            if table.table.and_then(|table| table.item_count) == Some(self.dataset.items) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Err("the engine does not count as many items as were loaded".into())
    }

    fn get(
        &self,
        random: &mut fastrand::Rng,
        side: &mut Side,
        operations: usize,
        singly: bool,
    ) -> Result<(), Failure> {
        let request = |_| GetItemInput::new(TABLE, self.dataset.random(random).key());
        let requests: Vec<_> = (0..operations).map(request).collect();
        side.run(requests, singly, |request| get(&self.engine, request))
    }

    fn query(
        &self,
        random: &mut fastrand::Rng,
        side: &mut Side,
        operations: usize,
        singly: bool,
    ) -> Result<(), Failure> {
        let request = |_| query::request(partition_key(self.dataset.random_user(random)));
        let requests: Vec<_> = (0..operations).map(request).collect();
        side.run(requests, singly, |request| query(&self.engine, request))
    }
}

/// Reads all files below a folder, so that the operating system has them in memory as far as they fit: a
/// load in between would otherwise decide which store is read from the disk.
fn read_files(folder: &Path) -> Result<(), Failure> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read_files(&path)?;
        } else {
            io::copy(&mut File::open(path)?, &mut io::sink())?;
        }
    }
    Ok(())
}

type ReadBlock = fn(&OpenStore, &mut fastrand::Rng, &mut Side, usize, bool) -> Result<(), Failure>;

fn compare(
    name: &str,
    large: &OpenStore,
    small: &OpenStore,
    operations: usize,
    read: ReadBlock,
) -> Result<Growth, Failure> {
    let mut random = fastrand::Rng::with_seed(4);
    let (mut warm_large, mut warm_small) = (Side::default(), Side::default());
    for _ in 0..WARM_UP {
        read(large, &mut random, &mut warm_large, operations, false)?;
        read(small, &mut random, &mut warm_small, operations, false)?;
    }
    let mut growth = Growth {
        name: format!(
            "{name}, {} to {}",
            count(large.dataset.items),
            count(small.dataset.items)
        ),
        large: Side::default(),
        small: Side::default(),
    };
    for block in 0..BLOCKS {
        let singly = block % LATENCY_EVERY == LATENCY_EVERY - 1;
        read(large, &mut random, &mut growth.large, operations, singly)?;
        read(small, &mut random, &mut growth.small, operations, singly)?;
    }
    Ok(growth)
}

/// A number of items in few characters.
fn count(items: u64) -> String {
    match items {
        1_000_000.. if items.is_multiple_of(1_000_000) => format!("{} M", items / 1_000_000),
        1_000.. if items.is_multiple_of(1_000) => format!("{} k", items / 1_000),
        _ => items.to_string(),
    }
}
