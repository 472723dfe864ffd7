//! The thread that commits.
//!
//! It takes everything that is queued, never waits for more, and commits that as one group. After a
//! failed commit it answers every request with that failure and writes nothing more.

use super::group::{Group, Speculation};
use super::recent::RecentWrites;
use super::{Evaluation, Pending, WriteRequest, evaluate};
use crate::catalog::Catalog;
use crate::item_cache::ItemCache;
use crate::statistics::GroupCounts;
use crate::store::{Batch, Durability, SEQUENCE_KEY, Snapshot, Space, Store, StoreFault};
use arc_swap::ArcSwap;
use bytes::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

/// Most requests of one group.
const MOST_REQUESTS: usize = 1024;
/// A group takes no further requests once it writes this much, in bytes.
const MOST_BYTES: usize = 8 * 1024 * 1024;

/// What readers see of the committer's work.
pub(crate) struct Published {
    pub(crate) store: Store,
    pub(crate) catalog: ArcSwap<Catalog>,
    /// The last group that is committed.
    group: AtomicU64,
    pub(crate) groups: GroupCounts,
    /// None if the store itself is in memory.
    items: Option<ItemCache>,
}

impl Published {
    pub(crate) fn new(
        store: Store,
        catalog: Catalog,
        group: u64,
        items: Option<ItemCache>,
    ) -> Self {
        Self {
            store,
            items,
            catalog: ArcSwap::from_pointee(catalog),
            group: AtomicU64::new(group),
            groups: GroupCounts::default(),
        }
    }

    /// The last committed group.
    pub(crate) fn group(&self) -> u64 {
        self.group.load(Ordering::Acquire)
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        self.store.snapshot()
    }

    /// The item of this key in the present state.
    pub(crate) fn read_item(&self, key: &[u8]) -> Result<Option<Bytes>, StoreFault> {
        // The number first: the snapshot then holds that group or more.
        self.read_item_since(self.group(), key, || self.snapshot())
    }

    /// The item of this key as of `group`, which is published, or as of a later one.
    fn read_item_since(
        &self,
        group: u64,
        key: &[u8],
        snapshot: impl FnOnce() -> Snapshot,
    ) -> Result<Option<Bytes>, StoreFault> {
        let Some(items) = &self.items else {
            return snapshot().get(Space::Items, key);
        };
        if let Some(item) = items.get(key, group) {
            return Ok(Some(item));
        }
        // A plain get of the store can see half a commit; a snapshot cannot.
        let item = snapshot().get(Space::Items, key)?;
        if let Some(item) = &item {
            items.remember(key, group, item);
        }
        Ok(item)
    }

    /// Tells the cache, before the commit, what is about to change.
    fn note_writes(&self, batch: &Batch, group: u64) {
        let Some(items) = &self.items else { return };
        for change in batch.changes(Space::Items) {
            items.note_write(&change.key, group, change.value.as_ref());
        }
    }
}

