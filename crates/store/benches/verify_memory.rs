//! How much memory `verify` and `repair` take, with 100,000 rows and with 1,000,000.
//!
//! ```text
//! cargo bench -p monotable-store --bench verify_memory
//! ```
//!
//! The tables are made up while they are read, so that what is measured is the memory of the data layer and not that of a
//! database: a block of a hundred persons with their tree, their user and all guards is written once by the store itself,
//! and every other block is that block with other ids. Each size runs in a process of its own, whose largest resident
//! size is read from /proc. The command fails if the larger one is more than 1.5 times the smaller.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement"
)]

use monotable_api::{
    BatchGetItemOutput, BoxFuture, Dynamo, Error, GetItemOutput, Request, Response, ScanOutput,
    UpdateItemOutput,
};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, EncodedItem, Item, Number};
use monotable_model::model::Model;
use monotable_store::{RepairMode, RepairScope, SpillFolder, Store, VerifyOptions};
use std::sync::Arc;
use std::time::Instant;

/// What stands for the number of a block in the ids of the first one.
const TOKEN: &str = "b0000000";
/// Persons of a block.
const PERSONS: u64 = 100;
/// Rows of a block: the persons, their tree and its user.
const ROWS: u64 = PERSONS + 2;
/// Blocks whose counter is wrong.
const WRONG: u64 = 10;
const SMALL: u64 = 100_000;
const LARGE: u64 = 1_000_000;
/// How much more the large one may take.
const MOST: f64 = 1.5;

fn model() -> Model {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/yggdrasil/model.toml"
    );
    let text = std::fs::read_to_string(path).unwrap();
    monotable_model::read(&text).model.unwrap()
}

/// A table that is made up.
struct MadeUp {
    block: Vec<Item>,
    blocks: u64,
}

impl MadeUp {
    fn items(&self, number: u64) -> Vec<EncodedItem> {
        let id = format!("b{number:07}");
        let items = self.block.iter().map(|item| {
            let mut item: Item = item
                .iter()
                .map(|(name, value)| (name.clone(), replace(value, &id)))
                .collect();
            if number < WRONG && item.get("PersonCount").is_some() {
                item.insert("PersonCount", AttributeValue::N(Number::from(7)));
            }
            EncodedItem::from(item)
        });
        items.collect()
    }

    fn find(&self, key: &EncodedItem) -> Option<EncodedItem> {
        let key = key.to_item();
        let text = |item: &Item, name: &str| match item.get(name) {
            Some(AttributeValue::S(text)) => text.clone(),
            _ => String::new(),
        };
        let (partition, sort) = (text(&key, "PK"), text(&key, "SK"));
        let at = partition.find("b0")?;
        let number = partition.get(at + 1..at + 8)?.parse().ok()?;
        let mut items = self.items(number).into_iter();
        items.find(|item| {
            let item = item.to_item();
            text(&item, "PK") == partition && text(&item, "SK") == sort
        })
    }

    fn answer(&self, request: Request) -> Response {
        match request {
            Request::Scan(input) => {
                let part = |number: Option<i64>| u64::try_from(number.unwrap_or(0)).unwrap();
                let index = part(input.segment);
                let total = part(input.total_segments).max(1);
                let after = input
                    .exclusive_start_key
                    .map(|key| key.into_checked().unwrap());
                let number = match after {
                    Some(key) => {
                        let key = key.to_item();
                        let Some(AttributeValue::N(number)) = key.get("at") else {
                            panic!("a key of another table");
                        };
                        number.to_string().parse::<u64>().unwrap() + total
                    }
                    None => index,
                };
                let mut output = ScanOutput::default();
                if number < self.blocks {
                    output.items = Some(self.items(number));
                    let key = Item::new().with("at", AttributeValue::N(Number::from(number)));
                    output.last_evaluated_key = Some(EncodedItem::from(key));
                }
                Response::Scan(output)
            }
            Request::BatchGetItem(input) => {
                let mut output = BatchGetItemOutput::default();
                for (table, keys) in input.request_items.unwrap_or_default() {
                    let keys = keys.keys.unwrap_or_default().into_iter();
                    let keys = keys.map(|key| key.into_checked().unwrap());
                    let found = keys.filter_map(|key| self.find(&key)).collect();
                    output.responses.insert(table, found);
                }
                Response::BatchGetItem(output)
            }
            Request::GetItem(input) => {
                let mut output = GetItemOutput::default();
                let key = input.key.map(|key| key.into_checked().unwrap());
                output.item = key.and_then(|key| self.find(&key));
                Response::GetItem(output)
            }
            // A repair is taken and forgotten.
            _ => Response::UpdateItem(UpdateItemOutput::default()),
        }
    }
}

