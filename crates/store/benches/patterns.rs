//! How long a page of each access pattern takes, with few documents and with ten times as many.
//!
//! `cargo bench -p monotable-store --bench patterns` (`-- 20000` for another size). The embedded engine on disk, everything
//! flushed and reopened before it is read; documents with tags, attributes and actions in two sites. Times are medians; the
//! last column is how many times as long a page takes with ten times the documents.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a report"
)]

#[path = "../../../tools/scenarios/tests/volume/documents.rs"]
mod documents;
#[path = "../../../tools/scenarios/tests/volume/parameters.rs"]
mod parameters;

use monotable_engine::Engine;
use monotable_store::{Operation, Options, Query, Store};
use std::collections::BTreeMap;
use std::time::Instant;

const ROUNDS: usize = 51;

/// The median microseconds of a page of each pattern.
fn times(runtime: &tokio::runtime::Runtime, store: &Store) -> BTreeMap<String, f64> {
    let store = store.tenant("finance");
    let mut times = BTreeMap::new();
    for (_, access) in store.model().patterns() {
        let operation = Operation::Query(Query {
            pattern: access.name.value.clone(),
            parameters: parameters::given(access),
            limit: Some(20),
            ..Query::default()
        });
        let mut rounds: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                let page = runtime.block_on(store.run(operation.clone(), Options::default()));
                page.unwrap_or_else(|error| panic!("{}: {error}", access.name.value));
                start.elapsed().as_secs_f64() * 1e6
            })
            .collect();
        rounds.sort_by(f64::total_cmp);
        times.insert(access.name.value.clone(), rounds[ROUNDS / 2]);
    }
    times
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let asked = std::env::args().find_map(|word| word.parse::<usize>().ok());
    let most = asked.unwrap_or(200_000);
    let mut all = Vec::new();
    for documents in [most / 10, most] {
        let folder = tempfile::tempdir().unwrap();
        {
            let engine = Engine::open(folder.path()).unwrap();
            let filled = documents::filled_on(engine, documents);
            runtime.block_on(filled);
        }
        let engine = Engine::open(folder.path()).unwrap();
        let store = Store::new(documents::model(), engine);
        // Read once, so that both sizes are as warm.
        times(&runtime, &store);
        all.push(times(&runtime, &store));
    }
    println!("{:40}{:>12}{:>12}{:>8}", "us", most / 10, most, "times");
    let mut worst: f64 = 0.0;
    for (pattern, few) in &all[0] {
        let many = all[1][pattern];
        worst = worst.max(many / few);
        println!("{pattern:40}{few:>12.1}{many:>12.1}{:>8.2}", many / few);
    }
    let verdict = if worst <= 2.0 { "met" } else { "MISSED" };
    println!("the worst: {worst:.2}   at most 2: {verdict}");
}
