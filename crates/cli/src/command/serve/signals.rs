//! The signals that end a server.

use crate::exit::Failure;
use std::io;

/// SIGINT and SIGTERM, caught from the moment this is made.
pub(super) struct Signals {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

/// The exit code of a server that was told twice.
const QUIT: i32 = 130;

#[cfg(unix)]
impl Signals {
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
impl Signals {
    const fn catch() -> io::Result<Self> {
        Ok(Self {})
    }

    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}

impl Signals {
    pub(super) fn listen() -> Result<Self, Failure> {
        Self::catch().map_err(|error| Failure::other("cannot catch signals").caused_by(&error))
    }

    /// Waits for the first signal. The second one ends the process at once: what was acknowledged is
    /// on disk, as after a crash.
    pub(super) async fn stop_then_quit(mut self) {
        self.next().await;
        tracing::info!("stopping: requests in progress are answered first");
        tokio::spawn(async move {
            self.next().await;
            std::process::exit(QUIT);
        });
    }
}
