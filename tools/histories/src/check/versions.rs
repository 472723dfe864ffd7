//! The order of the writes of each list, from what was read of it.

use super::anomaly::{Anomaly, AnomalyKind};
use crate::history::{History, Key, Operation, Outcome, Value};
use std::collections::{BTreeMap, BTreeSet};

/// What the reads of a history say about its writes.
pub(super) struct Versions {
    /// The longest list that was seen of each key, with which all others begin.
    orders: BTreeMap<Key, Vec<Value>>,
    /// Who appended a value.
    writers: BTreeMap<(Key, Value), usize>,
    /// Operations that took effect: acknowledged, or seen by others.
    effective: Vec<bool>,
}

impl Versions {
    /// Reads the orders off the lists. What contradicts itself is told, and left out.
    pub(super) fn recover(history: &History) -> (Self, Vec<Anomaly>) {
        let mut anomalies = Vec::new();
        let mut versions = Self {
            orders: BTreeMap::new(),
            writers: BTreeMap::new(),
            effective: Vec::new(),
        };
        versions.note_writers(history, &mut anomalies);
        for (reader, key, values) in list_reads(history) {
            versions.judge_values(history, (reader, key, values), &mut anomalies);
            versions.note_order(reader, key, values, &mut anomalies);
        }
        versions.effective = versions.find_effective(history);
        versions.find_lost(history, &mut anomalies);
        (versions, anomalies)
    }

    /// The order of a list.
    pub(super) fn order(&self, key: Key) -> &[Value] {
        self.orders.get(&key).map_or(&[], Vec::as_slice)
    }

    /// All lists that were seen or written.
    pub(super) fn keys(&self) -> BTreeSet<Key> {
        let written = self.writers.keys().map(|(key, _)| *key);
        written.chain(self.orders.keys().copied()).collect()
    }

    pub(super) fn writer(&self, key: Key, value: Value) -> Option<usize> {
        self.writers.get(&(key, value)).copied()
    }

    pub(super) fn is_effective(&self, operation: usize) -> bool {
        self.effective.get(operation).copied().unwrap_or(false)
    }

    /// The operations that took effect and appended to a list what nobody saw there: they come after all that was seen.
    pub(super) fn unseen_writers(&self, key: Key) -> BTreeSet<usize> {
        let seen: BTreeSet<Value> = self.order(key).iter().copied().collect();
        let of_key = self.writers.range((key, Value::MIN)..=(key, Value::MAX));
        of_key
            .filter(|((_, value), writer)| !seen.contains(value) && self.is_effective(**writer))
            .map(|(_, writer)| *writer)
            .collect()
    }

    fn note_writers(&mut self, history: &History, anomalies: &mut Vec<Anomaly>) {
        for (index, operation) in history.operations.iter().enumerate() {
            for (key, values) in operation.appends() {
                for value in values {
                    if self.writers.insert((key, *value), index).is_some() {
                        anomalies.push(Anomaly {
                            kind: AnomalyKind::Malformed,
                            evidence: format!("{value} is appended to {key} twice; {operation}"),
                        });
                    }
                }
            }
        }
    }

    /// Holds every value of one read against who appended it.
    fn judge_values(
        &self,
        history: &History,
        (reader, key, values): (&Operation, Key, &[Value]),
        anomalies: &mut Vec<Anomaly>,
    ) {
        let mut tell = |kind, what: String| {
            let evidence = format!("{what} in list {key}; {reader}");
            anomalies.push(Anomaly { kind, evidence });
        };
        let mut seen = BTreeSet::new();
        for (place, value) in values.iter().enumerate() {
            if !seen.insert(value) {
                tell(AnomalyKind::DuplicatedAppend, format!("{value} twice"));
            }
            let writer = self.writer(key, *value);
            let Some(writer) = writer.and_then(|index| history.operations.get(index)) else {
                tell(AnomalyKind::PhantomValue, format!("{value}"));
                continue;
            };
            if writer.outcome == Outcome::Aborted {
                tell(AnomalyKind::AbortedRead, format!("{value} of {writer}"));
            }
            if !stands_whole(writer, key, values, place) {
                let what = format!("{value} without its neighbours, of {writer}");
                tell(AnomalyKind::IntermediateRead, what);
            }
        }
    }

    fn note_order(
        &mut self,
        reader: &Operation,
        key: Key,
        values: &[Value],
        anomalies: &mut Vec<Anomaly>,
    ) {
        let longest = self.orders.entry(key).or_default();
        let common = longest.len().min(values.len());
        if longest.get(..common) != values.get(..common) {
            anomalies.push(Anomaly {
                kind: AnomalyKind::IncompatibleOrder,
                evidence: format!("list {key} was {longest:?}; {reader}"),
            });
        } else if values.len() > longest.len() {
            *longest = values.to_vec();
        }
    }

    fn find_effective(&self, history: &History) -> Vec<bool> {
        let operations = history.operations.iter();
        let mut effective: Vec<bool> = operations
            .map(|operation| operation.outcome == Outcome::Committed)
            .collect();
        for (key, order) in &self.orders {
            for value in order {
                let writer = self.writer(*key, *value);
                if let Some(place) = writer.and_then(|writer| effective.get_mut(writer)) {
                    *place = true;
                }
            }
        }
        effective
    }

    /// Acknowledged values that nobody saw, although somebody looked afterwards.
    fn find_lost(&self, history: &History, anomalies: &mut Vec<Anomaly>) {
        let mut last_looks: BTreeMap<Key, &Operation> = BTreeMap::new();
        for (reader, key, _) in list_reads(history) {
            let last = last_looks.entry(key).or_insert(reader);
            if reader.start > last.start {
                *last = reader;
            }
        }
        for key in self.keys() {
            let unseen = self.unseen_writers(key);
            let written = unseen
                .iter()
                .filter_map(|index| history.operations.get(*index));
            for writer in written {
                let looked = last_looks.get(&key);
                let after = looked.filter(|look| writer.end.is_some_and(|end| end < look.start));
                if let Some(reader) = after {
                    anomalies.push(Anomaly {
                        kind: AnomalyKind::LostAppend,
                        evidence: format!("list {key} has not what {writer} appended; {reader}"),
                    });
                }
            }
        }
    }
}

/// Whether all values that an operation appended to a list stand around the place of one of them, in their order.
fn stands_whole(writer: &Operation, key: Key, values: &[Value], place: usize) -> bool {
    let Some(value) = values.get(place) else {
        return true;
    };
    let mut appends = writer.appends().filter(|(of, _)| *of == key);
    let Some((_, appended)) = appends.find(|(_, appended)| appended.contains(value)) else {
        return true;
    };
    let offset = appended.iter().position(|other| other == value);
    let start = offset.and_then(|offset| place.checked_sub(offset));
    start.is_some_and(|start| values.get(start..start + appended.len()) == Some(appended))
}

/// Everything that acknowledged operations saw.
pub(super) fn list_reads(history: &History) -> impl Iterator<Item = (&Operation, Key, &[Value])> {
    let committed = history
        .operations
        .iter()
        .filter(|operation| operation.outcome == Outcome::Committed);
    committed.flat_map(|operation| {
        let reads = operation.reads();
        reads.map(move |(key, values)| (operation, key, values))
    })
}
