//! Time that never stands still or goes back.

use crate::host::Host;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Microseconds since 1970, each reading later than the one before: ids made of it sort by when they were made.
pub(crate) struct Clock {
    now: Box<dyn Fn() -> i64 + Send + Sync>,
    last: AtomicI64,
}

impl Clock {
    /// The host's clock.
    pub(crate) fn new(host: Arc<dyn Host>) -> Self {
        Self::from_function(move || host.now_micros())
    }

    pub(crate) fn from_function(now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self {
            now: Box::new(now),
            last: AtomicI64::new(i64::MIN),
        }
    }

    pub(crate) fn now(&self) -> i64 {
        let now = (self.now)();
        let later = |last: i64| Some(now.max(last.saturating_add(1)));
        let last = self
            .last
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, later);
        now.max(last.unwrap_or(now).saturating_add(1))
    }
}
