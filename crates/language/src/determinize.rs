//! Subset construction over byte ranges.

use super::automaton::{Automaton, Edge, State};
use super::builder::{Builder, Fragment};
use rustc_hash::FxHashMap;

/// Edges and nodes looked at before the construction is given up. Few states can stand for large subsets.
const WORK: usize = 300_000;

/// The deterministic automaton of a fragment, unless it needs more than `limit` states or too much work.
pub(super) fn determinize(
    builder: &Builder,
    fragment: Fragment,
    limit: usize,
) -> Option<Automaton> {
    let first = builder.closure(&[fragment.start]);
    let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::from_iter([(first.clone(), 0)]);
    let mut order = vec![first];
    let mut states = Vec::new();
    let mut work = 0;
    while let Some(subset) = order.get(states.len()).cloned() {
        let mut state = State {
            accept: subset.binary_search(&fragment.end).is_ok(),
            edges: Vec::new(),
        };
        let edges = edges_of(builder, &subset);
        work += edges.len();
        for (lo, hi, targets) in pieces(&edges) {
            let closed = builder.closure(&targets);
            work += closed.len();
            let fresh = u32::try_from(order.len()).ok()?;
            let target = *numbers.entry(closed).or_insert_with_key(|key| {
                order.push(key.clone());
                fresh
            });
            push_edge(&mut state.edges, Edge { lo, hi, target });
        }
        if order.len() > limit || work > WORK {
            return None;
        }
        states.push(state);
    }
    Some(Automaton::new(states, true))
}

fn edges_of(builder: &Builder, subset: &[u32]) -> Vec<Edge> {
    let nodes = subset
        .iter()
        .filter_map(|id| builder.nodes().get(*id as usize));
    let mut edges: Vec<Edge> = nodes.flat_map(|node| node.edges.iter().copied()).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Cuts overlapping edges (sorted by `lo`) into disjoint ranges with all their targets.
fn pieces(edges: &[Edge]) -> Vec<(u8, u8, Vec<u32>)> {
    let mut cuts: Vec<u16> = edges
        .iter()
        .flat_map(|edge| [u16::from(edge.lo), u16::from(edge.hi) + 1])
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    let mut pieces = Vec::new();
    let mut active: Vec<Edge> = Vec::new();
    let mut waiting = edges.iter().copied().peekable();
    for (lo, end) in cuts.iter().zip(cuts.iter().skip(1)) {
        active.retain(|edge| u16::from(edge.hi) >= *lo);
        while let Some(edge) = waiting.next_if(|edge| u16::from(edge.lo) <= *lo) {
            active.push(edge);
        }
        let (Ok(lo), Ok(hi)) = (u8::try_from(*lo), u8::try_from(end - 1)) else {
            continue;
        };
        if !active.is_empty() {
            let mut targets: Vec<u32> = active.iter().map(|edge| edge.target).collect();
            targets.sort_unstable();
            targets.dedup();
            pieces.push((lo, hi, targets));
        }
    }
    pieces
}

/// Appends an edge, or widens the last one if it continues it.
pub(super) fn push_edge(edges: &mut Vec<Edge>, edge: Edge) {
    match edges.last_mut() {
        Some(last) if last.target == edge.target && last.hi.checked_add(1) == Some(edge.lo) => {
            last.hi = edge.hi
        }
        _ => edges.push(edge),
    }
}
