//! The partitions that are used most: a bounded sketch, in windows of five seconds.
//!
//! Each window keeps [`MOST_IN_WINDOW`] partitions. When another one comes, it takes the place of the one with the fewest units and
//! starts from those, so that a partition which is used much is never pushed out (the algorithm is called Space-Saving). What a
//! partition took over is not shown: its units are never overstated.

use crate::ledger::cut_after;
use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

/// The length of a window.
pub(crate) const WINDOW: Duration = Duration::from_secs(5);
/// So many windows are kept: five minutes.
pub(crate) const WINDOWS: usize = 60;
/// So many partitions are kept of a window.
const MOST_IN_WINDOW: usize = 128;
/// A key is cut after so many characters: what is kept stays bounded whatever is sent.
const LONGEST_KEY: usize = 200;

/// Units that DynamoDB gives one partition in a second.
pub(crate) const READ_LIMIT: f64 = 3000.0;
pub(crate) const WRITE_LIMIT: f64 = 1000.0;

/// A partition of a table or an index.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Partition {
    /// The table, or the table and the index: `Yggdrasil/GSI1`. Shared by all partitions of one place.
    pub(crate) of: Arc<str>,
    pub(crate) key: String,
}

impl Partition {
    pub(crate) fn table(&self) -> &str {
        let named = self.of.split_once('/');
        named.map_or(&*self.of, |(table, _)| table)
    }

    /// None for the table itself.
    pub(crate) fn index(&self) -> Option<&str> {
        self.of.split_once('/').map(|(_, index)| index)
    }
}

/// Units that were read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Load {
    pub(crate) read: f64,
    pub(crate) write: f64,
}

impl Load {
    /// The part of what DynamoDB gives one partition, were this the load of a second.
    pub(crate) fn share(self) -> f64 {
        (self.read / READ_LIMIT).max(self.write / WRITE_LIMIT)
    }

    fn add(&mut self, other: Self) {
        self.read += other.read;
        self.write += other.write;
    }
}

#[derive(Debug, Default)]
struct Counter {
    load: Load,
    /// The share of the partition whose place it took.
    taken_over: f64,
}

/// The partitions of a window. Requests look for partitions all the time, so what is compared lies close together: a hash of each
/// partition, and how much it was used.
#[derive(Debug)]
struct Window {
    number: u64,
    hashes: Vec<u64>,
    ranks: Vec<f64>,
    counters: Vec<(Partition, Counter)>,
}

/// The sketch. Times are numbers of windows, so that tests need no clock.
#[derive(Debug, Default)]
pub(crate) struct Heat {
    windows: VecDeque<Window>,
}

/// A partition with its load in each window, the oldest first, as units a second.
#[derive(Clone, Debug)]
pub(crate) struct HotPartition {
    pub(crate) partition: Partition,
    pub(crate) loads: Vec<Load>,
}

impl HotPartition {
    /// The window with the greatest share of what one partition is given.
    pub(crate) fn peak(&self) -> Load {
        let loads = self.loads.iter().copied();
        loads.fold(Load::default(), |most, load| {
            if load.share() > most.share() {
                load
            } else {
                most
            }
        })
    }
}

impl Heat {
    /// Notes what a request used of a partition.
    pub(crate) fn note(&mut self, window: u64, of: &Arc<str>, key: &str, load: Load) {
        if self.windows.back().is_none_or(|last| last.number != window) {
            self.windows.push_back(Window {
                number: window,
                hashes: Vec::new(),
                ranks: Vec::new(),
                counters: Vec::new(),
            });
        }
        while self.windows.len() > WINDOWS {
            self.windows.pop_front();
        }
        if let Some(current) = self.windows.back_mut() {
            current.note(of, cut_after(key, LONGEST_KEY), load);
        }
    }

    /// The partitions that were used most until a window, the hottest first.
    pub(crate) fn list(&self, now: u64, most: usize) -> Vec<HotPartition> {
        let first = (now + 1).saturating_sub(WINDOWS as u64);
        let mut found: BTreeMap<&Partition, Vec<Load>> = BTreeMap::new();
        for window in self.windows.iter().filter(|window| window.number >= first) {
            let position = usize::try_from(window.number - first).unwrap_or(WINDOWS);
            for (partition, counter) in &window.counters {
                let loads = found
                    .entry(partition)
                    .or_insert_with(|| vec![Load::default(); WINDOWS]);
                if let Some(load) = loads.get_mut(position) {
                    load.add(counter.per_second());
                }
            }
        }
        let found = found.into_iter().map(|(partition, loads)| HotPartition {
            partition: partition.clone(),
            loads,
        });
        let mut found: Vec<HotPartition> = found.collect();
        found.sort_by(|a, b| b.peak().share().total_cmp(&a.peak().share()));
        found.truncate(most);
        found
    }
}

