//! A target whose indexes lag: what is not read strongly is read from an older state.
//!
//! Two engines: one has every write at once, the other gets them later, in the same order. An index read, or one that is
//! not consistent, is answered by the other. It lags by one such read at most: a write that one read has missed, the next
//! one sees. How much of the rest a read sees is chance.

use crate::faults::is_write;
use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use std::collections::VecDeque;
use tokio::sync::Mutex;

/// A `Dynamo` with a lagging copy.
#[derive(Debug)]
pub struct Stale<D> {
    fresh: D,
    old: D,
    lag: Mutex<Lag>,
}

#[derive(Debug)]
struct Lag {
    /// Writes that the copy does not have.
    pending: VecDeque<Request>,
    /// How many of them were there at the last stale read: these are due.
    due: usize,
    chance: fastrand::Rng,
}

impl<D: Dynamo> Stale<D> {
    /// Two empty targets, and where chance begins.
    pub fn new(fresh: D, old: D, seed: u64) -> Self {
        let lag = Lag {
            pending: VecDeque::new(),
            due: 0,
            chance: fastrand::Rng::with_seed(seed),
        };
        Self {
            fresh,
            old,
            lag: Mutex::new(lag),
        }
    }

    async fn answer(&self, request: Request) -> Result<Response, Error> {
        if is_write(&request) {
            // One after the other: the copy gets them in the order in which they happened.
            let mut lag = self.lag.lock().await;
            let answer = self.fresh.call(request.clone()).await;
            if answer.is_ok() {
                lag.pending.push_back(request);
            }
            return answer;
        }
        if changes_tables(&request) {
            let mut lag = self.lag.lock().await;
            self.catch_up(&mut lag, usize::MAX).await?;
            self.old.call(request.clone()).await?;
            return self.fresh.call(request).await;
        }
        if is_strong(&request) {
            return self.fresh.call(request).await;
        }
        let mut lag = self.lag.lock().await;
        let waiting = lag.pending.len();
        let due = lag.due;
        let more = lag.chance.usize(0..=waiting - due);
        self.catch_up(&mut lag, due + more).await?;
        lag.due = lag.pending.len();
        self.old.call(request).await
    }

    async fn catch_up(&self, lag: &mut Lag, count: usize) -> Result<(), Error> {
        for _ in 0..count {
            let Some(write) = lag.pending.pop_front() else {
                break;
            };
            self.old.call(write).await?;
        }
        lag.due = lag.due.min(lag.pending.len());
        Ok(())
    }
}

const fn changes_tables(request: &Request) -> bool {
    matches!(
        request,
        Request::CreateTable(_) | Request::DeleteTable(_) | Request::UpdateTable(_)
    )
}

fn is_strong(request: &Request) -> bool {
    match request {
        Request::GetItem(input) => input.consistent_read == Some(true),
        Request::Query(input) => input.consistent_read == Some(true),
        Request::Scan(input) => input.consistent_read == Some(true),
        Request::BatchGetItem(input) => {
            let mut tables = input
                .request_items
                .iter()
                .flat_map(|tables| tables.values());
            tables.all(|table| table.consistent_read == Some(true))
        }
        _ => true,
    }
}

impl<D: Dynamo> Dynamo for Stale<D> {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(self.answer(request))
    }
}
