//! What an engine tells about itself, for a monitoring system.

use crate::commit::Published;
use crate::store::StoreFault;
use std::sync::atomic::{AtomicU64, Ordering};

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
    /// Bytes on disk; none for a store in memory.
    pub disk_bytes: Option<u64>,
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
        disk_bytes: published.store.disk_bytes()?,
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
