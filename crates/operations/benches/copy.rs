//! How fast a copy between two servers is, beside the bulk writes of a plain client to such a server, in the same run.
//!
//! `cargo bench -p monotable-operations --bench copy -- 200000` copies so many items three times; without a number it copies a few
//! once. The plain client sends nothing but BatchWriteItem, with as many requests at once as a copy has. All of them share the
//! machine: the servers are in this process, and keep their data on disk.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a measurement that fails has nothing to say"
)]

use futures_util::StreamExt;
use monotable_api::{BatchWriteItemInput, DynamoExt, WriteRequest};
use monotable_aws::{Remote, RemoteOptions};
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_operations::{Copier, CopyOptions, CopyPlace, StoreIdentity};
use monotable_server::ServerOptions;
use monotable_store::Store;
use std::sync::Arc;
use std::time::{Duration, Instant};

const MODEL: &str = r##"
monotable = 1
model     = "bench"

[table.Bench]
key = ["PK", "SK"]

[entity.Thing]
key = ["THING#{id}", "THING"]

[entity.Thing.attributes]
id   = "text, matches = /[0-9]{1,12}/"
text = "text(1..400)"
"##;

/// Requests that are under way at once: four segments, each with eight batches.
const PARALLEL: usize = 32;
/// Items of a request.
const BATCH: usize = 25;

/// A server that keeps its data in a folder: a store on it, and a client of it.
struct Served {
    store: Store,
    remote: Remote,
}

/// A server of its own, with the tables of the model.
async fn serve(folder: &std::path::Path) -> Served {
    let engine = Engine::open(folder).unwrap();
    let options = ServerOptions::new().port(0);
    let server = options.bind(Arc::new(engine)).await.unwrap();
    let url = format!("http://{}", server.address());
    tokio::spawn(server.run(std::future::pending()));
    let options = RemoteOptions::new().endpoint_url(url).region("us-east-1");
    let remote = options.credentials("a", "b", None).connect().await.unwrap();
    let model = monotable_model::read(MODEL).model.unwrap();
    let store = Store::new(model, remote.clone());
    store.setup().await.unwrap();
    Served { store, remote }
}

fn item(number: usize) -> Item {
    Item::new()
        .with("PK", format!("THING#{number}"))
        .with("SK", "THING")
        .with("id", number.to_string())
        .with("text", "It weaves algebraic patterns. ".repeat(5))
}

/// Writes items as a plain client does: batches, and again what was not processed.
async fn write_all(served: &Served, items: usize) -> Duration {
    let began = Instant::now();
    let batches = (0..items).step_by(BATCH).map(|first| {
        let batch = (first..items.min(first + BATCH)).map(item);
        let writes = batch.map(WriteRequest::put);
        write_batch(&served.remote, BatchWriteItemInput::new("Bench", writes))
    });
    let mut under_way = futures_util::stream::iter(batches).buffer_unordered(PARALLEL);
    while under_way.next().await.is_some() {}
    began.elapsed()
}

async fn write_batch(remote: &Remote, input: BatchWriteItemInput) {
    let mut input = input;
    loop {
        let rest = remote.batch_write_item(input).await.unwrap();
        let rest = rest.unprocessed_items.into_iter();
        input = BatchWriteItemInput::default();
        for (table, writes) in rest {
            input = input.and(table, writes);
        }
        if input == BatchWriteItemInput::default() {
            return;
        }
    }
}

async fn measure(items: usize) {
    let folder = tempfile::tempdir().unwrap();
    let source = serve(&folder.path().join("source")).await;
    let target = serve(&folder.path().join("target")).await;
    let bulk_target = serve(&folder.path().join("bulk")).await;
    write_all(&source, items).await;
    let bulk = write_all(&bulk_target, items).await;
    let progress = folder.path().join("progress");
    let from = StoreIdentity::read("a", &source.store).await.unwrap();
    let to = StoreIdentity::read("b", &target.store).await.unwrap();
    let place = CopyPlace::open(&progress, &from, &to).unwrap();
    let copier = Copier::new(&source.store, &target.store, CopyOptions::default());
    let began = Instant::now();
    let copied = copier.copy(place, &|_| {}).await.unwrap();
    let copy = began.elapsed();
    assert_eq!(copied, items as u64);
    assert_eq!(copier.verify(&|_| {}).await.unwrap(), []);
    let speed = |time: Duration| items as f64 / time.as_secs_f64();
    println!(
        "bulk writes {:>7.0} items/s, copy {:>7.0} items/s, copy to bulk {:.2}",
        speed(bulk),
        speed(copy),
        speed(copy) / speed(bulk)
    );
}

fn main() {
    let items = std::env::args().find_map(|argument| argument.parse().ok());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let runs = if items.is_some() { 3 } else { 1 };
    for _ in 0..runs {
        runtime.block_on(measure(items.unwrap_or(2000)));
    }
}
