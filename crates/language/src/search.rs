//! Breadth-first search for a shortest word.

use super::readable::{Taste, preferred};
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Searches stop here with [`Outcome::TooLarge`].
pub(super) const NODES: usize = 50_000;

/// A move to a node on any byte of `lo..=hi`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move<N> {
    pub(super) lo: u8,
    pub(super) hi: u8,
    pub(super) to: N,
}

/// A found word, and the node after each of its bytes.
#[derive(Clone, Debug)]
pub(super) struct Trail<N> {
    pub(super) bytes: Vec<u8>,
    pub(super) nodes: Vec<N>,
}

/// How a search ended.
#[derive(Clone, Debug)]
pub(super) enum Outcome<T> {
    Found(T),
    /// Every node was visited: there is no word.
    Exhausted,
    TooLarge,
}

/// A visited node: itself, where it was reached from, and on which byte.
struct Visit<N> {
    node: N,
    from: usize,
    byte: u8,
}

/// The shortest word from `start` to a goal; among equally short ones the more readable, always the same.
pub(super) fn shortest<N: Copy + Eq + Hash>(
    start: N,
    taste: Taste,
    goal: impl Fn(&N) -> bool,
    mut moves: impl FnMut(&N, &mut Vec<Move<N>>),
) -> Outcome<Trail<N>> {
    let mut visits = vec![Visit {
        node: start,
        from: 0,
        byte: 0,
    }];
    let mut known: FxHashMap<N, ()> = FxHashMap::from_iter([(start, ())]);
    let mut open = Vec::new();
    let mut next = 0;
    while let Some(node) = visits.get(next).map(|visit| visit.node) {
        if goal(&node) {
            return Outcome::Found(trail(&visits, next));
        }
        open.clear();
        moves(&node, &mut open);
        let mut ranked: Vec<(usize, u8, N)> = open.iter().map(|step| ranked(step, taste)).collect();
        ranked.sort_by_key(|(rank, byte, _)| (*rank, *byte));
        for (_, byte, node) in ranked {
            if known.insert(node, ()).is_none() {
                visits.push(Visit {
                    node,
                    from: next,
                    byte,
                });
            }
        }
        if visits.len() > NODES {
            return Outcome::TooLarge;
        }
        next += 1;
    }
    Outcome::Exhausted
}

fn ranked<N: Copy>(step: &Move<N>, taste: Taste) -> (usize, u8, N) {
    let (rank, byte) = preferred(step.lo, step.hi, taste);
    (rank, byte, step.to)
}

fn trail<N: Copy>(visits: &[Visit<N>], goal: usize) -> Trail<N> {
    let mut trail = Trail {
        bytes: Vec::new(),
        nodes: Vec::new(),
    };
    let mut at = goal;
    while at != 0 {
        let Some(visit) = visits.get(at) else { break };
        trail.bytes.push(visit.byte);
        trail.nodes.push(visit.node);
        at = visit.from;
    }
    trail.bytes.reverse();
    trail.nodes.reverse();
    trail
}

impl<T> Outcome<T> {
    pub(super) fn map<U>(self, convert: impl FnOnce(T) -> U) -> Outcome<U> {
        match self {
            Outcome::Found(found) => Outcome::Found(convert(found)),
            Outcome::Exhausted => Outcome::Exhausted,
            Outcome::TooLarge => Outcome::TooLarge,
        }
    }

    pub(super) fn is_exhausted(&self) -> bool {
        matches!(self, Outcome::Exhausted)
    }
}
