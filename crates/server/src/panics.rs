//! A panic ends one request and nothing else.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// The future panicked. The panic hook has told about it.
pub(crate) struct Panicked;

/// Runs the future to its end or its panic.
///
/// What it shares with other requests must stay usable after a panic at any point: the engine's own
/// state is behind its committer, ours is counters.
pub(crate) async fn catching<F: Future>(future: F) -> Result<F::Output, Panicked> {
    let mut future = pin!(future);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context)));
        match polled {
            Ok(Poll::Pending) => Poll::Pending,
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Err(_) => Poll::Ready(Err(Panicked)),
        }
    })
    .await
}
