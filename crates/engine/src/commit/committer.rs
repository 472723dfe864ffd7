//! What commits: a thread of its own, or, in an engine without threads, whoever asks.
//!
//! It waits until the store has room, takes everything that is queued, never waits for more, and commits
//! that as one group. After a failed commit it answers every request with that failure and writes nothing
//! more. While it works, `watch.rs` keeps the requests, so that they get an answer even if it does not end.

use super::group::{Group, Speculation};
use super::recent::RecentWrites;
use super::task::{Message, Queue, Task, Work};
use super::watch::{CommitWatch, Watchman};
use super::{Evaluation, Pending, Published, StallBounds, WriteRequest, evaluate};
use crate::catalog::Catalog;
use crate::clock::Clock;
use crate::options::{StallInjector, Threads};
use crate::store::{Batch, CommitStage, Durability, SEQUENCE_KEY, Snapshot, Space, StoreFault};
use bytes::Bytes;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Most requests of one group.
const MOST_REQUESTS: usize = 1024;
/// A group takes no further requests once it writes this much, in bytes.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// How the committer works.
pub(crate) struct CommitOptions {
    pub(crate) durability: Durability,
    pub(crate) stalls: StallBounds,
    pub(crate) injector: Option<StallInjector>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) threads: Threads,
}

/// The handle on the committer.
pub(crate) struct Committer {
    published: Arc<Published>,
    queue: Sender<Message>,
    /// What commits, if no thread does: whoever queues something.
    own: Option<Mutex<CommitLoop>>,
}

impl Committer {
    pub(crate) fn start(
        published: Arc<Published>,
        options: CommitOptions,
    ) -> std::io::Result<(Self, Option<JoinHandle<()>>)> {
        let (queue, requests) = channel();
        let queued = Queue::new(requests);
        let clock = Arc::clone(&options.clock);
        let watch = CommitWatch::new(Arc::clone(&published), queued, options.stalls, clock);
        let watch = Arc::new(watch);
        let threads = options.threads;
        let watchman = match threads {
            Threads::Own => Some(Watchman::start(Arc::clone(&watch))?),
            // What commits is what would be watched.
            Threads::None => None,
        };
        let commits = CommitLoop {
            recent: RecentWrites::since(published.group()),
            published: Arc::clone(&published),
            _watchman: watchman,
            watch,
            options,
        };
        let (own, handle) = match threads {
            Threads::None => (Some(Mutex::new(commits)), None),
            Threads::Own => {
                let thread = thread::Builder::new().name("monotable-commit".into());
                (None, Some(thread.spawn(move || commits.run())?))
            }
        };
        let committer = Self {
            published,
            queue,
            own,
        };
        Ok((committer, handle))
    }

    /// Queues work on the group.
    pub(crate) fn submit<T, F>(&self, work: F) -> Pending<T>
    where
        F: FnOnce(&mut Group<'_>) -> Result<T, StoreFault> + Send + 'static,
        T: Send + 'static,
    {
        let (answer, pending) = oneshot::channel();
        let task = Work::new(work, answer);
        // If the thread is gone, the sender of the answer goes with the message: Closed.
        let _ = self.queue.send(Message::Task(Box::new(task)));
        self.commit_queued();
        Pending::new(pending)
    }

    /// Commits what is queued, if no thread does.
    fn commit_queued(&self) {
        if let Some(own) = &self.own {
            own.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .run_queued();
        }
    }

    /// Evaluates a request on a snapshot and queues it.
    pub(crate) fn write(&self, request: WriteRequest) -> Result<Pending<Evaluation>, StoreFault> {
        // The number first: the snapshot then holds that group or more.
        let group = self.published.group();
        let catalog = self.published.catalog.load();
        let rows = PresentRows::new(&self.published, group);
        let speculation = Speculation {
            group,
            catalog: catalog.version,
            evaluation: evaluate(&request, &catalog, &rows)?,
        };
        Ok(self.submit(move |group| group.execute(&request, speculation)))
    }

    /// Takes nothing more once everything queued before is done.
    pub(crate) fn close(&self) {
        let _ = self.queue.send(Message::Close);
        self.commit_queued();
    }
}

/// Rows as of a published group or a later one. Takes its snapshot when the first row is read that the cache
/// does not know: a blind write needs none.
struct PresentRows<'a> {
    published: &'a Published,
    group: u64,
    snapshot: std::cell::OnceCell<Snapshot>,
}

