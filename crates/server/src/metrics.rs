//! What is counted, for `/metrics`.

mod exposition;
mod histogram;

use crate::refusal::Refusal;
use histogram::Histogram;
use monotable_api::OperationName;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The counts of a server. Counting a request that succeeds takes no lock.
pub(crate) struct Metrics {
    /// One per operation, in the order of [`OperationName::ALL`].
    operations: Vec<Operation>,
    /// Requests that failed, by operation and exception.
    errors: Mutex<BTreeMap<(&'static str, &'static str), u64>>,
    /// What was refused before it was a request of an operation, by reason.
    refused: Mutex<BTreeMap<&'static str, u64>>,
    bytes_in: AtomicU64,
    bytes_out: AtomicU64,
    connections: Level,
    connections_accepted: AtomicU64,
    connections_dismissed: AtomicU64,
    in_flight: Level,
}

#[derive(Default)]
struct Operation {
    succeeded: AtomicU64,
    latency: Histogram,
}

/// A number of things that are going on.
#[derive(Default)]
pub(crate) struct Level(AtomicU64);

/// One of the things that are going on, until dropped.
pub(crate) struct Ongoing<'a>(&'a Level);

impl Level {
    pub(crate) fn enter(&self) -> Ongoing<'_> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ongoing(self)
    }
}

impl Drop for Ongoing<'_> {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let operations = OperationName::ALL.iter().map(|_| Operation::default());
        Self {
            operations: operations.collect(),
            errors: Mutex::default(),
            refused: Mutex::default(),
            bytes_in: AtomicU64::new(0),
            bytes_out: AtomicU64::new(0),
            connections: Level::default(),
            connections_accepted: AtomicU64::new(0),
            connections_dismissed: AtomicU64::new(0),
            in_flight: Level::default(),
        }
    }

    /// Counts an open connection.
    pub(crate) fn connection(&self) -> Ongoing<'_> {
        self.connections_accepted.fetch_add(1, Ordering::Relaxed);
        self.connections.enter()
    }

    /// Counts connections that had to go because others came.
    pub(crate) fn dismissed(&self, connections: usize) {
        self.connections_dismissed
            .fetch_add(connections as u64, Ordering::Relaxed);
    }

    /// Counts a request in progress.
    pub(crate) fn in_flight(&self) -> Ongoing<'_> {
        self.in_flight.enter()
    }

    /// Counts a refusal.
    pub(crate) fn refused(&self, reason: &'static str) {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        *refused.entry(reason).or_default() += 1;
    }

    /// Counts an answered request.
    pub(crate) fn request(
        &self,
        operation: Option<OperationName>,
        refusal: Option<&Refusal>,
        latency: Duration,
        bytes_in: usize,
        bytes_out: u64,
    ) {
        self.bytes_in.fetch_add(bytes_in as u64, Ordering::Relaxed);
        self.bytes_out.fetch_add(bytes_out, Ordering::Relaxed);
        let Some(name) = operation else {
            if let Some(refusal) = refusal {
                self.refused(refusal.reason());
            }
            return;
        };
        if let Some(operation) = self.operations.get(name as usize) {
            operation.latency.observe(latency);
            if refusal.is_none() {
                operation.succeeded.fetch_add(1, Ordering::Relaxed);
            }
        }
        if let Some(refusal) = refusal {
            let mut errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
            *errors.entry((name.as_str(), refusal.reason())).or_default() += 1;
        }
    }
}
