//! The signals that end a server.
//!
//! They have a thread of their own: whatever else of the server hangs, opening its store, a thread in the background or
//! every worker of the runtime, a second signal ends the process.

use crate::exit::Failure;
use std::io;
use std::sync::mpsc;
use std::thread;
use tokio::runtime;
use tokio::sync::oneshot;

/// SIGINT and SIGTERM, caught from the moment this is made.
pub(crate) struct Signals {
    first: oneshot::Receiver<()>,
}

/// The exit code of a server that was told twice.
const QUIT: i32 = 130;

/// What the thread waits for.
struct Caught {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Caught {
    fn catch() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
impl Caught {
    const fn catch() -> io::Result<Self> {
        Ok(Self {})
    }

    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

impl Signals {
    pub(crate) fn listen() -> Result<Self, Failure> {
        Self::start().map_err(|error| Failure::other("cannot catch signals").caused_by(&error))
    }

    fn start() -> io::Result<Self> {
        let (sender, first) = oneshot::channel();
        let (ready, caught) = mpsc::sync_channel(1);
        thread::Builder::new()
            .name("monotable-signals".into())
            .spawn(move || wait(sender, &ready))?;
        let ended = |_| Err(io::Error::other("the thread for signals has ended"));
        caught.recv().unwrap_or_else(ended)?;
        Ok(Self { first })
    }

    /// Waits for the first signal.
    pub(crate) async fn stop(self) {
        if self.first.await.is_err() {
            // Without the thread there are no signals.
            std::future::pending::<()>().await;
        }
    }
}

/// Tells of the first signal. The second one ends the process at once: what was acknowledged is on disk, as after a crash.
fn wait(first: oneshot::Sender<()>, ready: &mpsc::SyncSender<io::Result<()>>) {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => return drop(ready.send(Err(error))),
    };
    runtime.block_on(async move {
        let mut signals = match Caught::catch() {
            Ok(signals) => signals,
            Err(error) => return drop(ready.send(Err(error))),
        };
        let _ = ready.send(Ok(()));
        signals.next().await;
        tracing::info!("stopping: requests in progress are answered first");
        let _ = first.send(());
        signals.next().await;
        std::process::exit(QUIT);
    });
}
