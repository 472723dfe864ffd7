//! Scripts that ask for nothing but rows run the same whichever layout the model writes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use monotable_scenarios::{Target, run_file};
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Scripts that look at no key that a layout changes.
const SCRIPTS: &[&str] = &[
    "fk_mixed", "fk_sites", "fk_t05", "fk_t09", "fk_t12", "fk_t13", "fk_t14",
];

fn run(layout: &str, more: &[&str]) {
    let models = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(Path::new(ROOT).join("models/formkiq/model.toml")).unwrap();
    let text = text.replacen("\nabout ", &format!("\nlayout = {layout}\nabout "), 1);
    std::fs::create_dir(models.path().join("formkiq")).unwrap();
    std::fs::write(models.path().join("formkiq/model.toml"), text).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for script in SCRIPTS.iter().chain(more) {
        let path = Path::new(ROOT).join(format!("scenarios/formkiq/{script}.txt"));
        let run = run_file(&path, models.path(), Target::Memory);
        if let Err(failure) = runtime.block_on(run) {
            panic!("{script} in layout {layout}: {failure}");
        }
    }
}

#[test]
fn deployed_keys() {
    run("\"core\"", &["fk_t02", "fk_t16", "fk_t19"]);
}

#[test]
fn keys_without_the_site() {
    run("\"unprefixed\"", &["fk_t01", "fk_t08", "fk_t15"]);
}

#[test]
fn hashed_and_sharded_keys() {
    run(
        "[\"hashed\", \"sharded\"]",
        &["fk_leak", "fk_patterns", "fk_t11"],
    );
}

#[test]
fn other_keys_of_rules() {
    run("\"B\"", &["fk_t10", "fk_t18"]);
}

#[test]
fn plain_numbers_in_keys() {
    run("\"unpadded\"", &["fk_patterns", "fk_t18"]);
}
