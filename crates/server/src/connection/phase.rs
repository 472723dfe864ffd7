//! What a connection is doing, and until when it may.

use super::order::Mailbox;
use crate::limits::Limits;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// What a connection is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    /// It is new, and nothing has come yet.
    New,
    /// The head of a request is on its way, or the handshake of TLS.
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
            Self::New | Self::Head => "header_timeout",
            Self::Body => "body_timeout",
            Self::Work => "work_timeout",
            Self::Answer => "write_timeout",
            Self::Idle => "idle_timeout",
        }
    }

    const fn from_number(number: u8) -> Self {
        match number {
            0 => Self::New,
            1 => Self::Head,
            2 => Self::Body,
            3 => Self::Work,
            4 => Self::Answer,
            _ => Self::Idle,
        }
    }
}

/// The phase of one connection, when it last made progress, and what it was told to do.
///
/// The task of the connection writes it, from the socket below hyper and the service above. Others only read it and
/// leave orders. Times are milliseconds since `born`.
pub(crate) struct Watch {
    born: Instant,
    phase: AtomicU8,
    /// When the phase began.
    began: AtomicU64,
    /// When it last made progress.
    moved: AtomicU64,
    /// The bytes of the body or of the answer so far.
    passed: AtomicU64,
    /// The memory that the client holds by being slow in this phase.
    held: AtomicU64,
    pub(crate) mailbox: Mailbox,
}

/// How far a phase of a connection has come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) phase: Phase,
    pub(crate) began: u64,
    pub(crate) moved: u64,
    pub(crate) passed: u64,
    pub(crate) held: u64,
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self {
            born: Instant::now(),
            phase: AtomicU8::new(Phase::New as u8),
            began: AtomicU64::new(0),
            moved: AtomicU64::new(0),
            passed: AtomicU64::new(0),
            held: AtomicU64::new(0),
            mailbox: Mailbox::default(),
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
            self.passed.store(0, Ordering::Relaxed);
        }
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    /// Says how much memory is held until the client has sent or taken what it has to.
    pub(crate) fn hold(&self, bytes: usize) {
        self.held.store(bytes as u64, Ordering::Relaxed);
    }

    pub(crate) fn progress(&self) -> Progress {
        Progress {
            phase: self.phase(),
            began: self.began.load(Ordering::Relaxed),
            moved: self.moved.load(Ordering::Relaxed),
            passed: self.passed.load(Ordering::Relaxed),
            held: self.held.load(Ordering::Relaxed),
        }
    }

    /// How long nothing has come or gone.
    pub(crate) fn silence(&self) -> Duration {
        let moved = self.moved.load(Ordering::Relaxed);
        Duration::from_millis(self.now().saturating_sub(moved))
    }

    /// Bytes came in.
    pub(super) fn received(&self, bytes: usize) {
        match self.phase() {
            Phase::New | Phase::Idle => self.enter(Phase::Head),
            Phase::Body => self.pass(bytes),
            // The time for a head does not begin anew with each of its bytes.
            Phase::Head | Phase::Work | Phase::Answer => {}
        }
    }

    /// Bytes went out.
    pub(super) fn sent(&self, bytes: usize) {
        if self.phase() == Phase::Answer {
            self.pass(bytes);
        }
    }

    fn pass(&self, bytes: usize) {
        self.moved.store(self.now(), Ordering::Relaxed);
        self.passed.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Everything went out that there was.
    pub(super) fn flushed(&self) {
        if self.phase() == Phase::Answer {
            self.hold(0);
            self.enter(Phase::Idle);
        }
    }

    /// When the client will have been too slow.
    pub(super) fn deadline(&self, limits: &Limits) -> Option<Instant> {
        let began = self.instant(&self.began);
        let moved = self.instant(&self.moved);
        match self.phase() {
            Phase::New | Phase::Head => Some(began + limits.header_timeout),
            Phase::Body => {
                let passed = self.passed.load(Ordering::Relaxed);
                let earned = passed.saturating_mul(1000) / u64::from(limits.body_rate.max(1));
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
