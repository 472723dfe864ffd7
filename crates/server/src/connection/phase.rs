//! What a connection is doing, and until when it may.

use crate::limits::Limits;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    /// The head of a request is on its way; a new connection begins here.
    Head,
    /// Its body is.
    Body,
    /// We are at work; the client has nothing to do.
    Work,
    /// The answer is on its way.
    Answer,
    /// There is no request.
    Idle,
}

impl Phase {
    /// The word for a client that was too slow in it.
    pub(crate) const fn late(self) -> &'static str {
        match self {
            Self::Head => "header_timeout",
            Self::Body => "body_timeout",
            Self::Work => "work_timeout",
            Self::Answer => "write_timeout",
            Self::Idle => "idle_timeout",
        }
    }

    const fn from_number(number: u8) -> Self {
        match number {
            0 => Self::Head,
            1 => Self::Body,
            2 => Self::Work,
            3 => Self::Answer,
            _ => Self::Idle,
        }
    }
}

/// The phase of one connection and when it last made progress.
///
/// Only the task of the connection uses it, from the socket below hyper and the service above; the
/// atomics only make that sharable. Times are milliseconds since `born`.
pub(crate) struct Watch {
    born: Instant,
    phase: AtomicU8,
    /// When the phase began.
    began: AtomicU64,
    /// When it last made progress.
    moved: AtomicU64,
    /// The bytes of the body so far.
    received: AtomicU64,
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self {
            born: Instant::now(),
            phase: AtomicU8::new(Phase::Head as u8),
            began: AtomicU64::new(0),
            moved: AtomicU64::new(0),
            received: AtomicU64::new(0),
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        Phase::from_number(self.phase.load(Ordering::Relaxed))
    }

    pub(crate) fn enter(&self, phase: Phase) {
        // Work has no deadline: it needs no time, and asking for it is not free.
        if phase != Phase::Work {
            let now = self.now();
            self.began.store(now, Ordering::Relaxed);
            self.moved.store(now, Ordering::Relaxed);
            self.received.store(0, Ordering::Relaxed);
        }
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// Bytes came in.
    pub(super) fn received(&self, bytes: usize) {
        match self.phase() {
            Phase::Idle => self.enter(Phase::Head),
            Phase::Body => {
                self.moved.store(self.now(), Ordering::Relaxed);
                self.received.fetch_add(bytes as u64, Ordering::Relaxed);
            }
            // The time for a head does not begin anew with each of its bytes.
            Phase::Head | Phase::Work | Phase::Answer => {}
        }
    }

    /// Bytes went out.
    pub(super) fn sent(&self) {
        if self.phase() == Phase::Answer {
            self.moved.store(self.now(), Ordering::Relaxed);
        }
    }

    /// Everything went out that there was.
    pub(super) fn flushed(&self) {
        if self.phase() == Phase::Answer {
            self.enter(Phase::Idle);
        }
    }

    /// When the client will have been too slow.
    pub(super) fn deadline(&self, limits: &Limits) -> Option<Instant> {
        let began = self.instant(&self.began);
        let moved = self.instant(&self.moved);
        match self.phase() {
            Phase::Head => Some(began + limits.header_timeout),
            Phase::Body => {
                let received = self.received.load(Ordering::Relaxed);
                let earned = received.saturating_mul(1000) / u64::from(limits.body_rate.max(1));
                let at_rate = began + limits.body_timeout + Duration::from_millis(earned);
                Some(at_rate.min(moved + limits.body_timeout))
            }
            Phase::Work => None,
            Phase::Answer => Some(moved + limits.write_timeout),
            Phase::Idle => Some(moved + limits.idle_timeout),
        }
    }

    fn now(&self) -> u64 {
        u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn instant(&self, since_born: &AtomicU64) -> Instant {
        self.born + Duration::from_millis(since_born.load(Ordering::Relaxed))
    }
}
