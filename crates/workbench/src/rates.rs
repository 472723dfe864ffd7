//! How much happened in each of the last seconds. The list of calls holds too few of them to tell: of a busy program, those of a
//! second or two.

use crate::activity::CallRecord;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The seconds that are kept.
pub(crate) const SECONDS: u64 = 60;
/// Places for them, and for the present one.
const PLACES: usize = 64;

/// What happened in a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Second {
    pub(crate) calls: f64,
    /// Those of the calls that were counted only: what they used is not known.
    pub(crate) passed: f64,
    pub(crate) read: f64,
    pub(crate) write: f64,
    pub(crate) slowest: Duration,
}

/// The seconds of calls that were followed, each at a place of its own until a later one takes it.
#[derive(Debug)]
pub(crate) struct Rates {
    seconds: Vec<(u64, Second)>,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            seconds: vec![(0, Second::default()); PLACES],
        }
    }
}

impl Rates {
    /// Notes a call that ended in a second.
    pub(crate) fn note(&mut self, second: u64, call: &CallRecord) {
        let Some((known, sum)) = self.seconds.get_mut(find_place(second)) else {
            return;
        };
        if *known != second {
            (*known, *sum) = (second, Second::default());
        }
        sum.calls += 1.0;
        sum.read += call.read;
        sum.write += call.write;
        sum.slowest = sum.slowest.max(call.took);
    }

    /// The last seconds until the present one, the oldest first.
    pub(crate) fn list(&self, now: u64, passed: &PassedCalls) -> Vec<Second> {
        let seconds = (now + 1).saturating_sub(SECONDS)..=now;
        let list = seconds.map(|second| {
            let found = self.seconds.get(find_place(second));
            let found = found.filter(|(known, _)| *known == second);
            let followed = found.map(|(_, sum)| *sum).unwrap_or_default();
            let passed = f64::from(passed.count(second));
            Second {
                calls: followed.calls + passed,
                passed,
                ..followed
            }
        });
        list.collect()
    }
}

/// The calls of the last seconds that were counted only. To count one is one addition, whoever else counts.
#[derive(Debug)]
pub(crate) struct PassedCalls {
    /// The second in the upper half, and the number of its calls in the lower.
    places: [AtomicU64; PLACES],
}

impl Default for PassedCalls {
    fn default() -> Self {
        Self {
            places: [const { AtomicU64::new(0) }; PLACES],
        }
    }
}

impl PassedCalls {
    // Two threads may both begin a second, and a few calls are lost then: nothing depends on the exact number.
    pub(crate) fn note(&self, second: u64) {
        let Some(place) = self.places.get(find_place(second)) else {
            return;
        };
        if place.load(Ordering::Relaxed) >> 32 == second {
            place.fetch_add(1, Ordering::Relaxed);
        } else {
            place.store(second << 32 | 1, Ordering::Relaxed);
        }
    }

    fn count(&self, second: u64) -> u32 {
        let place = self.places.get(find_place(second));
        let known = place.map_or(0, |place| place.load(Ordering::Relaxed));
        if known >> 32 == second {
            u32::try_from(known & u64::from(u32::MAX)).unwrap_or(u32::MAX)
        } else {
            0
        }
    }
}

fn find_place(second: u64) -> usize {
    usize::try_from(second).unwrap_or_default() % PLACES
}

/// The present second.
pub(crate) fn find_second() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |now| now.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activity::CallKind;

    #[test]
    fn every_call_of_a_minute_is_counted_and_older_ones_are_forgotten() {
        let (mut rates, passed) = (Rates::default(), PassedCalls::default());
        let call = CallRecord::new(None, CallKind::Read).with_time(Duration::from_millis(3));
        for second in 1000..1100 {
            for _ in 0..2000 {
                rates.note(second, &call);
            }
            for _ in 0..3000 {
                passed.note(second);
            }
        }
        let seconds = rates.list(1099, &passed);
        assert_eq!(seconds.len(), 60);
        assert!(seconds.iter().all(|second| second.calls == 5000.0));
        assert!(seconds.iter().all(|second| second.passed == 3000.0));
        assert_eq!(seconds[0].slowest, Duration::from_millis(3));
        let later = rates.list(1158, &passed);
        assert_eq!(later[0].calls, 5000.0);
        assert_eq!(later[1], Second::default());
    }
}