impl Window {
    fn note(&mut self, of: &Arc<str>, key: &str, load: Load) {
        let hash = hash_partition(of, key);
        if let Some(position) = self.find(hash, of, key) {
            if let (Some((_, counter)), Some(rank)) = (
                self.counters.get_mut(position),
                self.ranks.get_mut(position),
            ) {
                counter.load.add(load);
                *rank = counter.rank();
            }
            return;
        }
        let mut counter = Counter {
            load,
            taken_over: 0.0,
        };
        if self.counters.len() >= MOST_IN_WINDOW {
            counter.taken_over = self.remove_least();
        }
        self.hashes.push(hash);
        self.ranks.push(counter.rank());
        let partition = Partition {
            of: Arc::clone(of),
            key: key.to_owned(),
        };
        self.counters.push((partition, counter));
    }

    fn find(&self, hash: u64, of: &str, key: &str) -> Option<usize> {
        let same_hash = self.hashes.iter().enumerate();
        let mut same_hash = same_hash.filter(|(_, known)| **known == hash);
        same_hash.find_map(|(position, _)| {
            let (known, _) = self.counters.get(position)?;
            (known.key == key && *known.of == *of).then_some(position)
        })
    }

    /// Forgets the partition that was used least, and says how much that was.
    fn remove_least(&mut self) -> f64 {
        let ranks = self.ranks.iter().enumerate();
        let Some((position, rank)) = ranks.min_by(|(_, a), (_, b)| a.total_cmp(b)) else {
            return 0.0;
        };
        let rank = *rank;
        self.hashes.swap_remove(position);
        self.ranks.swap_remove(position);
        self.counters.swap_remove(position);
        rank
    }
}

fn hash_partition(of: &str, key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (of, key).hash(&mut hasher);
    hasher.finish()
}

impl Counter {
    fn rank(&self) -> f64 {
        self.load.share() + self.taken_over
    }

    fn per_second(&self) -> Load {
        let seconds = WINDOW.as_secs_f64();
        Load {
            read: self.load.read / seconds,
            write: self.load.write / seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(heat: &mut Heat, window: u64, key: &str, load: Load) {
        heat.note(window, &Arc::from("T"), key, load);
    }

    const ONE_WRITE: Load = Load {
        read: 0.0,
        write: 1.0,
    };

    #[test]
    fn a_hot_partition_stays_among_thousands_of_others() {
        let mut heat = Heat::default();
        for number in 0..5000 {
            note(&mut heat, 7, &format!("cold{number}"), ONE_WRITE);
            if number % 10 == 0 {
                note(&mut heat, 7, "hot", ONE_WRITE);
            }
        }
        let found = heat.list(7, 3);
        let hottest = found.first().expect("a partition");
        assert_eq!(hottest.partition.key, "hot");
        let peak = hottest.peak();
        assert!(peak.write > 90.0 && peak.write <= 100.0, "{peak:?}");
        assert!(heat.windows.iter().all(|kept| kept.counters.len() <= 128));
    }

    #[test]
    fn a_place_is_a_table_or_one_of_its_indexes() {
        let mut heat = Heat::default();
        heat.note(7, &Arc::from("T"), "a", ONE_WRITE);
        heat.note(7, &Arc::from("T/I"), "a", ONE_WRITE);
        heat.note(7, &Arc::from("T/I"), "a", ONE_WRITE);
        let found = heat.list(7, 3);
        let places: Vec<_> = found
            .iter()
            .map(|hot| (hot.partition.table(), hot.partition.index()))
            .collect();
        assert_eq!(places, [("T", Some("I")), ("T", None)]);
    }

    #[test]
    fn windows_are_units_a_second_and_grow_old() {
        let mut heat = Heat::default();
        for window in 0..200 {
            let load = Load {
                read: 10.0,
                write: 0.0,
            };
            note(&mut heat, window, "a", load);
        }
        assert_eq!(heat.windows.len(), WINDOWS);
        let found = heat.list(199, 20);
        let loads: Vec<f64> = found[0].loads.iter().map(|load| load.read).collect();
        assert_eq!(loads, vec![2.0; WINDOWS]);
        assert!(heat.list(199 + WINDOWS as u64, 20).is_empty());
    }

    #[test]
    fn a_long_key_is_cut() {
        let mut heat = Heat::default();
        note(&mut heat, 1, &"ä".repeat(5000), ONE_WRITE);
        let found = heat.list(1, 1);
        assert_eq!(found[0].partition.key.chars().count(), 200);
    }
}
