//! Random sequences of all operations, on an engine in memory, on one on disk that is closed and opened
//! again on the way, and on a plain model that knows nothing of how the engine works.
//!
//! - `operation.rs`: what is drawn; `concrete.rs`: the same with real keys, for the state at that point;
//! - `database.rs`, `reading.rs`, `several.rs`: the model; `condition.rs`, `update.rs`, `path.rs`: its
//!   expressions, which also render themselves as text;
//! - `engine_run.rs`, `engine_read.rs`: the engine, asked the same;
//! - `outcome.rs`: what both answer;
//! - `replica.rs`: tables made of what the streams tell, which must be the tables after every operation.
//!
//! `MONOTABLE_CASES` says how many sequences are run, 100 if it is not set.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

#[path = "../support/cases.rs"]
mod cases;
mod concrete;
mod condition;
mod database;
mod engine_read;
mod engine_run;
mod operation;
mod outcome;
mod path;
mod reading;
mod replica;
mod schema;
mod several;
mod update;
mod value;

use concrete::{Concrete, resolve};
use database::Database;
use monotable_api::{Error, ScanInput};
use monotable_engine::{Durability, Engine, EngineOptions, ManualClock};
use monotable_item::{EncodedItem, Item};
use operation::{Operation, sequence};
use outcome::sorted;
use proptest::prelude::*;
use replica::Replicas;
use std::sync::Arc;
use std::time::Duration;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: cases::cases(100),
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..ProptestConfig::default()
    }
}

/// The engine that a sequence runs on.
struct Bench {
    durability: Durability,
    clock: Arc<ManualClock>,
    /// None only while it is being reopened.
    engine: Option<Engine>,
    /// Where it is, if it is on disk.
    directory: Option<tempfile::TempDir>,
}

impl Bench {
    fn in_memory() -> Self {
        Self::with(None, Durability::Sync)
    }

    fn on_disk(durability: Durability) -> Self {
        Self::with(Some(tempfile::tempdir().unwrap()), durability)
    }

    fn with(directory: Option<tempfile::TempDir>, durability: Durability) -> Self {
        let mut bench = Self {
            durability,
            clock: Arc::new(ManualClock::at(Duration::from_secs(1_700_000_000))),
            engine: None,
            directory,
        };
        bench.open();
        bench
    }

    fn open(&mut self) {
        let options = EngineOptions::new().clock(self.clock.clone());
        let options = options.durability(self.durability);
        self.engine = Some(match &self.directory {
            None => options.in_memory().unwrap(),
            Some(directory) => options.open(directory.path()).unwrap(),
        });
    }

    fn prepare(&mut self, operation: &Concrete) {
        match operation {
            Concrete::PassTime(seconds) => {
                self.clock.advance(Duration::from_secs(u64::from(*seconds)));
            }
            Concrete::Reopen if self.directory.is_some() => {
                self.engine = None;
                self.open();
            }
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_engine_does_what_the_model_does(operations in sequence()) {
        // In memory first: what fails there shrinks without touching the disk.
        run(&operations, Bench::in_memory())?;
        // A sync takes most of the time, and is seldom what goes wrong here.
        let durability = match operations.len() % 4 {
            0 => Durability::Sync,
            _ => Durability::Relaxed,
        };
        run(&operations, Bench::on_disk(durability))?;
    }
}

fn run(operations: &[Operation], mut bench: Bench) -> Result<(), TestCaseError> {
    let mut database = Database::default();
    let mut replicas = Replicas::default();
    for operation in operations {
        let Some(concrete) = resolve(operation, &database) else {
            continue;
        };
        bench.prepare(&concrete);
        let expected = database.run(&concrete);
        let actual = engine_run::run(bench.engine.as_ref().unwrap(), &concrete);
        prop_assert!(
            expected.agrees_with(&actual),
            "{concrete:#?}\nexpected {expected:#?}\n     got {actual:#?}"
        );
        let engine = bench.engine.as_ref().unwrap();
        replicas.follow(engine, &database, &concrete)?;
    }
    // Opening takes a while; some of the sequences close in the end, some on the way.
    if operations.len().is_multiple_of(4) {
        bench.prepare(&Concrete::Reopen);
    }
    check_state(bench.engine.as_ref().unwrap(), &database)
}

/// Compares everything that is stored.
fn check_state(engine: &Engine, database: &Database) -> Result<(), TestCaseError> {
    let (mut items, mut entries) = (0, 0);
    for (table_name, table) in &database.tables {
        let expected = sorted(table.items.values().cloned().collect());
        items += expected.len() as u64;
        let actual = all(engine, ScanInput::new(*table_name)).unwrap();
        prop_assert_eq!(actual, expected, "table {}", table_name);
        for index in &table.schema.indexes {
            let expected = table.entries(index);
            entries += expected.len() as u64;
            let actual = all(engine, ScanInput::new(*table_name).index(index.name)).unwrap();
            prop_assert_eq!(actual, expected, "{} of {}", index.name, table_name);
        }
    }
    let verification = engine.verify().unwrap();
    prop_assert_eq!(&verification.problems, &Vec::<String>::new());
    prop_assert_eq!((verification.items, verification.entries), (items, entries));
    Ok(())
}

fn all(engine: &Engine, scan: ScanInput) -> Result<Vec<Item>, Error> {
    let page = engine.scan(scan)?;
    assert_eq!(page.last_evaluated_key, None, "a small table is one page");
    let items = page.items.unwrap();
    Ok(sorted(items.iter().map(EncodedItem::to_item).collect()))
}
