//! The golden scripts of `tests/golden`, on memory and on disk.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_engine::{Engine, EngineOptions, ManualClock, SeededEntropy};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const SCRIPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden");

/// Time and table ids are the same in every run.
fn options() -> EngineOptions {
    EngineOptions::new()
        .clock(Arc::new(ManualClock::at(Duration::from_millis(
            1_700_000_000_123,
        ))))
        .entropy(Arc::new(SeededEntropy::new(7)))
}

fn check(target: impl Fn() -> Engine) {
    if let Err(failures) = monotable_golden::check_folder(Path::new(SCRIPTS), target) {
        let texts: Vec<String> = failures.iter().map(ToString::to_string).collect();
        panic!("{}", texts.join("\n"));
    }
}

#[test]
fn in_memory() {
    check(|| options().in_memory().unwrap());
}

#[test]
fn on_disk() {
    let directory = tempfile::tempdir().unwrap();
    let count = std::cell::Cell::new(0);
    check(|| {
        count.set(count.get() + 1);
        options()
            .open(directory.path().join(count.get().to_string()))
            .unwrap()
    });
}
