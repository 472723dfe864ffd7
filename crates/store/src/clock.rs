//! Time that never stands still or goes back, and chance.

use crate::host::Host;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// Microseconds since 1970, each reading later than the one before: ids made of it sort by when they were made.
pub(crate) struct Clock {
    now: Box<dyn Fn() -> i64 + Send + Sync>,
    last: AtomicI64,
}

impl Clock {
    /// The host's clock.
    pub(crate) fn new(host: Arc<dyn Host>) -> Self {
        Self::from_function(move || host.now_micros())
    }

    pub(crate) fn from_function(now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Self {
            now: Box::new(now),
            last: AtomicI64::new(i64::MIN),
        }
    }

    pub(crate) fn now(&self) -> i64 {
        let now = (self.now)();
        let later = |last: i64| Some(now.max(last.saturating_add(1)));
        let last = self
            .last
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, later);
        now.max(last.unwrap_or(now).saturating_add(1))
    }
}

/// 128 bits that nobody can guess.
pub(crate) fn entropy() -> u128 {
    let mut bytes = [0; 16];
    match getrandom::fill(&mut bytes) {
        Ok(()) => u128::from_be_bytes(bytes),
        // A system without any source of chance: ids will still not repeat, but they can be guessed.
        Err(_) => u128::from(fastrand::u64(..)) << 64 | u128::from(fastrand::u64(..)),
    }
}

/// A key that nobody can guess.
pub(crate) fn fresh_key() -> [u8; 32] {
    let mut key = [0; 32];
    let halves = [entropy().to_be_bytes(), entropy().to_be_bytes()];
    for (byte, chance) in key.iter_mut().zip(halves.into_iter().flatten()) {
        *byte = chance;
    }
    key
}

/// A text as bits.
pub(crate) fn digest(text: &str) -> u128 {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter()
        .take(16)
        .fold(0, |bits, byte| (bits << 8) | u128::from(*byte))
}
