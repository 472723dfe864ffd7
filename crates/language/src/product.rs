//! Automata built from two automata, or from an automaton and a counter.

use super::automaton::{Automaton, Edge, State, is_continuation};
use super::builder::Builder;
use super::determinize::{determinize, push_edge};
use super::length::Length;
use super::minimize::minimize;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// Built products above this size are given up.
const PRODUCT_STATES: usize = 20_000;

/// Unrolled counters above this size are given up.
const UNROLLED_STATES: usize = 4_000;

/// Words in both.
pub(super) fn intersection(a: &Automaton, b: &Automaton) -> Option<Automaton> {
    let deterministic = a.is_deterministic() && b.is_deterministic();
    let built = explore((0u32, 0u32), PRODUCT_STATES, deterministic, |(p, q)| {
        let (p, q) = (a.state(*p), b.state(*q));
        let pairs = p
            .edges
            .iter()
            .flat_map(|left| q.edges.iter().map(move |right| (left, right)));
        let common = pairs.filter_map(|(left, right)| {
            let (lo, hi) = (left.lo.max(right.lo), left.hi.min(right.hi));
            (lo <= hi).then_some((lo, hi, (left.target, right.target)))
        });
        (p.accept && q.accept, common.collect())
    });
    built.map(minimize)
}

/// Words of `a` that are not in `b`.
pub(super) fn subtraction(a: &Automaton, b: &Automaton) -> Option<Automaton> {
    let determinized = if b.is_deterministic() {
        None
    } else {
        Some(made_deterministic(b)?)
    };
    let b = determinized.as_ref().unwrap_or(b);
    let built = explore(
        (0u32, Some(0u32)),
        PRODUCT_STATES,
        a.is_deterministic(),
        |(p, q)| {
            let p = a.state(*p);
            let moves = p
                .edges
                .iter()
                .flat_map(|edge| split_edge(edge, q.map(|q| b.state(q))));
            let accept = p.accept && !q.is_some_and(|q| b.state(q).accept);
            (
                accept,
                moves
                    .map(|(lo, hi, left, right)| (lo, hi, (left, right)))
                    .collect(),
            )
        },
    );
    built.map(minimize)
}

/// Cuts an edge where a deterministic state moves differently; `None` is where it has no move.
pub(super) fn split_edge(edge: &Edge, other: Option<&State>) -> Vec<(u8, u8, u32, Option<u32>)> {
    let mut cut = Vec::new();
    let mut from = u16::from(edge.lo);
    let end = u16::from(edge.hi);
    for right in other.into_iter().flat_map(|state| &state.edges) {
        let (lo, hi) = (u16::from(right.lo).max(from), u16::from(right.hi).min(end));
        if lo > hi {
            continue;
        }
        if from < lo {
            cut.push((from, lo - 1, None));
        }
        cut.push((lo, hi, Some(right.target)));
        from = hi + 1;
    }
    if from <= end {
        cut.push((from, end, None));
    }
    let narrow = |byte: u16| u8::try_from(byte).unwrap_or(u8::MAX);
    cut.into_iter()
        .map(|(lo, hi, right)| (narrow(lo), narrow(hi), edge.target, right))
        .collect()
}

/// Words whose number of characters is inside `chars`.
pub(super) fn counted(automaton: &Automaton, chars: Length) -> Option<Automaton> {
    if chars.covers(&automaton.chars()) {
        return Some(automaton.clone());
    }
    // Beyond the cap all counts behave alike: refused if there is a maximum, enough otherwise.
    let cap = chars.max.map_or(chars.min, |max| max.saturating_add(1));
    explore(
        (0u32, 0usize),
        UNROLLED_STATES,
        automaton.is_deterministic(),
        |(id, count)| {
            let state = automaton.state(*id);
            let moves = state.edges.iter().map(|edge| {
                let count = count + usize::from(!is_continuation(edge.lo));
                (edge.lo, edge.hi, (edge.target, count.min(cap)))
            });
            let moves =
                moves.filter(|(_, _, (_, count))| chars.max.is_none_or(|max| *count <= max));
            (state.accept && chars.contains(*count), moves.collect())
        },
    )
}

/// The same language, deterministic and minimal, unless that is too large.
pub(super) fn made_deterministic(automaton: &Automaton) -> Option<Automaton> {
    let mut builder = Builder::default();
    let fragment = builder.embed(automaton);
    determinize(&builder, fragment, UNROLLED_STATES).map(minimize)
}

/// The moves of a product state: byte range and where it leads.
type Moves<N> = Vec<(u8, u8, N)>;

/// Builds the automaton of all nodes reachable from `start`, unless there are more than `limit`.
fn explore<N: Clone + Eq + Hash>(
    start: N,
    limit: usize,
    deterministic: bool,
    mut visit: impl FnMut(&N) -> (bool, Moves<N>),
) -> Option<Automaton> {
    let mut numbers: FxHashMap<N, u32> = FxHashMap::from_iter([(start.clone(), 0)]);
    let mut order = vec![start];
    let mut states = Vec::new();
    while let Some(node) = order.get(states.len()).cloned() {
        let (accept, moves) = visit(&node);
        let mut state = State {
            accept,
            edges: Vec::with_capacity(moves.len()),
        };
        for (lo, hi, node) in moves {
            let fresh = u32::try_from(order.len()).ok()?;
            let target = *numbers.entry(node).or_insert_with_key(|key| {
                order.push(key.clone());
                fresh
            });
            push_edge(&mut state.edges, Edge { lo, hi, target });
        }
        if order.len() > limit {
            return None;
        }
        states.push(state);
    }
    Some(Automaton::new(states, deterministic))
}