impl Dynamo for MadeUp {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move { Ok(self.answer(request)) })
    }
}

fn replace(value: &AttributeValue, id: &str) -> AttributeValue {
    match value {
        AttributeValue::S(text) => AttributeValue::S(text.replace(TOKEN, id)),
        other => other.clone(),
    }
}

/// The first block, written by the store.
async fn first_block() -> Vec<Item> {
    let engine = Arc::new(Engine::in_memory().unwrap());
    let store = Store::new(model(), Arc::clone(&engine));
    store.setup().await.unwrap();
    let user = Item::new()
        .with("UserId", TOKEN)
        .with("Email", format!("{TOKEN}@example.com").as_str())
        .with("PasswordHash", "correct horse");
    store.create("User", user).await.unwrap();
    let tree = Item::new().with("UserId", TOKEN).with("TreeId", TOKEN);
    let named = tree.clone().with("TreeName", "Oak");
    store.create("Tree", named).await.unwrap();
    for number in 0..PERSONS {
        let person = tree
            .clone()
            .with("PersonId", format!("{TOKEN}-{number:03}").as_str())
            .with("FirstName", "Ann")
            .with("LastName", "Oak")
            .with("Gender", "Female");
        store.create("Person", person).await.unwrap();
    }
    let mut backup = Vec::new();
    store.backup(&mut backup).await.unwrap();
    let mut items = Vec::new();
    for line in String::from_utf8(backup).unwrap().lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let item: EncodedItem = serde_json::from_value(line.get("item").unwrap().clone()).unwrap();
        let item = item.to_item();
        if !matches!(item.get("PK"), Some(AttributeValue::S(key)) if key.starts_with("monotable#"))
        {
            items.push(item);
        }
    }
    items
}

/// Verifies or repairs, and prints the largest resident size in kilobytes.
async fn measure(what: &str, rows: u64) {
    let block = first_block().await;
    let made_up = MadeUp {
        block,
        blocks: rows / ROWS,
    };
    let blocks = made_up.blocks;
    let store = Store::new(model(), made_up);
    let folder = tempfile::tempdir().unwrap();
    let place = Arc::new(SpillFolder::new(folder.path()).unwrap());
    let options = VerifyOptions::new().spill_to(place);
    if what == "verify" {
        let found = store.verify_with(&options).await.unwrap();
        assert_eq!(found.rows, blocks * ROWS);
        assert_eq!(
            found.violations.len() as u64,
            WRONG.min(blocks),
            "{:?}",
            found.violations.first()
        );
    } else {
        let scope = RepairScope::All;
        let repaired = store
            .repair(&options, scope, RepairMode::Write)
            .await
            .unwrap();
        assert!(repaired.written >= WRONG.min(blocks));
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    let kilobytes: String = line.chars().filter(char::is_ascii_digit).collect();
    println!("{kilobytes}");
}

fn in_own_process(what: &str, rows: u64) -> f64 {
    let began = Instant::now();
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["measure", what, &rows.to_string()])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let megabytes = text.trim().parse::<f64>().unwrap() / 1024.0;
    println!(
        "{what} of {rows} rows: {megabytes:.0} MB, {:.0} s",
        began.elapsed().as_secs_f64()
    );
    megabytes
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, command, what, rows] = arguments.as_slice()
        && command == "measure"
    {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(measure(what, rows.parse().unwrap()));
        return;
    }
    for what in ["verify", "repair"] {
        let ratio = in_own_process(what, LARGE) / in_own_process(what, SMALL);
        println!("{what}: {ratio:.2} times the memory for ten times the rows");
        assert!(
            ratio <= MOST,
            "{what} takes more than {MOST} times the memory"
        );
    }
}
