//! Group commit on fjall directly, in the same shape as the engine's: writers queue their rows, one
//! thread commits what is queued as one batch and answers each of them.

use crate::failure::Failure;
use crate::raw_store::{RawStore, Row};
use fjall::PersistMode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// Most writes of one group, as in the engine.
const MOST: usize = 1024;

/// One write of `N` rows.
struct Write<const N: usize> {
    rows: [Row; N],
    answer: oneshot::Sender<Result<(), String>>,
}

/// The handle of one writer.
pub(crate) struct RawWriter<const N: usize>(Sender<Write<N>>);

impl<const N: usize> RawWriter<N> {
    pub(crate) fn write(&self, rows: [Row; N]) -> Result<(), Failure> {
        let (answer, pending) = oneshot::channel();
        self.0.send(Write { rows, answer })?;
        Ok(pending.recv()??)
    }
}

pub(crate) struct RawCommitter<const N: usize> {
    queue: Sender<Write<N>>,
    groups: Arc<AtomicU64>,
    thread: JoinHandle<()>,
}

impl<const N: usize> RawCommitter<N> {
    pub(crate) fn start(store: RawStore, mode: PersistMode) -> Result<Self, Failure> {
        let (queue, writes) = channel();
        let groups = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&groups);
        let thread = thread::Builder::new()
            .name("raw-commit".into())
            .spawn(move || run(&store, mode, &writes, &counter))?;
        Ok(Self {
            queue,
            groups,
            thread,
        })
    }

    pub(crate) fn writer(&self) -> RawWriter<N> {
        RawWriter(self.queue.clone())
    }

    /// How many groups were committed.
    pub(crate) fn groups(&self) -> u64 {
        self.groups.load(Ordering::Relaxed)
    }

    /// Waits for the end of the thread; all writers must be gone.
    pub(crate) fn close(self) -> Result<(), Failure> {
        drop(self.queue);
        let ended = self.thread.join();
        ended.map_err(|_| "the raw committer panicked".into())
    }
}

fn run<const N: usize>(
    store: &RawStore,
    mode: PersistMode,
    writes: &Receiver<Write<N>>,
    groups: &AtomicU64,
) {
    while let Ok(first) = writes.recv() {
        let mut rows = Vec::with_capacity(N * 32);
        let mut answers = Vec::with_capacity(32);
        rows.extend(first.rows);
        answers.push(first.answer);
        while answers.len() < MOST
            && let Ok(next) = writes.try_recv()
        {
            rows.extend(next.rows);
            answers.push(next.answer);
        }
        let outcome = store.commit(rows.into_iter(), mode);
        let outcome = outcome.map_err(|failure| failure.to_string());
        groups.fetch_add(1, Ordering::Relaxed);
        for answer in answers {
            // A writer that is gone needs no answer.
            let _ = answer.send(outcome.clone());
        }
    }
}