impl<'a> PresentRows<'a> {
    const fn new(published: &'a Published, group: u64) -> Self {
        Self {
            published,
            group,
            snapshot: std::cell::OnceCell::new(),
        }
    }

    fn snapshot(&self) -> &Snapshot {
        self.snapshot.get_or_init(|| self.published.snapshot())
    }
}

impl super::evaluate::ReadRows for PresentRows<'_> {
    fn read(&self, space: Space, key: &[u8]) -> Result<Option<Bytes>, StoreFault> {
        match space {
            Space::Items => {
                let snapshot = || self.snapshot().clone();
                self.published.read_item_since(self.group, key, snapshot)
            }
            Space::Meta | Space::Indexes => self.snapshot().get(space, key),
        }
    }
}

/// The work of committing, from group to group.
struct CommitLoop {
    published: Arc<Published>,
    recent: RecentWrites,
    options: CommitOptions,
    watch: Arc<CommitWatch>,
    _watchman: Option<Watchman>,
}

impl CommitLoop {
    /// Commits until the queue is closed.
    fn run(mut self) {
        while let Some(first) = self.watch.queue.wait() {
            self.commit_from(first);
        }
    }

    /// Commits until the queue is empty.
    fn run_queued(&mut self) {
        while let Some(first) = self.watch.queue.take() {
            self.commit_from(first);
        }
        self.watch.queue.drop_rest();
    }

    /// Commits a task with all that are queued behind it, and answers them.
    fn commit_from(&mut self, first: Box<dyn Task>) {
        if let Some(fault) = self.published.stopped() {
            first.finish(Err(fault.clone()));
            return;
        }
        self.watch.begin(first);
        let outcome = self.commit_group();
        if let Err(fault) = &outcome {
            self.published.stop(fault);
        }
        for task in self.watch.end() {
            task.finish(outcome.clone());
        }
    }

    /// Commits the task that has begun and all that are queued behind it.
    fn commit_group(&mut self) -> Result<(), StoreFault> {
        self.hold_up(CommitStage::Waiting);
        self.published.store.wait_for_room()?;
        // Tasks that waited too long have got their answer, and nothing of them is written.
        let Some(mut tasks) = self.watch.take() else {
            return Ok(());
        };
        let number = self.published.group() + 1;
        let filled = self.fill_group(number, &mut tasks);
        let requests = tasks.len();
        self.watch.enter(tasks);
        let (batch, catalog) = filled?;
        if batch.is_empty() {
            return Ok(());
        }
        self.published.note_writes(&batch, number);
        self.hold_up(CommitStage::Writing);
        let durability = self.options.durability;
        self.published.store.commit(batch, durability)?;
        if durability == Durability::Sync {
            self.published.store.note(number);
        }
        if let Some(catalog) = catalog {
            self.published.catalog.store(catalog);
        }
        self.published.publish(number);
        self.published.groups.note(requests);
        Ok(())
    }

    /// Applies the tasks and all that are queued behind them: what they write, and the tables if they
    /// change them.
    fn fill_group(
        &mut self,
        number: u64,
        tasks: &mut Vec<Box<dyn Task>>,
    ) -> Result<(Batch, Option<Arc<Catalog>>), StoreFault> {
        let catalog = self.published.catalog.load_full();
        let store = &self.published.store;
        let clock = self.options.clock.as_ref();
        let mut group = Group::new(number, store, clock, &mut self.recent, catalog);
        for task in tasks.iter_mut() {
            task.apply(&mut group);
        }
        while tasks.len() < MOST_REQUESTS && group.bytes() < MOST_BYTES {
            let Some(mut task) = self.watch.queue.take() else {
                break;
            };
            task.apply(&mut group);
            tasks.push(task);
        }
        if let Some(fault) = group.take_fault() {
            return Err(fault);
        }
        let catalog = group.changed_catalog();
        let mut batch = group.into_batch();
        if !batch.is_empty() {
            let sequence = Bytes::copy_from_slice(&number.to_be_bytes());
            let key = Bytes::from_static(SEQUENCE_KEY);
            batch.push(Space::Meta, key, Some(sequence));
        }
        Ok((batch, catalog))
    }

    /// Lets a test take the store's time.
    fn hold_up(&self, stage: CommitStage) {
        if let Some(injected) = &self.options.injector {
            injected(stage);
        }
    }
}
