//! What a commit costs, as a multiple of a program written by hand that does the same.
//!
//! `cargo bench -p monotable-store --bench commit`. The embedded engine in memory; a values tree of 300 nodes and 300
//! edges, of which one title changes. Both sides read the head and the current snapshot, change one item, and write all of
//! them to a new partition, the log and the head. The second line holds the commit against the writes alone. Rounds
//! alternate, and the median of their ratios is reported.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a report"
)]

mod rounds;

use futures_util::StreamExt;
use monotable_api::{
    BatchWriteItemInput, Dynamo, DynamoExt, GetItemInput, PutItemInput, PutRequest, QueryInput,
    TransactDelete, TransactPut, TransactUpdate, TransactWriteItemsInput, WriteRequest,
};
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, Change, Commit, Create, Store, Update};
use rounds::ratio;
use std::hint::black_box;
use std::sync::Arc;

const ROUNDS: usize = 31;
const CALLS: usize = 4;
const NODES: usize = 300;
/// As many requests at once as the store sends.
const PARALLEL: usize = 16;

fn user(id: &str) -> Item {
    Item::new().with("userId", id)
}

fn create(entity: &str, values: Item) -> AnyOperation {
    AnyOperation::Create(Create {
        entity: entity.to_owned(),
        values,
    })
}

/// A driver with all other nodes below it.
fn tree(of: &str) -> Commit {
    let mut commit = Commit::new("values", user(of))
        .with("message", "begin")
        .with("source", "weekly_review");
    let driver = Item::new().with("nodeId", "d").with("nodeType", "DRIVER");
    commit = commit.change(create("ValuesNode", driver.with("title", "Health")));
    for number in 1..NODES {
        let id = format!("a{number}");
        let node = Item::new()
            .with("nodeId", id.as_str())
            .with("nodeType", "ACTION")
            .with("title", format!("Something to do, number {number}"))
            .with(
                "notes",
                "A sentence or two about what it is and why it matters.",
            )
            .with("driverId", "d");
        let edge = Item::new()
            .with("parentNodeId", "d")
            .with("childNodeId", id);
        commit = commit
            .change(create("ValuesNode", node))
            .change(create("ValuesEdge", edge));
    }
    commit
}

fn rename(call: usize) -> Commit {
    let change = AnyOperation::Update(Update {
        entity: "ValuesNode".to_owned(),
        key: Item::new().with("nodeId", "a7"),
        change: Change {
            set: Item::new().with("title", format!("title {call}")),
            ..Change::default()
        },
    });
    Commit::new("values", user("model"))
        .with("message", "rename")
        .with("source", "daily_update")
        .change(change)
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let engine: Arc<dyn Dynamo> = Arc::new(Engine::in_memory().unwrap());
    let text = include_str!("../../../models/values/model.toml");
    let model = monotable_check::check(text).model.unwrap();
    let store = Store::new(model, Arc::clone(&engine));
    runtime.block_on(async {
        store.setup().await.unwrap();
        for of in ["model", "hand"] {
            store.commit(tree(of)).await.unwrap();
        }
    });
    let mut by_model = |call: usize| {
        let committed = runtime.block_on(store.commit(rename(call)).into_future());
        black_box(committed.unwrap());
    };
    println!("{:28}{:>10}{:>10}{:>8}", "", "model us", "hand us", "times");
    let same = ratio((ROUNDS, CALLS), &mut by_model, |call| {
        runtime.block_on(commit_by_hand(&*engine, call));
    });
    report("one change of 599 rows", 1.3, same);
    let (head, items) = runtime.block_on(read_by_hand(&*engine));
    let writes = ratio((ROUNDS, CALLS), &mut by_model, |call| {
        let revision = format!("w{call}");
        runtime.block_on(write_by_hand(
            &*engine,
            &head,
            &revision,
            items.clone(),
            false,
        ));
    });
    report("against the writes alone", f64::INFINITY, writes);
}

