//! A server that is killed under load: every acknowledged write is there after a restart.
#![cfg(feature = "aws")]

use crate::sandbox::{Sandbox, Served, wait};
use monotable_api::{
    CreateTableInput, Dynamo, DynamoExt, GlobalSecondaryIndex, PutItemInput, ScalarAttributeType,
    ScanInput, TransactPut, TransactWriteItemsInput,
};
use monotable_aws::{Remote, RemoteOptions};
use monotable_item::{EncodedItem, Item};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

const CLIENTS: u32 = 6;
const ROUNDS: u32 = 4;

/// Acknowledged items, as their bytes.
type Acknowledged = BTreeSet<Vec<u8>>;

fn item(client: u32, round: u32, n: u32) -> Item {
    Item::new()
        .with("pk", format!("client-{client}"))
        .with("sk", format!("{round}-{n}"))
        .with("n", n)
        .with("text", "x".repeat(300))
}

async fn connect(url: &str) -> Remote {
    // One attempt: a write that fails is not acknowledged, and must not be hidden by a retry.
    let options = RemoteOptions::new().endpoint_url(url).max_attempts(1);
    options
        .credentials("any", "any", None)
        .connect()
        .await
        .unwrap()
}

/// Writes until the server is gone; returns what was acknowledged. Every third write is a transaction
/// of two items.
async fn write_until_gone(
    url: String,
    client: u32,
    round: u32,
    count: Arc<AtomicUsize>,
) -> Acknowledged {
    let remote = connect(&url).await;
    let mut acknowledged = Acknowledged::new();
    for n in (0..).step_by(2) {
        let (first, second) = (item(client, round, n), item(client, round, n + 1));
        let written = if n % 3 == 0 {
            let puts = [&first, &second].map(|item| TransactPut::new("Log", item));
            let transaction = TransactWriteItemsInput::new(puts);
            remote
                .transact_write_items(transaction)
                .await
                .map(|_| vec![first, second])
        } else {
            let put = PutItemInput::new("Log", &first);
            remote.put_item(put).await.map(|_| vec![first])
        };
        match written {
            Ok(items) => {
                count.fetch_add(items.len(), Ordering::Relaxed);
                acknowledged.extend(items.iter().map(bytes));
            }
            Err(_) => return acknowledged,
        }
    }
    acknowledged
}

/// Waits until the load has begun, which takes long on a machine that does other work.
async fn await_writes(count: &AtomicUsize) {
    let end = Instant::now() + Duration::from_secs(60);
    while count.load(Ordering::Relaxed) == 0 {
        assert!(Instant::now() < end, "nothing was acknowledged in a minute");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn bytes(item: &Item) -> Vec<u8> {
    EncodedItem::from(item).as_bytes().to_vec()
}

/// All items of the table, or of its index.
async fn stored(dynamo: &dyn Dynamo, index: Option<&str>) -> Acknowledged {
    let mut found = Acknowledged::new();
    let mut scan = ScanInput::new("Log");
    scan.index_name = index.map(str::to_owned);
    loop {
        let page = dynamo.scan(scan.clone()).await.unwrap();
        found.extend(
            page.items
                .unwrap()
                .iter()
                .map(|item| item.as_bytes().to_vec()),
        );
        match page.last_evaluated_key {
            Some(key) => scan.exclusive_start_key = Some(key.into()),
            None => return found,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_acknowledged_write_survives_a_kill() {
    let sandbox = Sandbox::new();
    let mut expected = Acknowledged::new();
    for round in 0..ROUNDS {
        let mut served = Served::start(&sandbox, &["--log", "error"]);
        if round == 0 {
            let table = CreateTableInput::new("Log", "pk", ScalarAttributeType::S)
                .range("sk", ScalarAttributeType::S)
                .attribute("n", ScalarAttributeType::N)
                .global_index(GlobalSecondaryIndex::new("ByN", "n"));
            connect(&served.url)
                .await
                .create_table(table)
                .await
                .unwrap();
        }
        let mut clients = JoinSet::new();
        let count = Arc::<AtomicUsize>::default();
        for client in 0..CLIENTS {
            let count = Arc::clone(&count);
            clients.spawn(write_until_gone(served.url.clone(), client, round, count));
        }
        await_writes(&count).await;
        tokio::time::sleep(Duration::from_millis(300 + u64::from(round) * 137)).await;
        served.child.kill().unwrap();
        assert_eq!(wait(&mut served.child), None);
        let before = expected.len();
        while let Some(acknowledged) = clients.join_next().await {
            expected.extend(acknowledged.unwrap());
        }
        assert!(
            expected.len() > before,
            "nothing was acknowledged in round {round}"
        );
    }

    let served = Served::start(&sandbox, &[]);
    let remote = connect(&served.url).await;
    let found = stored(&remote, None).await;
    let lost = expected.difference(&found).count();
    assert_eq!(lost, 0, "of {} acknowledged items", expected.len());
    assert_eq!(stored(&remote, Some("ByN")).await, found);
    served.stop();
}