/// One request in the queue.
trait Task: Send {
    /// Does its part of the group.
    fn apply(&mut self, group: &mut Group<'_>);
    /// Answers, once it is known what became of the group.
    fn finish(self: Box<Self>, group: Result<(), StoreFault>);
}

/// A task made of a function. The function's own failure is its answer.
struct Work<F, T> {
    work: Option<F>,
    result: Option<Result<T, StoreFault>>,
    answer: oneshot::Sender<Result<T, StoreFault>>,
}

impl<F, T> Task for Work<F, T>
where
    F: FnOnce(&mut Group<'_>) -> Result<T, StoreFault> + Send,
    T: Send,
{
    fn apply(&mut self, group: &mut Group<'_>) {
        self.result = self.work.take().map(|work| work(group));
    }

    fn finish(self: Box<Self>, group: Result<(), StoreFault>) {
        let result = self.result.unwrap_or(Err(StoreFault::Closed));
        // The caller may have gone away; what was done stays done.
        let _ = self.answer.send(group.and(result));
    }
}

enum Message {
    Task(Box<dyn Task>),
    Close,
}

/// The handle on the committer thread.
pub(crate) struct Committer {
    published: Arc<Published>,
    queue: Sender<Message>,
}

impl Committer {
    pub(crate) fn start(
        published: Arc<Published>,
        durability: Durability,
    ) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (queue, requests) = channel();
        let thread = CommitThread {
            recent: RecentWrites::since(published.group()),
            published: Arc::clone(&published),
            durability,
            stopped: None,
        };
        let handle = thread::Builder::new()
            .name("monotable-commit".into())
            .spawn(move || thread.run(&requests))?;
        Ok((Self { published, queue }, handle))
    }

    /// Queues work on the group.
    pub(crate) fn submit<T, F>(&self, work: F) -> Pending<T>
    where
        F: FnOnce(&mut Group<'_>) -> Result<T, StoreFault> + Send + 'static,
        T: Send + 'static,
    {
        let (answer, pending) = oneshot::channel();
        let task = Work {
            work: Some(work),
            result: None,
            answer,
        };
        // If the thread is gone, the sender of the answer goes with the message: Closed.
        let _ = self.queue.send(Message::Task(Box::new(task)));
        Pending::new(pending)
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

    /// Ends the thread once everything queued before is done.
    pub(crate) fn close(&self) {
        let _ = self.queue.send(Message::Close);
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

struct CommitThread {
    published: Arc<Published>,
    recent: RecentWrites,
    durability: Durability,
    /// Why nothing is written any more.
    stopped: Option<String>,
}

impl CommitThread {
    fn run(mut self, requests: &Receiver<Message>) {
        while let Ok(Message::Task(first)) = requests.recv() {
            let mut open = true;
            let mut tasks = vec![first];
            let outcome = match &self.stopped {
                Some(cause) => Err(StoreFault::Stopped {
                    cause: cause.clone(),
                }),
                None => self.commit_group(&mut tasks, requests, &mut open),
            };
            if let Err(fault) = &outcome
                && self.stopped.is_none()
            {
                self.stopped = Some(fault.to_string());
            }
            for task in tasks {
                task.finish(outcome.clone());
            }
            if !open {
                break;
            }
        }
    }

    /// Applies the tasks and all that are queued behind them, and commits.
    fn commit_group(
        &mut self,
        tasks: &mut Vec<Box<dyn Task>>,
        requests: &Receiver<Message>,
        open: &mut bool,
    ) -> Result<(), StoreFault> {
        let number = self.published.group() + 1;
        let catalog = self.published.catalog.load_full();
        let mut group = Group::new(number, &self.published.store, &mut self.recent, catalog);
        if let [first] = tasks.as_mut_slice() {
            first.apply(&mut group);
        }
        while tasks.len() < MOST_REQUESTS && group.bytes() < MOST_BYTES {
            match requests.try_recv() {
                Ok(Message::Task(mut task)) => {
                    task.apply(&mut group);
                    tasks.push(task);
                }
                Ok(Message::Close) => {
                    *open = false;
                    break;
                }
                Err(_) => break,
            }
        }
        if let Some(fault) = group.take_fault() {
            return Err(fault);
        }
        let catalog = group.changed_catalog();
        let mut batch = group.into_batch();
        if batch.is_empty() {
            return Ok(());
        }
        let sequence = Bytes::copy_from_slice(&number.to_be_bytes());
        batch.push(
            Space::Meta,
            Bytes::from_static(SEQUENCE_KEY),
            Some(sequence),
        );
        self.published.note_writes(&batch, number);
        self.published.store.commit(batch, self.durability)?;
        if self.durability == Durability::Sync {
            self.published.store.note(number);
        }
        if let Some(catalog) = catalog {
            self.published.catalog.store(catalog);
        }
        self.published.group.store(number, Ordering::Release);
        self.published.groups.note(tasks.len());
        Ok(())
    }
}
