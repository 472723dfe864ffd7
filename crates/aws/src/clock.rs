//! The service's time: the machine's, corrected when the service says that it is wrong.
//!
//! A signature is good for a few minutes. A machine whose clock is off by more is refused for ever,
//! unless it takes the time from the refusal, which carries the service's in its header `Date`.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

/// AWS accepts five minutes; what is off by less was refused for another reason.
const TOLERATED: Duration = Duration::from_secs(4 * 60);

/// The time to sign with.
#[derive(Debug, Default)]
pub(crate) struct Clock {
    /// Milliseconds by which the service is ahead of the machine. A single value that nothing else
    /// depends on, so relaxed loads and stores are enough.
    ahead: AtomicI64,
}

impl Clock {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.at(SystemTime::now())
    }

    fn at(&self, machine: SystemTime) -> SystemTime {
        let ahead = self.ahead.load(Ordering::Relaxed);
        let distance = Duration::from_millis(ahead.unsigned_abs());
        let corrected = if ahead < 0 {
            machine.checked_sub(distance)
        } else {
            machine.checked_add(distance)
        };
        corrected.unwrap_or(machine)
    }

    /// Takes over the service's time if ours is wrong. Whether it was.
    pub(crate) fn correct(&self, service: SystemTime) -> bool {
        self.correct_at(SystemTime::now(), service)
    }

    fn correct_at(&self, machine: SystemTime, service: SystemTime) -> bool {
        let wrong = distance(self.at(machine), service) > TOLERATED;
        if wrong {
            let milliseconds = distance(machine, service).as_millis();
            let milliseconds = i64::try_from(milliseconds).unwrap_or(i64::MAX);
            let ahead = if service < machine {
                -milliseconds
            } else {
                milliseconds
            };
            self.ahead.store(ahead, Ordering::Relaxed);
        }
        wrong
    }
}

fn distance(one: SystemTime, other: SystemTime) -> Duration {
    one.duration_since(other)
        .unwrap_or_else(|reversed| reversed.duration())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn small_differences_are_left_alone() {
        let clock = Clock::new();
        assert!(!clock.correct_at(at(10_000), at(10_240)));
        assert_eq!(clock.at(at(20_000)), at(20_000));
    }

    #[test]
    fn large_ones_are_corrected_both_ways_and_only_once() {
        let clock = Clock::new();
        assert!(clock.correct_at(at(10_000), at(13_600)));
        assert_eq!(clock.at(at(20_000)), at(23_600));
        assert!(!clock.correct_at(at(10_001), at(13_601)));
        assert!(clock.correct_at(at(10_000), at(6_400)));
        assert_eq!(clock.at(at(20_000)), at(16_400));
    }
}
