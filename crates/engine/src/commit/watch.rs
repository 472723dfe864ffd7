//! Watches over commits that take too long.
//!
//! The committer hands its requests over to the watch before it waits or writes, and takes them back
//! afterwards. A thread looks at them a few times a second. When a commit takes longer than a first bound, it
//! nudges the store and says so in the log and in the counts. When it takes longer than a second bound, the
//! thread answers the requests in the committer's place: those that only waited were not written; of the one
//! group that the store is writing nobody knows. As long as that lasts, requests that are queued behind get
//! the same answer. Nothing is stopped: once the store goes on, so does the committer, and a group
//! whose callers were sent away is published as any other.

use super::Published;
use super::task::{Queue, Task};
use crate::clock::Clock;
use crate::moment::Moment;
use crate::store::{CommitStage, StoreFault};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The longest time between two looks.
const LOOK: Duration = Duration::from_millis(250);

/// How long a commit may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StallBounds {
    /// Until it is nudged and reported.
    pub(crate) notice: Duration,
    /// Until its callers get an error.
    pub(crate) limit: Duration,
}

pub(super) struct CommitWatch {
    published: Arc<Published>,
    pub(super) queue: Queue,
    bounds: StallBounds,
    clock: Arc<dyn Clock>,
    flight: Mutex<Flight>,
}

/// The commit that is going on.
struct Flight {
    /// None between commits.
    stage: Option<CommitStage>,
    since: Moment,
    /// Whether it was reported.
    noticed: bool,
    /// Requests without an answer. None of them while the committer holds them itself.
    tasks: Vec<Box<dyn Task>>,
}

impl CommitWatch {
    pub(super) fn new(
        published: Arc<Published>,
        queue: Queue,
        bounds: StallBounds,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            published,
            queue,
            bounds,
            flight: Mutex::new(Flight {
                stage: None,
                since: Moment::now(&*clock),
                noticed: false,
                tasks: Vec::new(),
            }),
            clock,
        }
    }

    /// A commit begins, with this request.
    pub(super) fn begin(&self, first: Box<dyn Task>) {
        *self.lock() = Flight {
            stage: Some(CommitStage::Waiting),
            since: Moment::now(&*self.clock),
            noticed: false,
            tasks: vec![first],
        };
    }

    /// Gives the requests back to the committer; none if they have got their answer.
    pub(super) fn take(&self) -> Option<Vec<Box<dyn Task>>> {
        let tasks = std::mem::take(&mut self.lock().tasks);
        (!tasks.is_empty()).then_some(tasks)
    }

    /// The store begins to write these requests.
    pub(super) fn enter(&self, tasks: Vec<Box<dyn Task>>) {
        let mut flight = self.lock();
        flight.stage = Some(CommitStage::Writing);
        flight.tasks = tasks;
    }

    /// The commit is over; gives back the requests that have no answer yet.
    pub(super) fn end(&self) -> Vec<Box<dyn Task>> {
        let mut flight = self.lock();
        flight.stage = None;
        let waited = flight.since.elapsed(&*self.clock);
        self.published.commits.note_end(waited);
        self.published.commits.set_stuck(false);
        if flight.noticed {
            tracing::warn!(
                seconds = waited.as_secs_f64(),
                "a commit that was stuck has ended"
            );
        }
        std::mem::take(&mut flight.tasks)
    }

    /// Looks after the commit that is going on.
    fn look(&self) {
        let mut flight = self.lock();
        let Some(stage) = flight.stage else { return };
        let waited = flight.since.elapsed(&*self.clock);
        if waited < self.bounds.notice {
            return;
        }
        self.published.store.nudge();
        let fault = |stage| StoreFault::Stalled {
            stage,
            waited,
            crowding: self.published.store.last_crowding(),
        };
        if !flight.noticed {
            flight.noticed = true;
            self.published.commits.note_stall();
            tracing::warn!(fault = %fault(stage), "a commit is stuck, the store is nudged");
        }
        if waited < self.bounds.limit {
            return;
        }
        self.published.commits.set_stuck(true);
        // Counted before it is answered: whoever has the error finds it in the statistics.
        let mut refused = 0_u64;
        for task in std::mem::take(&mut flight.tasks) {
            self.published.commits.note_refused(1);
            task.finish(Err(fault(stage)));
            refused += 1;
        }
        // The committer does not wait for the queue while a commit is going on.
        while let Some(task) = self.queue.take() {
            self.published.commits.note_refused(1);
            task.finish(Err(fault(CommitStage::Waiting)));
            refused += 1;
        }
        if refused > 0 {
            tracing::error!(refused, fault = %fault(stage), "writes are refused");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Flight> {
        self.flight.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread that looks. It ends when this is dropped.
pub(super) struct Watchman {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchman {
    pub(super) fn start(watch: Arc<CommitWatch>) -> std::io::Result<Self> {
        let (end, ended) = channel();
        let pause =
            (watch.bounds.notice.min(watch.bounds.limit) / 4).clamp(Duration::from_millis(1), LOOK);
        let thread = thread::Builder::new()
            .name("monotable-watch".into())
            .spawn(move || {
                while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(pause) {
                    watch.look();
                }
            })?;
        Ok(Self {
            end: Some(end),
            thread: Some(thread),
        })
    }
}

impl Drop for Watchman {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A panic of the thread was reported where it happened.
            let _ = thread.join();
        }
    }
}