/// The head's revision and the rows of its snapshot.
async fn read_by_hand(dynamo: &dyn Dynamo) -> (String, Vec<Item>) {
    let key = Item::new().with("PK", "U#hand").with("SK", "HEAD#VALUES");
    let head = dynamo.get_item(GetItemInput::new("App", key).consistent());
    let head = head.await.unwrap().item.unwrap().to_item();
    let AttributeValue::S(revision) = head.get("headRevId").unwrap().clone() else {
        return (String::new(), Vec::new());
    };
    let mut items = Vec::new();
    let mut input = QueryInput::new("App", "PK = :pk")
        .value(":pk", format!("U#hand#VALUES#{revision}"))
        .consistent();
    loop {
        let output = dynamo.query(input.clone()).await.unwrap();
        items.extend(output.items.unwrap().iter().map(|item| item.to_item()));
        match output.last_evaluated_key {
            Some(last) => input.exclusive_start_key = Some(last.into()),
            None => return (revision, items),
        }
    }
}

async fn commit_by_hand(dynamo: &dyn Dynamo, call: usize) {
    let (head, mut items) = read_by_hand(dynamo).await;
    for item in &mut items {
        if item.get("SK") == Some(&"NODE#a7".into()) {
            item.insert("title", format!("title {call}"));
        }
    }
    write_by_hand(dynamo, &head, &format!("r{call}"), items, true).await;
}

async fn write_by_hand(
    dynamo: &dyn Dynamo,
    head: &str,
    revision: &str,
    items: Vec<Item>,
    moves: bool,
) {
    let partition = format!("U#hand#VALUES#{revision}");
    let pending = format!("PENDING#values#{revision}");
    let key = |sort: &str| Item::new().with("PK", "U#hand").with("SK", sort);
    let intent = key(&pending)
        .with("repository", "values")
        .with("revId", revision)
        .with("partition", partition.as_str());
    let put = PutItemInput::new("App", intent).condition("attribute_not_exists(PK)");
    dynamo.put_item(put).await.unwrap();
    let writes: Vec<WriteRequest> = items
        .into_iter()
        .map(|mut item| {
            item.insert("PK", partition.as_str());
            WriteRequest {
                put_request: Some(PutRequest {
                    item: Some(item.into()),
                }),
                ..WriteRequest::default()
            }
        })
        .collect();
    let batches = writes
        .chunks(25)
        .map(|chunk| BatchWriteItemInput::default().and("App", chunk.to_vec()));
    futures_util::stream::iter(batches)
        .map(|batch| dynamo.batch_write_item(batch))
        .buffered(PARALLEL)
        .for_each(|output| async {
            black_box(output.unwrap());
        })
        .await;
    let log = key(&format!("REV#VALUES#2026-01-23T09:00:00.000Z#{revision}"))
        .with("revId", revision)
        .with("parentRevId", head)
        .with("message", "rename")
        .with("source", "daily_update");
    let log = TransactPut::new("App", log).condition("attribute_not_exists(PK)");
    let update = TransactUpdate::new("App", key("HEAD#VALUES"), "SET headRevId = :new")
        .condition("headRevId = :old")
        .value(":old", head)
        .value(":new", if moves { revision } else { head });
    let gone = TransactDelete::new("App", key(&pending)).condition("attribute_exists(PK)");
    let input = TransactWriteItemsInput {
        transact_items: Some(vec![log.into(), update.into(), gone.into()]),
        ..TransactWriteItemsInput::default()
    };
    black_box(dynamo.transact_write_items(input).await.unwrap());
}

fn report(name: &str, most: f64, (ratio, model, hand): (f64, f64, f64)) {
    let verdict = match most {
        most if most.is_infinite() => String::new(),
        most if ratio <= most => format!("at most {most}: met"),
        most => format!("at most {most}: MISSED"),
    };
    println!("{name:28}{model:>10.0}{hand:>10.0}{ratio:>8.2}   {verdict}");
}
