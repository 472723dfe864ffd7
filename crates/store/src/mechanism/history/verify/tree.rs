//! The revisions of a log as a tree.

use crate::address::Address;
use std::collections::{BTreeMap, BTreeSet};

/// A revision of the log.
pub(super) struct Revision {
    pub(super) parent: Option<String>,
    /// When it was made, in microseconds; 0 if it does not say.
    pub(super) time: u64,
    /// How many rows it says its snapshot has.
    pub(super) counted: Option<u64>,
    pub(super) address: Address,
}

/// What is wrong with a tree.
pub(super) enum Flaw {
    /// The parent is not in the log.
    NoParent,
    /// Walking up leads back.
    Cycle,
    /// It is older than its parent.
    Older,
    /// It has no parent, as another one that came first.
    SecondRoot,
}

/// What is wrong with the revisions of a log, by revision.
pub(super) fn find_flaws(log: &BTreeMap<String, Revision>, has_parents: bool) -> Vec<(&str, Flaw)> {
    let mut flaws = Vec::new();
    if !has_parents {
        return flaws;
    }
    let mut roots: Vec<(u64, &str)> = Vec::new();
    for (name, revision) in log {
        let Some(parent) = &revision.parent else {
            roots.push((revision.time, name));
            continue;
        };
        match log.get(parent) {
            None => flaws.push((name.as_str(), Flaw::NoParent)),
            Some(above) if above.time > revision.time && revision.time > 0 => {
                flaws.push((name.as_str(), Flaw::Older));
            }
            Some(_) => {}
        }
    }
    roots.sort_unstable();
    flaws.extend(
        roots
            .into_iter()
            .skip(1)
            .map(|(_, name)| (name, Flaw::SecondRoot)),
    );
    flaws.extend(find_cycles(log).into_iter().map(|name| (name, Flaw::Cycle)));
    flaws
}

/// One revision of each cycle.
fn find_cycles(log: &BTreeMap<String, Revision>) -> Vec<&str> {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    let mut found = Vec::new();
    for start in log.keys() {
        let mut path: BTreeSet<&str> = BTreeSet::new();
        let mut at = Some(start.as_str());
        while let Some(name) = at.filter(|name| !done.contains(name)) {
            if !path.insert(name) {
                found.push(name);
                break;
            }
            at = log
                .get(name)
                .and_then(|revision| revision.parent.as_deref());
        }
        done.extend(path);
    }
    found
}
