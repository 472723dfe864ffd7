//! An operation that a host of another language carries out.
//!
//! A [`Driver`] runs an operation of a store up to the next thing that must happen outside: a request, or a pause. It gives
//! these out as errands. The host carries errands out in any order and reports what happened. What a report means, whether a
//! request is tried again and after which pause, is decided by the code that decides it natively (`sending.rs`), so
//! every host tries again in the same way.

use crate::errands::{Errand, Errands, Report};
use crate::store::Store;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// What a driver wants next.
#[derive(Debug)]
pub enum Reply<T> {
    /// These errands carried out, beside those that are under way. None: a report of one under way is awaited.
    Do(Vec<Errand>),
    /// Nothing more.
    Done(T),
}

/// What a store does, from errand to errand.
pub struct Driver<T> {
    operation: Pin<Box<dyn Future<Output = T> + Send>>,
    errands: Arc<Errands>,
}

impl<T> std::fmt::Debug for Driver<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Driver").finish_non_exhaustive()
    }
}

impl<T> Driver<T> {
    /// A driver of what `operate` does with a handle of the store whose requests and pauses are errands.
    pub fn new<F>(store: &Store, operate: impl FnOnce(Store) -> F) -> Self
    where
        F: Future<Output = T> + Send + 'static,
    {
        let (store, errands) = store.with_errands();
        Self {
            operation: Box::pin(operate(store)),
            errands,
        }
    }

    /// The first errands.
    pub fn start(&mut self) -> Reply<T> {
        let woken = Arc::new(Woken(AtomicBool::new(false)));
        let waker = Waker::from(Arc::clone(&woken));
        let mut context = Context::from_waker(&waker);
        loop {
            if let Poll::Ready(output) = self.operation.as_mut().poll(&mut context) {
                return Reply::Done(output);
            }
            // Many requests side by side are not all looked at in one go.
            if !woken.0.swap(false, Ordering::Relaxed) {
                return Reply::Do(self.errands.take_posted());
            }
        }
    }

    /// Goes on with reports, in any number and order. Those of errands that it does not know are passed over.
    pub fn step(&mut self, reports: Vec<Report>) -> Reply<T> {
        for report in reports {
            self.errands.report(report);
        }
        self.start()
    }
}

/// Whether an operation wants to be asked again at once.
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}
