//! The engine and fjall, side by side on copies of one loaded store.

use crate::dataset::{Dataset, TABLE};
use crate::failure::Failure;
use crate::raw_store::RawStore;
use crate::workspace::{Loaded, Workspace, copy};
use monotable_api::{DescribeTableInput, GetItemInput, ScanInput};
use monotable_engine::{Durability, Engine, EngineOptions};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long to wait for the count of items that the engine makes after it is opened.
const COUNTING: Duration = Duration::from_secs(120);
/// How many items are compared between the two sides.
const COMPARED: usize = 200;

pub(crate) struct Pair {
    pub(crate) engine: Engine,
    pub(crate) raw: RawStore,
    pub(crate) dataset: Dataset,
    engine_path: PathBuf,
    /// Removed last.
    _scratch: TempDir,
}

impl Pair {
    pub(crate) fn open(
        workspace: &Workspace,
        loaded: &Loaded,
        durability: Durability,
    ) -> Result<Self, Failure> {
        let scratch = workspace.scratch("pair")?;
        let (engine_path, raw_path) = (scratch.path().join("engine"), scratch.path().join("raw"));
        copy(&loaded.path, &engine_path)?;
        copy(&loaded.path.join("data"), &raw_path)?;
        let cache_bytes = loaded.task.cache_bytes;
        let engine = EngineOptions::new()
            .durability(durability)
            .cache_bytes(cache_bytes)
            .open(&engine_path)?;
        let pair = Self {
            engine,
            raw: RawStore::open(&raw_path, cache_bytes)?,
            dataset: loaded.task.dataset(),
            engine_path,
            _scratch: scratch,
        };
        pair.await_count()?;
        pair.read_all()?;
        pair.settle()?;
        pair.compare()?;
        Ok(pair)
    }

    /// Waits until the engine has counted its items, which reads all of them.
    fn await_count(&self) -> Result<(), Failure> {
        let start = Instant::now();
        while start.elapsed() < COUNTING {
            let table = self.engine.describe_table(DescribeTableInput::new(TABLE))?;
            if table.table.and_then(|table| table.item_count) == Some(self.dataset.items) {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err("the engine does not count as many items as were loaded".into())
    }

    /// Reads everything on both sides, so that the caches of both have seen the same, whatever the
    /// engine read by itself when it was opened.
    fn read_all(&self) -> Result<(), Failure> {
        let mut found = 0;
        let mut scan = ScanInput::new(TABLE);
        loop {
            let page = self.engine.scan(scan)?;
            found += page.count;
            match page.last_evaluated_key {
                Some(last) => scan = ScanInput::new(TABLE).start_after(last),
                None => break,
            }
        }
        if found == self.dataset.items && self.raw.read_all()? == found {
            Ok(())
        } else {
            Err("the stores do not hold as many items as were loaded".into())
        }
    }

    /// Compares items on both sides, as the engine gives them and as their rows are.
    fn compare(&self) -> Result<(), Failure> {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..COMPARED {
            let order = self.dataset.random(&mut random);
            let item = self.dataset.item(order);
            let found = self
                .engine
                .get_item(GetItemInput::new(TABLE, order.key()))?;
            let mut same =
                found.item.as_ref() == Some(&item) && self.raw.holds(&self.raw.row(&item)?)?;
            if self.raw.has_indexes() {
                for row in self.raw.indexed_rows(&item)? {
                    same &= self.raw.holds(&row)?;
                }
            }
            if !same {
                return Err("the raw store does not hold the bytes of the engine's".into());
            }
        }
        Ok(())
    }

    /// Waits until both sides have come to rest. A flush starts a compaction only after a moment, so
    /// that rest counts when it lasts.
    pub(crate) fn settle(&self) -> Result<(), Failure> {
        for _ in 0..3 {
            self.engine.settle()?;
            self.raw.settle()?;
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// How many groups the engine has acknowledged, from the note that it keeps of that.
    pub(crate) fn engine_groups(&self) -> Result<u64, Failure> {
        let note = fs::read(self.engine_path.join("NOTED"))?;
        let number = note.first_chunk().ok_or("the engine's note is too short")?;
        Ok(u64::from_le_bytes(*number))
    }
}
