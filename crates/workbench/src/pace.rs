//! How many calls are followed in a second.
//!
//! To follow a call takes a few microseconds: its texts are kept, and its requests ask for their capacity. A program that a person watches
//! sends some calls a second, and all of them are followed. A program that sends tens of thousands would be held up by it, and its
//! calls would be pushed out of the list before anybody has read them. So the calls above a number in each second are counted only.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// So many calls are followed in one second.
pub(crate) const MOST_FOLLOWED: u64 = 2_000;

/// Counts the calls of the present second, and those that were not followed.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    second: AtomicU64,
    followed: AtomicU64,
    passed: AtomicU64,
    passed_writes: AtomicU64,
}

impl Pace {
    /// Whether a call that begins now is followed.
    pub(crate) fn admits(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        self.admits_at(now.map_or(0, |now| now.as_secs()))
    }

    // Two threads may both begin a second, and a few calls more than wanted are followed then: nothing depends on the exact number.
    fn admits_at(&self, second: u64) -> bool {
        if self.second.swap(second, Ordering::Relaxed) != second {
            self.followed.store(0, Ordering::Relaxed);
        }
        self.followed.fetch_add(1, Ordering::Relaxed) < MOST_FOLLOWED
    }

    /// Counts a call that was not followed.
    pub(crate) fn pass(&self) {
        self.passed.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a call that was not followed and has written.
    pub(crate) fn pass_write(&self) {
        self.pass();
        self.passed_writes.fetch_add(1, Ordering::Relaxed);
    }

    /// How many calls were not followed.
    pub(crate) fn passed(&self) -> u64 {
        self.passed.load(Ordering::Relaxed)
    }

    /// How many of them have written.
    pub(crate) fn passed_writes(&self) -> u64 {
        self.passed_writes.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_second_has_a_number_of_calls_that_are_followed() {
        let pace = Pace::default();
        for second in [7, 8] {
            let admitted = (0..MOST_FOLLOWED + 10).filter(|_| pace.admits_at(second));
            assert_eq!(admitted.count() as u64, MOST_FOLLOWED, "second {second}");
        }
    }
}
