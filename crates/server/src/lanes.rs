//! The threads that serve connections, each with a runtime of its own.
//!
//! A connection stays on the thread that it was given to. Where threads share their connections, each request that one thread finds
//! wakes another one to take a part of the work, and for requests of some microseconds the waking costs more than the work: the
//! processor is idle meanwhile. A thread that finds several requests at once answers them one after the other instead, and
//! sleeps only when none is left.
//!
//! What may take long is done on threads beside these: scans and operations of models (`aside.rs`), and unpacking a large body (`coding.rs`).

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use crate::connection::EVENT_INTERVAL;

/// All lanes of a server.
pub(crate) struct Lanes(Vec<Lane>);

struct Lane {
    runtime: Handle,
    open: Arc<AtomicUsize>,
    /// The thread ends when this is dropped.
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Counts a connection for as long as it is open.
struct Open(Arc<AtomicUsize>);

impl Lanes {
    /// One lane for each core of the machine.
    pub(crate) fn start() -> io::Result<Self> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        (0..cores)
            .map(Lane::start)
            .collect::<io::Result<_>>()
            .map(Self)
    }

    /// Serves a connection on the lane that has the fewest.
    pub(crate) fn serve<F, Served>(
        &self,
        served: &mut JoinSet<()>,
        stream: TcpStream,
        serve: F,
    ) -> io::Result<()>
    where
        F: FnOnce(TcpStream) -> Served + Send + 'static,
        Served: Future<Output = ()> + Send + 'static,
    {
        let lane = self
            .0
            .iter()
            .min_by_key(|lane| lane.open.load(Ordering::Relaxed));
        let Some(lane) = lane else {
            return Err(io::Error::other("no thread serves connections"));
        };
        let stream = stream.into_std()?;
        let open = Open::new(&lane.open);
        served.spawn_on(
            async move {
                let _open = open;
                match TcpStream::from_std(stream) {
                    Ok(stream) => serve(stream).await,
                    Err(error) => tracing::warn!(%error, "cannot serve a connection"),
                }
            },
            &lane.runtime,
        );
        Ok(())
    }
}

impl Lane {
    fn start(number: usize) -> io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .event_interval(EVENT_INTERVAL)
            .enable_all()
            .build()?;
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel::<()>();
        let thread = thread::Builder::new().name(format!("connections-{number}"));
        let thread = thread.spawn(move || {
            // The sender is only ever dropped.
            drop(runtime.block_on(ended));
            runtime.shutdown_background();
        })?;
        Ok(Self {
            runtime: handle,
            open: Arc::default(),
            end: Some(end),
            thread: Some(thread),
        })
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // It has panicked: then there is nothing to wait for.
            drop(thread.join());
        }
    }
}

impl Open {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
