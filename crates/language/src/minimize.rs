//! Merging states that accept the same rests (Moore's partition refinement).

use super::automaton::{Automaton, Edge, State};
use super::determinize::push_edge;
use rustc_hash::FxHashMap;

/// Larger automata are left as they are: refinement is quadratic at worst.
const MINIMIZED_STATES: usize = 600;

/// The smallest deterministic automaton of the same language.
pub(super) fn minimize(automaton: Automaton) -> Automaton {
    if automaton.len() > MINIMIZED_STATES || !automaton.is_deterministic() {
        return automaton;
    }
    let mut blocks: Vec<u32> = automaton
        .states()
        .iter()
        .map(|state| u32::from(state.accept))
        .collect();
    let mut count = 0;
    loop {
        let refined = refine(&automaton, &blocks);
        let refined_count = distinct(&refined);
        blocks = refined;
        if refined_count == count {
            break;
        }
        count = refined_count;
    }
    if count == automaton.len() {
        automaton
    } else {
        merge(&automaton, &blocks, count)
    }
}

fn distinct(blocks: &[u32]) -> usize {
    blocks
        .iter()
        .copied()
        .max()
        .map_or(0, |max| max as usize + 1)
}

/// Numbers states by (own block, moves into blocks), in order of first appearance: state 0 is block 0.
fn refine(automaton: &Automaton, blocks: &[u32]) -> Vec<u32> {
    let mut numbers: FxHashMap<(u32, Vec<Edge>), u32> = FxHashMap::default();
    let signatures = automaton.states().iter().zip(blocks);
    let mut refined = Vec::with_capacity(blocks.len());
    for (state, block) in signatures {
        let fresh = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        refined.push(
            *numbers
                .entry((*block, moves(state, blocks)))
                .or_insert(fresh),
        );
    }
    refined
}

fn moves(state: &State, blocks: &[u32]) -> Vec<Edge> {
    let mut edges = Vec::with_capacity(state.edges.len());
    for edge in &state.edges {
        let target = blocks.get(edge.target as usize).copied().unwrap_or(0);
        push_edge(&mut edges, Edge { target, ..*edge });
    }
    edges
}

fn merge(automaton: &Automaton, blocks: &[u32], count: usize) -> Automaton {
    let mut states = vec![State::default(); count];
    for (state, block) in automaton.states().iter().zip(blocks) {
        if let Some(merged) = states.get_mut(*block as usize) {
            *merged = State {
                accept: state.accept,
                edges: moves(state, blocks),
            };
        }
    }
    Automaton::new(states, true)
}
