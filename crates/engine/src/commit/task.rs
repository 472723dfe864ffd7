//! Requests on their way through the committer.

use super::Group;
use crate::store::StoreFault;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One request in the queue.
pub(super) trait Task: Send {
    /// Does its part of the group.
    fn apply(&mut self, group: &mut Group<'_>);
    /// Answers, once it is known what became of the group.
    fn finish(self: Box<Self>, group: Result<(), StoreFault>);
}

/// A task made of a function. The function's own failure is its answer.
pub(super) struct Work<F, T> {
    work: Option<F>,
    result: Option<Result<T, StoreFault>>,
    answer: oneshot::Sender<Result<T, StoreFault>>,
}

impl<F, T> Work<F, T> {
    pub(super) const fn new(work: F, answer: oneshot::Sender<Result<T, StoreFault>>) -> Self {
        Self {
            work: Some(work),
            result: None,
            answer,
        }
    }
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

pub(super) enum Message {
    Task(Box<dyn Task>),
    Close,
}

/// The queue of the committer. While a commit is stuck, the watch takes from it as well, to refuse.
pub(super) struct Queue {
    messages: Mutex<Receiver<Message>>,
    /// Whether [`Message::Close`] was taken.
    closed: AtomicBool,
}

impl Queue {
    pub(super) const fn new(messages: Receiver<Message>) -> Self {
        Self {
            messages: Mutex::new(messages),
            closed: AtomicBool::new(false),
        }
    }

    /// Waits for a task; none once the queue is closed.
    pub(super) fn wait(&self) -> Option<Box<dyn Task>> {
        if self.closed.load(Ordering::Acquire) {
            return None;
        }
        let message = self.messages().recv();
        self.open(message.ok()?)
    }

    /// The next task, if there is one.
    pub(super) fn take(&self) -> Option<Box<dyn Task>> {
        if self.closed.load(Ordering::Acquire) {
            return None;
        }
        let message = self.messages().try_recv();
        self.open(message.ok()?)
    }

    /// Drops what was queued behind the close, so that its callers hear that the store is closed. The queue of a thread goes with
    /// the thread, and needs no such call.
    pub(super) fn drop_rest(&self) {
        if self.closed.load(Ordering::Acquire) {
            while self.messages().try_recv().is_ok() {}
        }
    }

    fn open(&self, message: Message) -> Option<Box<dyn Task>> {
        match message {
            Message::Task(task) => Some(task),
            Message::Close => {
                self.closed.store(true, Ordering::Release);
                None
            }
        }
    }

    fn messages(&self) -> MutexGuard<'_, Receiver<Message>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
