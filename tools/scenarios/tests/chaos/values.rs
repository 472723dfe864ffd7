//! Commits to one tree by many clients, with sweeps that take whatever they meet.

use super::faults::{Chaos, Rates};
use monotable_api::Dynamo;
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_store::{
    AnyOperation, At, Commit, CommitAll, Create, ErrorKind, Options, Parent, Retry, Store,
    SweepMode,
};
use std::sync::Arc;
use std::time::Duration;

const CLIENTS: usize = 4;
const CALLS: usize = 14;

fn store(dynamo: impl Dynamo + 'static) -> Store {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../models/values/model.toml"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let model = monotable_check::check(&text).model.unwrap();
    Store::new(model, dynamo).with_retry(Retry {
        attempts: 30,
        base: Duration::from_micros(200),
        cap: Duration::from_millis(4),
    })
}

fn user() -> Item {
    Item::new().with("userId", "u1")
}

fn create(entity: &str, values: Item) -> AnyOperation {
    AnyOperation::Create(Create {
        entity: entity.to_owned(),
        values,
    })
}

fn commit(message: &str) -> Commit {
    Commit::new("values", user())
        .with("message", message)
        .with("source", "daily_update")
}

fn adding(id: &str) -> Commit {
    let node = Item::new()
        .with("nodeId", id)
        .with("nodeType", "ACTION")
        .with("title", id)
        .with("driverId", "d");
    let edge = Item::new()
        .with("parentNodeId", "d")
        .with("childNodeId", id);
    commit(id)
        .change(create("ValuesNode", node))
        .change(create("ValuesEdge", edge))
}

/// One client: nodes that were acknowledged.
async fn client(
    store: Store,
    chaos: Arc<Chaos<Arc<dyn Dynamo>>>,
    number: usize,
    seed: u64,
) -> Vec<String> {
    let mut chance = fastrand::Rng::with_seed(seed);
    let mut made = Vec::new();
    for call in 0..CALLS {
        if chance.u32(0..5) == 0 {
            let swept = store.sweep("values", user(), Duration::ZERO).await;
            let died = chaos.revive();
            assert!(swept.is_ok() || died, "{swept:?}");
            continue;
        }
        let id = format!("n{number}-{call}");
        let result = store
            .run(
                AnyOperation::CommitAll(CommitAll {
                    commits: vec![adding(&id)],
                }),
                Options::default(),
            )
            .await;
        let died = chaos.revive();
        match result {
            Ok(_) => made.push(id),
            Err(error) => assert!(
                died || matches!(error.kind(), ErrorKind::Conflict | ErrorKind::Retryable),
                "{error}"
            ),
        }
    }
    made
}

pub(crate) fn run(seed: u64, rates: Rates) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(round(seed, rates));
}

async fn round(seed: u64, rates: Rates) {
    let target: Arc<dyn Dynamo> = Arc::new(Engine::in_memory().unwrap());
    let calm = store(Arc::clone(&target));
    calm.setup().await.unwrap();
    let driver = Item::new().with("nodeId", "d").with("nodeType", "DRIVER");
    let first = commit("begin").after(Parent::None);
    let first = first.change(create("ValuesNode", driver.with("title", "Health")));
    calm.commit(first).await.unwrap();
    let mut clients = Vec::new();
    for number in 0..CLIENTS {
        let seed = seed * 1000 + number as u64;
        let chaos = Arc::new(Chaos::new(Arc::clone(&target), rates, seed));
        let store = store(Arc::clone(&chaos));
        clients.push(tokio::spawn(client(store, chaos, number, seed)));
    }
    let mut made = Vec::new();
    for client in clients {
        made.extend(client.await.unwrap());
    }
    calm.sweep_all("values", Duration::ZERO, SweepMode::Delete)
        .await
        .unwrap();
    let case = format!("values seed {seed} {rates:?}");
    let found = calm.verify().await.unwrap();
    assert_eq!(found.violations, [], "{case}");
    let shown = calm.show("values", user(), At::Head).await.unwrap();
    for id in &made {
        let there = shown.rows.iter().any(|row| row.text("nodeId") == id);
        assert!(there, "{case}: {id} was acknowledged and is not there");
    }
    // The log is one chain, and each revision is later than the one before.
    let log = calm.log("values", user()).await.unwrap();
    let mut at = shown.revision;
    let mut later = String::from("9");
    for _ in &log.rows {
        let row = log.rows.iter().find(|row| row.text("revId") == at).unwrap();
        assert!(row.text("revTs") < later.as_str(), "{case}: {at}");
        later = row.text("revTs").to_owned();
        at = row.text("parentRevId").to_owned();
    }
    assert_eq!(at, "", "{case}: everything is in one chain");
}
