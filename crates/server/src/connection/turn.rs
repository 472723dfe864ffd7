//! Requests that a client sends without waiting for answers take turns with those of others.
//!
//! A connection that always has another request at hand would be polled on and on: hyper answers several requests in one poll, and
//! the runtime looks for bytes of other connections only after dozens of polls. A few such connections would keep everybody else
//! waiting, so each poll of a connection begins one request at most, and the runtime looks more often.

use std::sync::atomic::{AtomicBool, Ordering};

/// After so many polls a runtime that serves should look for bytes of other connections (`event_interval` of tokio's builder, which
/// is 61 by default). A connection that always has another request at hand is served at most this often before somebody else is.
pub const EVENT_INTERVAL: u32 = 8;

/// Whether a connection has begun a request in the poll that is going on.
#[derive(Debug, Default)]
pub(super) struct Turn(AtomicBool);

impl Turn {
    /// A poll of the connection begins.
    pub(super) fn begin(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Waits for the next poll if this one has had its request. The runtime looks at all other connections before.
    pub(super) async fn take(&self) {
        if self.0.load(Ordering::Relaxed) {
            tokio::task::yield_now().await;
        }
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::pin;
    use std::task::{Context, Waker};

    #[test]
    fn the_second_request_of_a_poll_waits_for_the_next_one() {
        let turn = Turn::default();
        let mut requests = pin!(async {
            turn.take().await;
            turn.take().await;
        });
        let mut context = Context::from_waker(Waker::noop());
        turn.begin();
        assert!(requests.as_mut().poll(&mut context).is_pending());
        turn.begin();
        assert!(requests.as_mut().poll(&mut context).is_ready());
    }
}
