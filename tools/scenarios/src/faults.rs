//! A target that fails on demand, and counts.

use monotable_api::{BoxFuture, CancellationReason, Dynamo, Error, Request, Response};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// A `Dynamo` that fails when it is told to.
#[derive(Debug)]
pub struct Faulty<D> {
    inside: D,
    /// So many requests more are throttled.
    throttled: AtomicI64,
    /// So many transactions more meet others.
    conflicts: AtomicI64,
    /// So many writes more are carried out without their answer arriving.
    lost: AtomicI64,
    /// After so many requests more nothing works; negative: never.
    crash: AtomicI64,
    /// The same, counted in writes.
    crash_writes: AtomicI64,
    requests: AtomicU64,
    largest: AtomicU64,
}

impl<D: Dynamo> Faulty<D> {
    /// Without faults so far.
    pub const fn new(inside: D) -> Self {
        Self {
            inside,
            throttled: AtomicI64::new(0),
            conflicts: AtomicI64::new(0),
            lost: AtomicI64::new(0),
            crash: AtomicI64::new(-1),
            crash_writes: AtomicI64::new(-1),
            requests: AtomicU64::new(0),
            largest: AtomicU64::new(0),
        }
    }

    /// Sets a fault by its name: `throttle`, `conflict`, `lose`, `crash`, `crash-writes`, `none`.
    pub fn set(&self, fault: &str, count: i64) -> Result<(), String> {
        match fault {
            "throttle" => self.throttled.store(count, Ordering::SeqCst),
            "conflict" => self.conflicts.store(count, Ordering::SeqCst),
            "lose" => self.lost.store(count, Ordering::SeqCst),
            "crash" => self.crash.store(count, Ordering::SeqCst),
            "crash-writes" => self.crash_writes.store(count, Ordering::SeqCst),
            "none" => {
                self.throttled.store(0, Ordering::SeqCst);
                self.conflicts.store(0, Ordering::SeqCst);
                self.lost.store(0, Ordering::SeqCst);
                self.crash.store(-1, Ordering::SeqCst);
                self.crash_writes.store(-1, Ordering::SeqCst);
            }
            other => return Err(format!("there is no fault `{other}`")),
        }
        Ok(())
    }

    /// The requests since the last time this was asked.
    pub fn requests(&self) -> u64 {
        self.requests.swap(0, Ordering::SeqCst)
    }

    /// The most actions that a transaction had.
    pub fn largest(&self) -> u64 {
        self.largest.load(Ordering::SeqCst)
    }

    async fn answer(&self, request: Request) -> Result<Response, Error> {
        self.requests.fetch_add(1, Ordering::SeqCst);
        let mut actions = 0;
        if let Request::TransactWriteItems(input) = &request {
            actions = input.transact_items.as_ref().map_or(0, Vec::len);
            self.largest.fetch_max(actions as u64, Ordering::SeqCst);
        }
        let writes = is_write(&request);
        if ended(&self.crash) || writes && ended(&self.crash_writes) {
            self.crash.store(0, Ordering::SeqCst);
            return Err(Error::AccessDeniedException {
                message: "the process is gone".to_owned(),
            });
        }
        if take(&self.throttled) {
            return Err(Error::ThrottlingException {
                message: "Rate exceeded".to_owned(),
            });
        }
        if actions > 0 && take(&self.conflicts) {
            let mut reasons: Vec<_> = (1..actions).map(|_| CancellationReason::none()).collect();
            reasons.push(CancellationReason::conflict());
            return Err(Error::TransactionCanceledException { reasons });
        }
        let answer = self.inside.call(request).await;
        if writes && answer.is_ok() && take(&self.lost) {
            return Err(Error::internal(
                "the connection was closed before the answer",
            ));
        }
        answer
    }
}

/// Whether a count that began has come to its end.
fn ended(left: &AtomicI64) -> bool {
    left.load(Ordering::SeqCst) >= 0 && left.fetch_sub(1, Ordering::SeqCst) <= 0
}

/// Takes one, if any is left.
fn take(left: &AtomicI64) -> bool {
    let less = |count: i64| (count > 0).then_some(count - 1);
    left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less)
        .is_ok()
}

pub(crate) const fn is_write(request: &Request) -> bool {
    matches!(
        request,
        Request::PutItem(_)
            | Request::UpdateItem(_)
            | Request::DeleteItem(_)
            | Request::BatchWriteItem(_)
            | Request::TransactWriteItems(_)
    )
}

impl<D: Dynamo> Dynamo for Faulty<D> {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(self.answer(request))
    }
}
