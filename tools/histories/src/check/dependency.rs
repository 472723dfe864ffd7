//! Which operation must come before which, in any order that explains the history.

use super::versions::Versions;
use crate::history::{History, Key, Operation, Outcome};
use std::collections::BTreeMap;

/// Why one operation comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// Its value stands before the other's in this list.
    WriteWrite(Key),
    /// The other one read its value in this list.
    WriteRead(Key),
    /// It read this list before the other's value came there.
    ReadWrite(Key),
    /// It had ended before the other one began.
    RealTime,
}

/// A graph whose first nodes are the operations of the history. Behind them comes a node for each moment at which one ended:
/// an operation leads to the moment of its end, each moment to the next, and the last moment before a start to the operation.
/// That says who ended before whom began, without an edge for every pair.
pub(super) struct Dependencies {
    /// For each node the nodes after it.
    pub(super) after: Vec<BTreeMap<usize, Vec<Reason>>>,
    /// How many of the nodes are operations.
    pub(super) operations: usize,
}

impl Dependencies {
    pub(super) fn infer(history: &History, versions: &Versions) -> Self {
        let operations = history.operations.len();
        let mut graph = Self {
            after: vec![BTreeMap::new(); operations],
            operations,
        };
        for key in versions.keys() {
            graph.add_writes(versions, key);
        }
        for (index, operation) in history.operations.iter().enumerate() {
            if operation.outcome == Outcome::Committed {
                graph.add_reads(versions, index, operation);
            }
        }
        graph.add_times(history, versions);
        graph
    }

    fn add(&mut self, from: usize, to: usize, reason: Reason) {
        let after = self.after.get_mut(from).filter(|_| from != to);
        if let Some(after) = after {
            let reasons = after.entry(to).or_default();
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
    }

    fn add_writes(&mut self, versions: &Versions, key: Key) {
        let writers = versions.order(key).iter();
        let writers: Vec<usize> = writers
            .filter_map(|value| versions.writer(key, *value))
            .collect();
        for (earlier, later) in writers.iter().zip(writers.iter().skip(1)) {
            self.add(*earlier, *later, Reason::WriteWrite(key));
        }
        if let Some(last) = writers.last() {
            for unseen in versions.unseen_writers(key) {
                self.add(*last, unseen, Reason::WriteWrite(key));
            }
        }
    }

    fn add_reads(&mut self, versions: &Versions, reader: usize, operation: &Operation) {
        for (key, values) in operation.reads() {
            let order = versions.order(key);
            let last = values.last().and_then(|last| versions.writer(key, *last));
            if let Some(writer) = last {
                self.add(writer, reader, Reason::WriteRead(key));
            }
            match order.get(values.len()) {
                Some(next) => {
                    if let Some(writer) = versions.writer(key, *next) {
                        self.add(reader, writer, Reason::ReadWrite(key));
                    }
                }
                None => {
                    for writer in versions.unseen_writers(key) {
                        self.add(reader, writer, Reason::ReadWrite(key));
                    }
                }
            }
        }
    }

    fn add_times(&mut self, history: &History, versions: &Versions) {
        let effective = history.operations.iter().enumerate();
        let effective: Vec<(usize, &Operation)> = effective
            .filter(|(index, _)| versions.is_effective(*index))
            .collect();
        let mut ends: Vec<(u64, usize)> = effective
            .iter()
            .filter_map(|(index, operation)| Some((operation.end?, *index)))
            .collect();
        ends.sort_unstable();
        self.after
            .resize(self.operations + ends.len(), BTreeMap::new());
        for (rank, (_, index)) in ends.iter().enumerate() {
            let moment = self.operations + rank;
            self.add(*index, moment, Reason::RealTime);
            if rank + 1 < ends.len() {
                self.add(moment, moment + 1, Reason::RealTime);
            }
        }
        for (index, operation) in effective {
            let ended_before = ends.partition_point(|(end, _)| *end < operation.start);
            if let Some(rank) = ended_before.checked_sub(1) {
                self.add(self.operations + rank, index, Reason::RealTime);
            }
        }
    }
}
