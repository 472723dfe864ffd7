//! What an engine tells about itself, for a monitoring system.

use crate::commit::Published;
use crate::store::{Crowding, ScrubProgress, StoreFault};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Groups of up to 1, 2, 4 ... 1024 requests: the largest group there is.
const SIZES: usize = 11;

/// How an engine has worked since it was opened, and what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Groups of writes that were committed, each with one sync.
    pub groups: u64,
    /// Requests in those groups.
    pub grouped_requests: u64,
    /// How many groups had up to so many requests and more than the size before: size, groups.
    pub group_sizes: Vec<(u64, u64)>,
    /// The longest time that a commit took, from its first request to its answers.
    pub longest_commit: Duration,
    /// Commits that took longer than [`EngineOptions::stall_notice`](crate::EngineOptions::stall_notice).
    pub stalls: u64,
    /// Writes that got an error because of [`EngineOptions::stall_limit`](crate::EngineOptions::stall_limit).
    pub refused_writes: u64,
    /// What waits to be merged or flushed in the fullest part of the store; none for a store in memory.
    pub crowding: Option<Crowding>,
    /// Bytes on disk; none for a store in memory.
    pub disk_bytes: Option<u64>,
    /// How far the store's files were read to find damage; none for a store in memory.
    pub scrub: Option<ScrubProgress>,
    /// What each table holds, as of its last count.
    pub tables: Vec<TableStatistics>,
}

/// What a table holds, as of its last count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableStatistics {
    /// The table.
    pub name: String,
    /// Its items.
    pub items: u64,
    /// Their size as AWS counts it, in bytes.
    pub bytes: u64,
}

/// Counts the groups that were committed.
#[derive(Default)]
pub(crate) struct GroupCounts {
    sizes: [AtomicU64; SIZES],
    requests: AtomicU64,
}

impl GroupCounts {
    /// A group of so many requests was committed. INVARIANT: one thread commits.
    pub(crate) fn note(&self, requests: usize) {
        let size = requests.next_power_of_two().trailing_zeros() as usize;
        if let Some(count) = self.sizes.get(size.min(SIZES - 1)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.requests.fetch_add(requests as u64, Ordering::Relaxed);
    }

    fn sizes(&self) -> Vec<(u64, u64)> {
        let counts = self.sizes.iter().enumerate();
        counts
            .map(|(size, count)| (1 << size, count.load(Ordering::Relaxed)))
            .collect()
    }
}

/// Counts how long commits take.
#[derive(Default)]
pub(crate) struct CommitCounts {
    longest_micros: AtomicU64,
    stalls: AtomicU64,
    refused: AtomicU64,
    stuck: AtomicBool,
}

impl CommitCounts {
    /// A commit is over.
    pub(crate) fn note_end(&self, took: Duration) {
        let micros = took.as_micros().try_into().unwrap_or(u64::MAX);
        self.longest_micros.fetch_max(micros, Ordering::Relaxed);
    }

    /// A commit takes longer than it should.
    pub(crate) fn note_stall(&self) {
        self.stalls.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether writes are refused because a commit does not end.
    pub(crate) fn set_stuck(&self, stuck: bool) {
        self.stuck.store(stuck, Ordering::Relaxed);
    }

    pub(crate) fn is_stuck(&self) -> bool {
        self.stuck.load(Ordering::Relaxed)
    }

    /// So many writes got an error instead of a commit.
    pub(crate) fn note_refused(&self, writes: u64) {
        self.refused.fetch_add(writes, Ordering::Relaxed);
    }
}

pub(crate) fn statistics(published: &Published) -> Result<Statistics, StoreFault> {
    let group_sizes = published.groups.sizes();
    let catalog = published.catalog.load();
    let tables = catalog.tables().map(|table| TableStatistics {
        name: table.name().to_owned(),
        items: table.counts.rows(),
        bytes: table.counts.bytes(),
    });
    Ok(Statistics {
        groups: group_sizes.iter().map(|(_, groups)| groups).sum(),
        grouped_requests: published.groups.requests.load(Ordering::Relaxed),
        group_sizes,
        longest_commit: Duration::from_micros(
            published.commits.longest_micros.load(Ordering::Relaxed),
        ),
        stalls: published.commits.stalls.load(Ordering::Relaxed),
        refused_writes: published.commits.refused.load(Ordering::Relaxed),
        crowding: published.store.crowding(),
        disk_bytes: published.store.disk_bytes()?,
        scrub: published.store.scrub_progress(),
        tables: tables.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_counts_under_the_next_power_of_two() {
        let counts = GroupCounts::default();
        for requests in [1, 2, 3, 4, 5, 1024] {
            counts.note(requests);
        }
        let expected = [(1, 1), (2, 1), (4, 2), (8, 1), (1024, 1)];
        let found = counts.sizes().into_iter().filter(|(_, groups)| *groups > 0);
        assert_eq!(found.collect::<Vec<_>>(), expected);
        assert_eq!(counts.requests.load(Ordering::Relaxed), 1039);
    }
}
