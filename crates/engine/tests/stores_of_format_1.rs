//! A store that an earlier release wrote opens, has everything it had, and takes writes.
//!
//! `format_1/store` was written by the release before streams, in format 1, and is never written anew. Beside it stand its
//! items, one per line.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "support/stores.rs"]
mod stores;

use monotable_api::{GetItemInput, PutItemInput, QueryInput, ScanInput};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use stores::assert_sound;

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format_1")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The sample in a folder of its own. A repository keeps no empty folders, so those come back here.
fn copy_sample(to: &Path) {
    copy(&sample().join("store"), to);
    for keyspace in fs::read_dir(to.join("data/keyspaces")).unwrap() {
        fs::create_dir_all(keyspace.unwrap().path().join("tables")).unwrap();
    }
}

fn expected(table: &str) -> Vec<Value> {
    let text = fs::read_to_string(sample().join(format!("{table}.jsonl"))).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

fn items_of(engine: &Engine, table: &str) -> Vec<Value> {
    let found = engine.scan(ScanInput::new(table)).unwrap();
    let items = found.items.unwrap().into_iter();
    items
        .map(|item| serde_json::to_value(item).unwrap())
        .collect()
}

#[test]
fn a_store_of_format_1_opens_with_all_it_had_and_takes_writes() {
    let directory = tempfile::tempdir().unwrap();
    copy_sample(directory.path());
    let engine = Engine::open(directory.path()).unwrap();
    assert_sound(&engine);
    for table in ["Notes", "Plain"] {
        assert_eq!(items_of(&engine, table), expected(table), "{table}");
    }
    let by_tag = QueryInput::new("Notes", "tag = :tag")
        .index("ByTag")
        .value(":tag", "t1");
    assert_eq!(engine.query(by_tag).unwrap().count, 14);
    let new = Item::new().with("pk", "p9").with("sk", 1).with("tag", "t1");
    engine.put_item(PutItemInput::new("Notes", new)).unwrap();
    drop(engine);

    let engine = Engine::open(directory.path()).unwrap();
    assert_sound(&engine);
    let key = Item::new().with("pk", "p9").with("sk", 1);
    let found = engine.get_item(GetItemInput::new("Notes", key)).unwrap();
    let item = found.item.unwrap().to_item();
    assert_eq!(item.get("tag"), Some(&AttributeValue::from("t1")));
    assert_eq!(
        items_of(&engine, "Notes").len(),
        expected("Notes").len() + 1
    );
}
