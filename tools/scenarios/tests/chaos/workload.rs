//! Clients that do random things, and what must hold when they are done.

use super::faults::{Chaos, Rates};
use monotable_api::Dynamo;
use monotable_engine::Engine;
use monotable_item::Item;
use monotable_scenarios::Stale;
use monotable_store::{AnyOperation, AnyOutput, Delete, Detach, ErrorKind, Options, Retry, Store};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What clients do with a model.
pub(crate) trait Workload: Send + Sync {
    /// The model's folder.
    fn model(&self) -> &'static str;
    /// The deployment's choices.
    fn settings(&self) -> Item {
        Item::new()
    }
    /// Something to do.
    fn operation(&self, chance: &mut fastrand::Rng) -> AnyOperation;
    /// The keys of rows that a delete of this may take with it, as texts; `*` for any.
    fn takes(&self, operation: &AnyOperation) -> Vec<String>;
    /// The key of the row that a create makes, as a text, with the texts whose deletes may take it.
    fn makes(&self, operation: &AnyOperation) -> Option<(String, Vec<String>)>;
    /// The entity and key attributes of the row that a create makes.
    fn key(&self, operation: &AnyOperation) -> Option<(String, Item)>;
}

const CLIENTS: usize = 6;
const CALLS: usize = 60;

/// A row that was acknowledged.
struct Made {
    what: String,
    taken_by: Vec<String>,
    key: (String, Item),
}

#[derive(Default)]
struct Noted {
    made: Vec<Made>,
    /// Everything whose delete was tried, acknowledged or not.
    deleted: BTreeSet<String>,
    /// Deletes whose client died.
    unfinished: Vec<AnyOperation>,
}

pub(crate) fn run(workload: &'static dyn Workload, seed: u64, stale: bool, rates: Rates) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(round(workload, seed, stale, rates));
}

fn retry() -> Retry {
    Retry {
        attempts: 30,
        base: Duration::from_micros(200),
        cap: Duration::from_millis(4),
    }
}

fn store(workload: &dyn Workload, dynamo: impl Dynamo + 'static) -> Store {
    let path = format!(
        "{}/../../models/{}/model.toml",
        env!("CARGO_MANIFEST_DIR"),
        workload.model()
    );
    let text = std::fs::read_to_string(path).unwrap();
    let model = monotable_check::check(&text).model.unwrap();
    Store::new(model, dynamo)
        .with_retry(retry())
        .with_settings(workload.settings())
}

async fn round(workload: &'static dyn Workload, seed: u64, stale: bool, rates: Rates) {
    let engine = || Engine::in_memory().unwrap();
    let target: Arc<dyn Dynamo> = if stale {
        Arc::new(Stale::new(engine(), engine(), seed))
    } else {
        Arc::new(engine())
    };
    let calm = store(workload, Arc::clone(&target));
    calm.setup().await.unwrap();
    let noted = Arc::new(Mutex::new(Noted::default()));
    let mut clients = Vec::new();
    for client in 0..CLIENTS {
        let seed = seed * 1000 + client as u64;
        let chaos = Arc::new(Chaos::new(Arc::clone(&target), rates, seed));
        let store = store(workload, Arc::clone(&chaos));
        let noted = Arc::clone(&noted);
        clients.push(tokio::spawn(async move {
            let mut chance = fastrand::Rng::with_seed(seed);
            for _ in 0..CALLS {
                let operation = workload.operation(&mut chance);
                call(workload, &store, &chaos, operation, &noted).await;
            }
        }));
    }
    for client in clients {
        client.await.unwrap();
    }
    settle(&calm, &noted).await;
    let found = calm.verify().await.unwrap();
    let violations: Vec<String> = found.violations.iter().map(ToString::to_string).collect();
    let case = format!("{} seed {seed} stale {stale} {rates:?}", workload.model());
    assert!(violations.is_empty(), "{case}:\n{}", violations.join("\n"));
    assert_eq!(
        found.unknown, 0,
        "{case}: rows that the model does not know"
    );
    let noted = Arc::into_inner(noted).unwrap().into_inner().unwrap();
    assert!(!noted.made.is_empty(), "{case}: nothing was made");
    for made in &noted.made {
        let gone = noted.deleted.contains(&made.what)
            || made
                .taken_by
                .iter()
                .any(|taken| noted.deleted.contains(taken));
        if !gone {
            let (entity, key) = made.key.clone();
            let row = calm.get(&entity, key).consistent().await;
            assert!(
                row.is_ok(),
                "{case}: {} was acknowledged and is not there: {row:?}",
                made.what
            );
        }
    }
}

async fn call(
    workload: &dyn Workload,
    store: &Store,
    chaos: &Chaos<Arc<dyn Dynamo>>,
    operation: AnyOperation,
    noted: &Mutex<Noted>,
) {
    let deletes = matches!(
        operation,
        AnyOperation::Delete(Delete { .. }) | AnyOperation::Detach(Detach { .. })
    );
    if deletes {
        let taken = workload.takes(&operation);
        noted.lock().unwrap().deleted.extend(taken);
    }
    let result = store.run(operation.clone(), Options::default()).await;
    let died = chaos.revive();
    let mut noted = noted.lock().unwrap();
    match result {
        Ok(AnyOutput::Row(_)) => {
            let made = workload.makes(&operation).zip(workload.key(&operation));
            if let Some(((what, taken_by), key)) = made {
                noted.made.push(Made {
                    what,
                    taken_by,
                    key,
                });
            }
        }
        Ok(_) => {}
        Err(error) => {
            // What callers may meet: never a refusal by the service, never data that contradicts the model.
            let expected = died
                || matches!(
                    error.kind(),
                    ErrorKind::Conflict
                        | ErrorKind::NotFound
                        | ErrorKind::Validation
                        | ErrorKind::Retryable
                );
            assert!(expected, "{operation:?}: {}: {error}", error.kind().name());
            if deletes && (died || error.kind() == ErrorKind::Retryable) {
                noted.unfinished.push(operation);
            }
        }
    }
}

/// Whoever finds an unfinished delete says it again.
async fn settle(store: &Store, noted: &Mutex<Noted>) {
    let unfinished = std::mem::take(&mut noted.lock().unwrap().unfinished);
    for operation in unfinished {
        let again = store.run(operation.clone(), Options::default()).await;
        if let Err(error) = again {
            assert_eq!(error.kind(), ErrorKind::NotFound, "{operation:?}: {error}");
        }
    }
}
