//! Both stores, for tests that must hold on either.
#![allow(clippy::unwrap_used, dead_code, unreachable_pub, reason = "tests")]

use monotable_engine::{Engine, EngineOptions};

/// Runs a test on an engine in memory and on one on disk.
pub fn on_each(options: impl Fn() -> EngineOptions, test: impl Fn(&Engine)) {
    test(&options().in_memory().unwrap());
    let directory = tempfile::tempdir().unwrap();
    let engine = options().open(directory.path()).unwrap();
    test(&engine);
}

/// Checks that the store is sound.
pub fn assert_sound(engine: &Engine) {
    let verification = engine.verify().unwrap();
    assert_eq!(verification.problems, Vec::<String>::new());
}
