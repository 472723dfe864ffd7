//! Two clients whose requests are let through one by one, in an order that is given.

use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use monotable_store::{AnyOperation, ErrorKind, Options, Store};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// How many schedules of a race are tried in every build.
const SAMPLE: usize = 8;

/// How many requests the first client may send, then the second, then the first again. After that the second ends, and then the
/// first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) again: usize,
}

/// Lets a request through for each permit.
struct Gated {
    inside: Arc<Engine>,
    permits: Arc<Semaphore>,
}

impl Dynamo for Gated {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            self.permits.acquire().await.unwrap().forget();
            self.inside.call(request).await
        })
    }
}

/// A client that does one thing after another, whatever becomes of it.
struct Client {
    permits: Arc<Semaphore>,
    task: JoinHandle<()>,
}

impl Client {
    fn start(engine: &Arc<Engine>, store: MakeStore, work: Vec<AnyOperation>) -> Self {
        let permits = Arc::new(Semaphore::new(0));
        let store = store(Arc::new(Gated {
            inside: Arc::clone(engine),
            permits: Arc::clone(&permits),
        }));
        let task = tokio::spawn(async move {
            for operation in work {
                if let Err(error) = store.run(operation.clone(), Options::default()).await {
                    let is_expected = matches!(
                        error.kind(),
                        ErrorKind::Conflict | ErrorKind::NotFound | ErrorKind::Validation
                    );
                    assert!(is_expected, "{operation:?}: {error}");
                }
            }
        });
        Self { permits, task }
    }

    /// Lets so many requests through, or all that there are.
    async fn advance(&self, requests: usize) {
        self.permits.add_permits(requests);
        while self.permits.available_permits() > 0 && !self.task.is_finished() {
            tokio::task::yield_now().await;
        }
        // The request that was let through is answered before anybody else goes on.
        tokio::task::yield_now().await;
    }

    async fn end(self) {
        self.permits.add_permits(Semaphore::MAX_PERMITS / 2);
        self.task.await.unwrap();
    }
}

/// What two clients do at the same time.
pub(crate) struct Race {
    pub(crate) first: Vec<AnyOperation>,
    pub(crate) second: Vec<AnyOperation>,
}

impl Race {
    /// Runs the race in the order of a schedule.
    pub(crate) async fn run(self, engine: &Arc<Engine>, store: MakeStore, schedule: Schedule) {
        let first = Client::start(engine, store, self.first);
        let second = Client::start(engine, store, self.second);
        first.advance(schedule.first).await;
        second.advance(schedule.second).await;
        first.advance(schedule.again).await;
        second.end().await;
        first.end().await;
    }
}

/// Makes a client of a model.
pub(crate) type MakeStore = fn(Arc<dyn Dynamo>) -> Store;

/// Schedules that switch at every request of both, each with a few lengths of the third part. A sample of them is tried;
/// `MONOTABLE_INTERLEAVED=all` tries all.
pub(crate) fn schedules(first: usize, second: usize) -> Vec<Schedule> {
    let mut chance = fastrand::Rng::with_seed(1);
    let mut all = Vec::new();
    for before in 0..=first {
        for between in 1..=second {
            for again in [0, 1, chance.usize(2..8)] {
                all.push(Schedule {
                    first: before,
                    second: between,
                    again,
                });
            }
        }
    }
    if std::env::var("MONOTABLE_INTERLEAVED").as_deref() != Ok("all") {
        chance.shuffle(&mut all);
        all.truncate(SAMPLE);
    }
    all
}
