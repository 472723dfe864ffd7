//! When a commit may enter fjall, and how fast.
//!
//! fjall halts a write while its keyspace has 30 runs in level 0 or 4 sealed memtables: inside the write,
//! without an end, and in a thread that nobody can wake. Commits therefore wait here, before they have written
//! anything, at limits below fjall's. A commit adds one run at most, so that it does not meet fjall's.
//!
//! Waiting at a limit alone would stop all writers for as long as a whole merge of level 0 takes. Long
//! before that, commits are slowed down, the more the fuller level 0 is, to what the merges can take.

use super::Space;
use super::crowding::{Crowding, MOST_RUNS, MOST_SEALED};
use fjall::{AbstractTree, Keyspace};
use std::time::{Duration, Instant};

/// From so many runs on, commits are slowed down. Level 0 is merged from 4 on.
const PACED_RUNS: usize = 12;
/// How many bytes a second are taken when that begins, and the part of them that is left with each
/// further run: 0.1 MB with the last one. A merge may take minutes before commits must wait for its end.
const PACED_BYTES: f64 = 64e6;
const SLOWER: f64 = 0.6;
/// The longest that a commit is slowed down.
const LONGEST_DELAY: Duration = Duration::from_secs(1);

impl Crowding {
    pub(super) fn measure(space: Space, keyspace: &Keyspace) -> Self {
        Self {
            space,
            runs: keyspace.tree.l0_run_count(),
            sealed: keyspace.sealed_memtable_count(),
        }
    }

    pub(super) const fn has_too_many_memtables(&self) -> bool {
        self.sealed >= MOST_SEALED
    }

    /// Whether a commit must wait.
    pub(super) const fn is_full(&self) -> bool {
        self.has_too_many_memtables() || self.runs_to_come() >= MOST_RUNS
    }

    /// The fuller one of two.
    pub(super) const fn fuller(self, other: Self) -> Self {
        match (self.is_full(), other.is_full()) {
            (true, false) => self,
            (false, true) => other,
            _ if self.runs_to_come() >= other.runs_to_come() => self,
            _ => other,
        }
    }

    /// Runs in level 0 once everything sealed is flushed.
    pub(super) const fn runs_to_come(&self) -> usize {
        self.runs + self.sealed
    }
}

/// How fast commits may follow each other.
pub(super) struct Pace {
    /// When the last commit was let in.
    since: Instant,
    /// What it wrote.
    bytes: u64,
}

impl Pace {
    pub(super) fn new() -> Self {
        Self {
            since: Instant::now(),
            bytes: 0,
        }
    }

    /// Notes what a commit has written.
    pub(super) const fn note(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// Lets the next commit in; says how long it must wait with so many runs to come.
    pub(super) fn delay(&mut self, runs: usize) -> Duration {
        let due = duration(self.bytes, runs);
        let delay = due.saturating_sub(self.since.elapsed());
        *self = Self {
            since: Instant::now() + delay,
            bytes: 0,
        };
        delay
    }
}

/// How long a commit of so many bytes takes with so many runs to come.
fn duration(bytes: u64, runs: usize) -> Duration {
    let Some(steps) = runs.checked_sub(PACED_RUNS) else {
        return Duration::ZERO;
    };
    let rate = PACED_BYTES * SLOWER.powi(steps.min(MOST_RUNS) as i32);
    Duration::from_secs_f64(bytes as f64 / rate).min(LONGEST_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_slowed_down_the_more_the_fuller_level_0_is() {
        assert_eq!(duration(1 << 20, PACED_RUNS - 1), Duration::ZERO);
        let delays: Vec<_> = (PACED_RUNS..MOST_RUNS)
            .map(|runs| duration(1 << 16, runs))
            .collect();
        assert!(
            delays.is_sorted_by(|fewer, more| fewer < more),
            "{delays:?}"
        );
        assert_eq!(duration(1 << 30, MOST_RUNS), LONGEST_DELAY);
    }

    #[test]
    fn a_keyspace_is_full_before_fjall_halts_writes() {
        let crowding = |runs, sealed| Crowding {
            space: Space::Items,
            runs,
            sealed,
        };
        assert!(!crowding(4, 2).is_full());
        assert!(crowding(0, 3).is_full());
        assert!(crowding(25, 1).is_full());
        assert!(!crowding(23, 2).is_full());
    }
}
