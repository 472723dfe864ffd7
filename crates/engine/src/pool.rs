//! Threads for long reads, so that they do not hold async workers.

use crate::options::Threads;
use crate::store::StoreFault;
use crate::wording;
use monotable_api::Error;
use std::sync::mpsc::{Receiver, SendError, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

/// Reads at one time. They are bound by the processor and the disk, not by waiting.
const THREADS: usize = 4;

type Job = Box<dyn FnOnce() + Send>;

/// Starts its threads with the first long read; they end when the pool is dropped.
pub(crate) struct ReadPool {
    threads: Threads,
    jobs: OnceLock<Sender<Job>>,
}

impl ReadPool {
    pub(crate) const fn new(threads: Threads) -> Self {
        Self {
            threads,
            jobs: OnceLock::new(),
        }
    }

    /// Runs a read on one of the threads.
    pub(crate) async fn run<O: Send + 'static>(
        &self,
        read: Box<dyn FnOnce() -> Result<O, Error> + Send>,
    ) -> Result<O, Error> {
        if self.threads == Threads::None {
            return read();
        }
        let (answer, pending) = oneshot::channel();
        let job = Box::new(move || drop(answer.send(read())));
        // A machine that gives us no thread still gets its answer.
        if let Err(SendError(job)) = self.jobs.get_or_init(start).send(job) {
            job();
        }
        pending
            .await
            .unwrap_or_else(|_| Err(wording::internal(&StoreFault::Closed)))
    }
}

fn start() -> Sender<Job> {
    let (jobs, queue) = channel();
    // Whoever waits for a job holds the lock; it is free while jobs run.
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..THREADS {
        let queue = Arc::clone(&queue);
        let thread = thread::Builder::new().name("monotable-read".into());
        // Fewer threads read more slowly; none at all is noticed when a job is sent.
        let _ = thread.spawn(move || run(&queue));
    }
    jobs
}

fn run(queue: &Mutex<Receiver<Job>>) {
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}
