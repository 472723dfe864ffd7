//! What operations of five models send, byte for byte, and how many requests each access pattern takes.
//!
//! `MONOTABLE_BLESS=1` writes the snapshots and the table of `docs/requests.md` anew: read the diff.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod explain {
    pub(crate) mod documents;
    pub(crate) mod generated;
    pub(crate) mod plans;
    pub(crate) mod recorder;
    pub(crate) mod samples;
    pub(crate) mod table;
    pub(crate) mod versions;
}

use explain::samples::{self, Sample};
use monotable_store::Options;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn blessed(path: &Path, text: &str) {
    if std::env::var_os("MONOTABLE_BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        return;
    }
    let known = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(
        known,
        text,
        "{} differs; MONOTABLE_BLESS=1 writes it anew",
        path.display()
    );
}

fn snapshots(model: &str) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = samples::store(model).await;
        let mut text = String::new();
        for Sample { name, operation } in samples::operations(model) {
            let explanation = store.explain(operation, Options::default()).await;
            text.push_str(&format!("== {name}\n{explanation}\n"));
        }
        let path: PathBuf = [
            ROOT,
            "tools/scenarios/tests/explain",
            &format!("{model}.txt"),
        ]
        .iter()
        .collect();
        match model {
            "values" => text = explain::versions::settled(&text),
            "formkiq" => text = explain::documents::settled(&text),
            _ => {}
        }
        blessed(&path, &text);
    });
}

#[test]
fn processproof_sends_this() {
    snapshots("processproof");
}

#[test]
fn yggdrasil_sends_this() {
    snapshots("yggdrasil");
}

#[test]
fn authorization_sends_this() {
    snapshots("authorization");
}

#[test]
fn values_sends_this() {
    snapshots("values");
}

#[test]
fn formkiq_sends_this() {
    snapshots("formkiq");
}

#[test]
fn the_table_of_requests_is_true() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let text = runtime.block_on(explain::table::of(&[
        "processproof",
        "yggdrasil",
        "authorization",
        "values",
        "formkiq",
    ]));
    blessed(&Path::new(ROOT).join("docs/requests.md"), &text);
}

#[test]
fn every_pattern_sends_what_its_plan_says() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let compared = runtime.block_on(explain::plans::compare(&[
        "processproof",
        "yggdrasil",
        "authorization",
        "values",
        "formkiq",
    ]));
    let differences = compared.differences.join("\n");
    assert!(differences.is_empty(), "{differences}");
    assert!(compared.patterns > 200, "{compared:?}");
    assert!(compared.requests > compared.patterns, "{compared:?}");
}

#[test]
fn every_pattern_of_generated_models_sends_what_its_plan_says() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let text = std::env::var("MONOTABLE_CASES").ok();
    let count = text.and_then(|text| text.parse().ok()).unwrap_or(24);
    let compared = runtime.block_on(explain::generated::compare(count));
    let differences = compared.differences.join("\n");
    assert!(differences.is_empty(), "{differences}");
    assert!(compared.patterns > count * 10, "{compared:?}");
    assert!(compared.requests > compared.patterns, "{compared:?}");
}
