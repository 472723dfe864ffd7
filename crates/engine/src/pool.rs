//! Threads for long reads, so that they do not hold async workers.

use crate::store::StoreFault;
use crate::wording;
use monotable_api::Error;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Reads at one time. They are bound by the processor and the disk, not by waiting.
const THREADS: usize = 4;

type Job = Box<dyn FnOnce() + Send>;

pub(crate) struct ReadPool {
    jobs: Sender<Job>,
}

impl ReadPool {
    /// The threads end when the pool is dropped.
    pub(crate) fn start() -> std::io::Result<(Self, Vec<JoinHandle<()>>)> {
        let (jobs, queue) = channel();
        // Whoever waits for a job holds the lock; it is free while jobs run.
        let queue = Arc::new(Mutex::new(queue));
        let threads = (0..THREADS).map(|_| {
            let queue = Arc::clone(&queue);
            thread::Builder::new()
                .name("monotable-read".into())
                .spawn(move || run(&queue))
        });
        Ok((Self { jobs }, threads.collect::<Result<_, _>>()?))
    }

    /// Runs a read on one of the threads.
    pub(crate) async fn run<O: Send + 'static>(
        &self,
        read: Box<dyn FnOnce() -> Result<O, Error> + Send>,
    ) -> Result<O, Error> {
        let (answer, pending) = oneshot::channel();
        let job = Box::new(move || drop(answer.send(read())));
        // A closed pool drops the job, and the answer with it.
        let _ = self.jobs.send(job);
        pending
            .await
            .unwrap_or_else(|_| Err(wording::internal(&StoreFault::Closed)))
    }
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
