//! Faults at random: throttling, conflicts, lost answers, and clients that die in the middle of what they do.

use monotable_api::{BoxFuture, CancellationReason, Dynamo, Error, Request, Response};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often, in a thousand requests.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates {
    pub(crate) throttled: u32,
    pub(crate) conflicts: u32,
    pub(crate) lost: u32,
    pub(crate) deaths: u32,
}

impl Rates {
    pub(crate) const fn none() -> Self {
        Self {
            throttled: 0,
            conflicts: 0,
            lost: 0,
            deaths: 0,
        }
    }

    pub(crate) const fn faults() -> Self {
        Self {
            throttled: 40,
            conflicts: 40,
            lost: 40,
            deaths: 15,
        }
    }
}

/// One client's way to the target.
pub(crate) struct Chaos<D> {
    inside: D,
    rates: Rates,
    chance: Mutex<fastrand::Rng>,
    dead: AtomicBool,
}

impl<D: Dynamo> Chaos<D> {
    pub(crate) fn new(inside: D, rates: Rates, seed: u64) -> Self {
        Self {
            inside,
            rates,
            chance: Mutex::new(fastrand::Rng::with_seed(seed)),
            dead: AtomicBool::new(false),
        }
    }

    /// Whether the client died since the last time; it is alive again.
    pub(crate) fn revive(&self) -> bool {
        self.dead.swap(false, Ordering::SeqCst)
    }

    fn happens(&self, rate: u32) -> bool {
        self.chance.lock().unwrap().u32(0..1000) < rate
    }

    async fn answer(&self, request: Request) -> Result<Response, Error> {
        if self.happens(self.rates.deaths) {
            self.dead.store(true, Ordering::SeqCst);
        }
        if self.dead.load(Ordering::SeqCst) {
            return Err(Error::AccessDeniedException {
                message: "the client is dead".to_owned(),
            });
        }
        if self.happens(self.rates.throttled) {
            return Err(Error::ProvisionedThroughputExceededException {
                message: "slow down".to_owned(),
            });
        }
        if let Request::TransactWriteItems(input) = &request
            && self.happens(self.rates.conflicts)
        {
            let actions = input.transact_items.as_ref().map_or(0, Vec::len);
            let mut reasons: Vec<_> = (1..actions).map(|_| CancellationReason::none()).collect();
            reasons.push(CancellationReason::conflict());
            return Err(Error::TransactionCanceledException { reasons });
        }
        let answer = self.inside.call(request).await;
        if self.happens(self.rates.lost) {
            Err(Error::internal("the answer was lost"))
        } else {
            answer
        }
    }
}

impl<D: Dynamo> Dynamo for Chaos<D> {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(self.answer(request))
    }
}

/// How long a target may take: long enough that others get something done.
const PAUSE: Duration = Duration::from_millis(1);

/// A target that takes its time now and then: others come between any two requests.
pub(crate) struct Busy<D>(pub(crate) D);

impl<D: Dynamo> Dynamo for Busy<D> {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            match fastrand::u32(0..4) {
                0 => tokio::time::sleep(PAUSE).await,
                _ => tokio::task::yield_now().await,
            }
            self.0.call(request).await
        })
    }
}
