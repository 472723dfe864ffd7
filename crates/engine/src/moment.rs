//! How long things take, by a clock that nobody sets.

use crate::clock::Clock;
use std::ops::Add;
use std::time::Duration;

/// A moment of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(Duration);

impl Moment {
    /// This moment. The engine's own clock is not asked: tests stop it, and administrators set it back.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn now(_: &dyn Clock) -> Self {
        static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        Self(START.get_or_init(std::time::Instant::now).elapsed())
    }

    /// This moment by the engine's clock: WebAssembly has no other one.
    #[cfg(target_family = "wasm")]
    pub(crate) fn now(clock: &dyn Clock) -> Self {
        Self(clock.now())
    }

    /// The time from an earlier moment to this one.
    pub(crate) const fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The time that has passed since.
    pub(crate) fn elapsed(self, clock: &dyn Clock) -> Duration {
        Self::now(clock).since(self)
    }
}

impl Add<Duration> for Moment {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }
}
