//! How long a page of each access pattern takes, with few documents and with ten times as many.
//!
//! `cargo bench -p monotable-store --bench patterns` (`-- 20000` for another size). The embedded engine on disk, reopened
//! and everything flushed before it is read; documents with tags, attributes and actions in two sites. Times are medians; the
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

#[path = "rounds/mod.rs"]
mod rounds;

use monotable_engine::Engine;
use monotable_store::{AnyOperation, Options, Query, Store};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// Rounds of each pattern, and calls of a round.
const ROUNDS: (usize, usize) = (41, 5);

/// A store of so many documents, opened anew and at rest.
fn store_of(runtime: &Runtime, folder: &TempDir, documents: usize) -> Store {
    {
        let engine = Engine::open(folder.path()).unwrap();
        let filled = documents::filled_on(engine, documents);
        runtime.block_on(filled);
    }
    let engine = Engine::open(folder.path()).unwrap();
    engine.settle().unwrap();
    Store::new(documents::model(), engine).tenant("finance")
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let asked = std::env::args().find_map(|word| word.parse::<usize>().ok());
    let most = asked.unwrap_or(200_000);
    let folders = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let few = store_of(&runtime, &folders.0, most / 10);
    let many = store_of(&runtime, &folders.1, most);
    println!("{:40}{:>12}{:>12}{:>8}", "us", most / 10, most, "times");
    let mut worst: f64 = 0.0;
    for (_, access) in few.model().patterns() {
        let pattern = &access.name.value;
        let operation = AnyOperation::Query(Query {
            pattern: pattern.clone(),
            parameters: parameters::given(access),
            limit: Some(20),
            ..Query::default()
        });
        let page = |store: &Store| {
            let page = runtime.block_on(store.run(operation.clone(), Options::default()));
            page.unwrap_or_else(|error| panic!("{pattern}: {error}"));
        };
        let (times, with_many, with_few) = rounds::ratio(ROUNDS, |_| page(&many), |_| page(&few));
        worst = worst.max(times);
        println!("{pattern:40}{with_few:>12.1}{with_many:>12.1}{times:>8.2}");
    }
    let verdict = if worst <= 2.0 { "met" } else { "MISSED" };
    println!("the worst: {worst:.2}   at most 2: {verdict}");
}
