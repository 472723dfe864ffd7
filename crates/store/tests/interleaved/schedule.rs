//! Two clients whose requests are let through one by one, in an order that is given.

use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::Engine;
use monotable_store::{AnyOperation, ErrorKind, Options, Store};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

/// How many schedules of a race are tried in every build.
const SAMPLE: usize = 8;

/// What is longer ends a call.
const LONGEST_AGAIN: usize = 7;

/// How many requests the first client may send, then the second, then the first again. After that the second ends, and then the
/// first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    pub(crate) first: usize,
    pub(crate) second: usize,
    pub(crate) again: usize,
    /// Decides the order of requests that are sent side by side.
    pub(crate) seed: u64,
}

/// Lets a request through for each permit. Requests that are sent side by side come in any order.
struct Gated {
    inside: Arc<Engine>,
    permits: Arc<Semaphore>,
    order: Mutex<fastrand::Rng>,
}

impl Dynamo for Gated {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let delay = self.order.lock().unwrap().usize(0..3);
            for _ in 0..delay {
                tokio::task::yield_now().await;
            }
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
    fn start(engine: &Arc<Engine>, store: MakeStore, work: Vec<AnyOperation>, seed: u64) -> Self {
        let permits = Arc::new(Semaphore::new(0));
        let store = store(Arc::new(Gated {
            inside: Arc::clone(engine),
            permits: Arc::clone(&permits),
            order: Mutex::new(fastrand::Rng::with_seed(seed)),
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
        let first = Client::start(engine, store, self.first, schedule.seed);
        let second = Client::start(engine, store, self.second, schedule.seed + 1);
        first.advance(schedule.first).await;
        second.advance(schedule.second).await;
        first.advance(schedule.again).await;
        second.end().await;
        first.end().await;
    }
}

/// Makes a client of a model.
pub(crate) type MakeStore = fn(Arc<dyn Dynamo>) -> Store;

/// Schedules that switch after these numbers of requests, with every length of the third part that matters.
pub(crate) fn schedules(
    first: RangeInclusive<usize>,
    second: RangeInclusive<usize>,
) -> Vec<Schedule> {
    let mut all = Vec::new();
    for first in first {
        for second in second.clone() {
            let parts = (0..=LONGEST_AGAIN).map(|again| Schedule {
                first,
                second,
                again,
                seed: (first * 100 + second * 10 + again) as u64,
            });
            all.extend(parts);
        }
    }
    all
}

/// A sample of schedules; `MONOTABLE_INTERLEAVED=all` takes all.
pub(crate) fn sample(mut all: Vec<Schedule>) -> Vec<Schedule> {
    if std::env::var("MONOTABLE_INTERLEAVED").as_deref() != Ok("all") {
        fastrand::Rng::with_seed(1).shuffle(&mut all);
        all.truncate(SAMPLE);
    }
    all
}
