//! Requests, pauses and hashes that are handed out to a host, instead of being sent, slept and computed here.
//!
//! Operations await [`Errands`] as they await a service. What they wait for is posted; a [`Driver`](crate::Driver) gives it
//! to the host, and wakes them when the host reports what happened.

use crate::host::{Host, NoEntropy, Pause};
use crate::sending::Delivery;
use monotable_api::{BoxFuture, Dynamo, Error as ServiceError, Request, Response};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// Something that a host is to do.
#[derive(Debug)]
pub struct Errand {
    /// By which the host reports it.
    pub id: u64,
    /// How long to wait first.
    pub after: Duration,
    /// What to send then; nothing if the errand is a pause or a hash.
    pub request: Option<Request>,
    /// What to hash. A host need not: it then reports that it has paused.
    pub hash: Option<Hashing>,
}

/// A text to be hashed by bcrypt.
pub struct Hashing {
    /// The text, of 72 bytes at most.
    pub text: String,
    /// Version, cost and salt, as every hash begins that is made with them: `$2b$10$` and 22 characters.
    pub salt: String,
}

impl std::fmt::Debug for Hashing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hashing").finish_non_exhaustive()
    }
}

/// What came of an errand.
#[derive(Debug)]
pub struct Report {
    /// The errand's.
    pub id: u64,
    /// What happened.
    pub delivery: Delivery,
    /// The host has sent the request more than once by itself, and an earlier attempt may have been carried out.
    pub unsure: bool,
}

/// The errands of one operation.
pub(crate) struct Errands {
    /// Time and chance; pauses are errands.
    host: Arc<dyn Host>,
    board: Mutex<Board>,
}

#[derive(Default)]
struct Board {
    /// The id of the next errand.
    next: u64,
    /// What the host was not told yet.
    posted: Vec<Errand>,
    /// Errands that somebody waits for.
    awaited: BTreeMap<u64, Awaited>,
}

#[derive(Default)]
struct Awaited {
    waker: Option<Waker>,
    report: Option<Report>,
}

impl Errands {
    pub(crate) fn new(host: Arc<dyn Host>) -> Self {
        Self {
            host,
            board: Mutex::default(),
        }
    }

    /// Hands a request out. It is sent after `after`, and what happened to it is what the future gives.
    pub(crate) fn deliver(&self, after: Duration, request: Option<Request>) -> Awaiting<'_> {
        self.post(after, request, None)
    }

    /// Hands a text out to be hashed.
    pub(crate) fn hash(&self, hashing: Hashing) -> Awaiting<'_> {
        self.post(Duration::ZERO, None, Some(hashing))
    }

    fn post(
        &self,
        after: Duration,
        request: Option<Request>,
        hash: Option<Hashing>,
    ) -> Awaiting<'_> {
        let mut board = self.board();
        let id = board.next;
        board.next = id.saturating_add(1);
        board.posted.push(Errand {
            id,
            after,
            request,
            hash,
        });
        board.awaited.insert(id, Awaited::default());
        Awaiting { errands: self, id }
    }

    /// What the host is to do beside what it was told before.
    pub(crate) fn take_posted(&self) -> Vec<Errand> {
        std::mem::take(&mut self.board().posted)
    }

    /// Takes what the host reports. Reports that nobody waits for are passed over.
    pub(crate) fn report(&self, report: Report) {
        let mut board = self.board();
        let Some(awaited) = board.awaited.get_mut(&report.id) else {
            return;
        };
        awaited.report = Some(report);
        let waker = awaited.waker.take();
        drop(board);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for the report of an errand.
pub(crate) struct Awaiting<'e> {
    errands: &'e Errands,
    id: u64,
}

impl Future for Awaiting<'_> {
    type Output = Report;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Report> {
        let mut board = self.errands.board();
        let awaited = board.awaited.entry(self.id).or_default();
        match awaited.report.take() {
            Some(report) => Poll::Ready(report),
            None => {
                awaited.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Drop for Awaiting<'_> {
    fn drop(&mut self) {
        self.errands.board().awaited.remove(&self.id);
    }
}

impl Host for Errands {
    fn now_micros(&self) -> i64 {
        self.host.now_micros()
    }

    fn fill(&self, bytes: &mut [u8]) -> Result<(), NoEntropy> {
        self.host.fill(bytes)
    }

    fn make_name(&self) -> Result<u128, NoEntropy> {
        self.host.make_name()
    }

    fn sleep(&self, time: Duration) -> Pause<'_> {
        let pause = self.deliver(time, None);
        Box::pin(async move { drop(pause.await) })
    }
}

/// One attempt at a request, for what is not tried again.
impl Dynamo for Errands {
    fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, ServiceError>> {
        let sent = self.deliver(Duration::ZERO, Some(request));
        Box::pin(async move { sent.await.delivery.into_result() })
    }
}
