//! Time and randomness come in from outside, so that a seed replays a run.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where the engine takes the time from.
pub trait Clock: Send + Sync + 'static {
    /// Time since 1970-01-01 UTC.
    fn now(&self) -> Duration;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    }
}

/// A clock that stands still until it is moved: for tests and replays.
#[derive(Debug, Default)]
pub struct ManualClock {
    milliseconds: AtomicU64,
}

impl ManualClock {
    /// A clock that shows this time.
    pub fn at(since_epoch: Duration) -> Self {
        Self {
            milliseconds: AtomicU64::new(since_epoch.as_millis() as u64),
        }
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        self.milliseconds
            .fetch_add(by.as_millis() as u64, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.milliseconds.load(Ordering::SeqCst))
    }
}

/// Where the engine takes randomness from: table ids, nothing secret.
pub trait Entropy: Send + Sync + 'static {
    /// 128 bits that were not there before.
    fn next(&self) -> u128;
}

/// Randomness of the machine: the seeds of the standard library's hash maps come from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn next(&self) -> u128 {
        use std::hash::{BuildHasher, RandomState};
        let half = || u128::from(RandomState::new().hash_one(SystemTime::now()));
        half() << 64 | half()
    }
}

/// Numbers that follow from a seed: for tests and replays.
#[derive(Debug)]
pub struct SeededEntropy {
    state: AtomicU64,
}

impl SeededEntropy {
    /// The numbers of this seed.
    pub const fn new(seed: u64) -> Self {
        Self {
            state: AtomicU64::new(seed),
        }
    }

    /// SplitMix64.
    fn half(&self) -> u128 {
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let state = self
            .state
            .fetch_add(STEP, Ordering::SeqCst)
            .wrapping_add(STEP);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        u128::from(mixed ^ (mixed >> 31))
    }
}

impl Entropy for SeededEntropy {
    fn next(&self) -> u128 {
        self.half() << 64 | self.half()
    }
}
