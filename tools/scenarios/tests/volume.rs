//! What access patterns send does not depend on how many documents there are.
//!
//! `MONOTABLE_VOLUME=20000 cargo test --release -p monotable-scenarios --test volume` compares a tenth of that with it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod volume {
    pub(crate) mod documents;
    pub(crate) mod parameters;
}

use monotable_engine::Engine;
use monotable_store::{AnyOperation, Options, Query, Store};
use std::collections::BTreeMap;
use volume::documents::filled_on;
use volume::parameters::given;

/// Requests and read units of a page of each pattern.
async fn costs(store: &Store) -> BTreeMap<String, (usize, f64)> {
    let mut costs = BTreeMap::new();
    for (_, access) in store.model().patterns() {
        let pattern = access.name.value.clone();
        let operation = AnyOperation::Query(Query {
            pattern: pattern.clone(),
            parameters: given(access),
            limit: Some(20),
            ..Query::default()
        });
        let explanation = store.explain(operation, Options::default()).await;
        if let Err(error) = &explanation.outcome {
            panic!("{pattern}: {error}");
        }
        let (read, _) = explanation.total();
        costs.insert(pattern, (explanation.requests.len(), read));
    }
    costs
}

#[test]
fn patterns_cost_the_same_however_many_documents_there_are() {
    let most = std::env::var("MONOTABLE_VOLUME").ok();
    let most: usize = most.and_then(|text| text.parse().ok()).unwrap_or(1_500);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut known: BTreeMap<&str, BTreeMap<String, (usize, f64)>> = BTreeMap::new();
        for documents in [most / 10, most] {
            let engine = Engine::in_memory().unwrap();
            let store = filled_on(engine, documents).await;
            for tenant in ["default", "finance"] {
                let costs = costs(&store.tenant(tenant)).await;
                let known = known.entry(tenant).or_insert_with(|| costs.clone());
                for (pattern, cost) in &costs {
                    assert_eq!(
                        known.get(pattern),
                        Some(cost),
                        "{pattern} of {tenant} with {documents} documents"
                    );
                }
            }
        }
    });
}
