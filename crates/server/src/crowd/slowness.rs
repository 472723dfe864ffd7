//! Which clients hold memory and are too slow while others wait for it.

use super::{Entry, Members};
use crate::connection::{Order, Phase, Progress};
use std::time::Duration;
use tokio::time::Instant;

/// Over how long a client is judged. What a client has done before the others waited says nothing: the buffers of a socket
/// take megabytes at once from one who then does not read at all.
const PERIOD: Duration = Duration::from_secs(1);

/// How often clients are looked at, however many requests wait.
const LOOK: Duration = Duration::from_millis(100);

/// How far a client had come when others began to wait.
pub(super) struct Sample {
    progress: Progress,
    at: Instant,
}

impl Members {
    pub(super) fn reclaim(&mut self, phase: Phase, bytes: usize, rate: u32) -> usize {
        let now = Instant::now();
        if !self.is_time_to_look(phase, now) {
            return 0;
        }
        let mut slow: Vec<(u64, u64)> = Vec::new();
        for (id, entry) in &mut self.open {
            if entry.watch.phase() != phase {
                continue;
            }
            if let Some(seen) = entry.slow_rate(now, rate.into()) {
                slow.push((seen, *id));
            }
        }
        slow.sort_unstable();
        let mut freed = 0;
        let mut told = 0;
        for (_, id) in slow {
            if freed >= bytes as u64 {
                break;
            }
            if let Some(entry) = self.open.get(&id) {
                freed += entry.watch.progress().held;
                told += 1;
                entry.watch.mailbox.give(Order::GiveWay);
            }
        }
        told
    }

    fn is_time_to_look(&mut self, phase: Phase, now: Instant) -> bool {
        let [bodies, answers] = &mut self.looked;
        let looked = if phase == Phase::Body {
            bodies
        } else {
            answers
        };
        let is_time = looked.is_none_or(|looked| now >= looked + LOOK);
        if is_time {
            *looked = Some(now);
        }
        is_time
    }
}

impl Entry {
    /// Bytes a second that have passed since it was first looked at in this phase, if they are fewer than `rate`; none if
    /// that was just now or it holds nothing.
    fn slow_rate(&mut self, now: Instant, rate: u64) -> Option<u64> {
        let progress = self.watch.progress();
        if progress.held == 0 {
            self.sample = None;
            return None;
        }
        let sample = self.sample.as_ref();
        let known = sample.filter(|known| known.progress.began == progress.began);
        let Some(known) = known else {
            self.sample = Some(Sample { progress, at: now });
            return None;
        };
        let elapsed = now - known.at;
        if elapsed < PERIOD {
            return None;
        }
        let passed = progress.passed.saturating_sub(known.progress.passed);
        let milliseconds = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        let seen = passed.saturating_mul(1000) / milliseconds.max(1);
        if seen >= rate {
            // From now on the next period counts.
            self.sample = Some(Sample { progress, at: now });
            return None;
        }
        // One that is slow stays so until it has caught up: if it is not told now, it can be at the next look.
        Some(seen)
    }
}
