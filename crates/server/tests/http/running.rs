//! A server for one test.

use monotable_api::{BoxFuture, Dynamo, Error, Request, Response};
use monotable_engine::{Engine, EngineOptions, ManualClock, SeededEntropy};
use monotable_server::{FindRegion, KeyHolder, Limits, Server, ServerOptions};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::{Semaphore, oneshot};

/// A server that runs until dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) keys: KeyHolder,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(options: ServerOptions, dynamo: Arc<dyn Dynamo>) -> Self {
        Self::run(|runtime| runtime.block_on(options.port(0).bind(dynamo)).unwrap())
    }

    pub(crate) fn start_regions(options: ServerOptions, find: FindRegion) -> Self {
        Self::run(|runtime| {
            runtime
                .block_on(options.port(0).bind_regions(find))
                .unwrap()
        })
    }

    fn run(bind: impl FnOnce(&Runtime) -> Server) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .event_interval(monotable_server::EVENT_INTERVAL)
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let server = bind(&runtime);
        let address = server.address();
        let keys = server.key_holder();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            runtime.block_on(server.run(async {
                drop(stopped.await);
            }));
        });
        Self {
            address,
            keys,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    pub(crate) fn with(options: ServerOptions) -> Self {
        Self::start(options, engine())
    }

    pub(crate) fn limited(limits: Limits) -> Self {
        Self::with(ServerOptions::new().limits(limits))
    }

    /// Tells it to shut down and does not wait.
    pub(crate) fn begin_stop(&mut self) {
        self.stop.take();
    }

    /// Waits until it has shut down.
    pub(crate) fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.begin_stop();
        self.join();
    }
}

/// An engine whose answers are the same in every run.
pub(crate) fn engine() -> Arc<Engine> {
    let clock = ManualClock::at(Duration::from_millis(1_700_000_000_123));
    let options = EngineOptions::new()
        .clock(Arc::new(clock))
        .entropy(Arc::new(SeededEntropy::new(7)));
    Arc::new(options.in_memory().unwrap())
}

/// A `Dynamo` that waits before each call until it is let through.
pub(crate) struct Gate {
    engine: Arc<Engine>,
    pub(crate) entered: AtomicUsize,
    /// Calls that ended or were given up.
    pub(crate) left: AtomicUsize,
    permits: Semaphore,
}

impl Gate {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            engine: engine(),
            entered: AtomicUsize::new(0),
            left: AtomicUsize::new(0),
            permits: Semaphore::new(0),
        })
    }

    pub(crate) fn open(&self, calls: usize) {
        self.permits.add_permits(calls);
    }

    pub(crate) fn wait_for(&self, calls: usize) {
        eventually(|| self.entered.load(Ordering::SeqCst) >= calls);
    }
}

struct Leaving<'a>(&'a AtomicUsize);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Dynamo for Gate {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let _leaving = Leaving(&self.left);
            self.entered.fetch_add(1, Ordering::SeqCst);
            self.permits.acquire().await.unwrap().forget();
            self.engine.call(request).await
        })
    }
}

/// Waits until something holds, for as long as even a busy machine could need.
pub(crate) fn eventually(mut holds: impl FnMut() -> bool) {
    for _ in 0..3000 {
        if holds() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("waited in vain");
}
