//! Runs a command's work until it is done or the user presses Ctrl-C.
//!
//! The work runs on a thread of its own, so that Ctrl-C is seen also while the work waits for stdin or for
//! the reader of its output. On Ctrl-C it is dropped at its next await, which closes an embedded store;
//! writes that were queued there are still finished. A second Ctrl-C does not wait for that.

use crate::exit::Failure;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// How long interrupted work may take to let go of its store.
const PATIENCE: Duration = Duration::from_secs(5);

/// A runtime with as many workers as the machine has cores.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .event_interval(monotable_server::EVENT_INTERVAL)
        .enable_all()
        .build();
    runtime.map_err(|error| Failure::other("cannot start threads").caused_by(&error))
}

/// Does the work, unless it is interrupted.
pub(crate) fn interruptible(
    work: impl Future<Output = Result<(), Failure>> + Send + 'static,
) -> Result<(), Failure> {
    let runtime = runtime()?;
    let handle = runtime.handle().clone();
    let (stop, stopped) = oneshot::channel();
    let outcome = runtime.block_on(async {
        let mut thread = tokio::task::spawn_blocking(move || handle.block_on(until(stopped, work)));
        tokio::select! {
            outcome = &mut thread => outcome.unwrap_or_else(|panic| Err(Failure::bug(panic))),
            _ = tokio::signal::ctrl_c() => {
                leave(stop, thread).await;
                Err(Failure::interrupted())
            }
        }
    });
    // A thread may still wait for stdin; nobody waits for it.
    runtime.shutdown_background();
    outcome
}

async fn until(
    stopped: oneshot::Receiver<()>,
    work: impl Future<Output = Result<(), Failure>>,
) -> Result<(), Failure> {
    tokio::select! {
        biased;
        Ok(()) = stopped => Err(Failure::interrupted()),
        outcome = work => outcome,
    }
}

async fn leave(stop: oneshot::Sender<()>, thread: JoinHandle<Result<(), Failure>>) {
    // Nobody listens when the work has just ended by itself.
    let _ = stop.send(());
    tokio::select! {
        _ = thread => {}
        _ = tokio::signal::ctrl_c() => {}
        () = tokio::time::sleep(PATIENCE) => {}
    }
}
