//! Vectors for clients of all languages, in `packages/vectors`: what goes into the core and what comes out, with a clock that
//! stands and chance that counts. Each file is what the core says today.
//!
//! `MONOTABLE_BLESS=1 cargo test -p monotable-wasm --test vectors` writes them anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

#[path = "vectors/recorder.rs"]
mod recorder;
#[path = "vectors/transcripts.rs"]
mod transcripts;
#[path = "vectors/values.rs"]
mod values;

use monotable_model::compiled::CompiledModel;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packages/vectors")
}

/// The compiled model, as generated code carries it.
fn compile() -> String {
    let text = fs::read_to_string(folder().join("model.toml")).unwrap();
    let model = monotable_check::check(&text).model.unwrap();
    CompiledModel::new(model).to_text().unwrap()
}

/// Compares a committed file with what it must say today.
fn compare(name: &str, made: &str) {
    let file = folder().join(name);
    if std::env::var_os("MONOTABLE_BLESS").is_some() {
        fs::write(&file, made).unwrap();
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    let mut lines = committed.lines().zip(made.lines());
    let differs = lines.find(|(one, other)| one != other);
    assert!(
        committed == made,
        "packages/vectors/{name} is not what the core says; see the head of this test. First difference: {differs:?}"
    );
}

#[test]
fn the_compiled_model_is_committed() {
    compare("model.txt", &format!("{}\n", compile()));
}

#[test]
fn transcripts_are_committed() {
    for (name, lines) in transcripts::record_all() {
        compare(&format!("transcripts/{name}.jsonl"), &lines);
    }
}

#[test]
fn values_are_committed() {
    compare("values.json", &values::list());
}
