//! Putting automata together with silent moves (Thompson's construction).

use super::automaton::{Automaton, Edge, State};
use super::determinize::determinize;
use super::minimize::minimize;

/// Deterministic automata above this size stay nondeterministic.
const DETERMINISTIC_STATES: usize = 1_000;

/// A node under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    pub(super) edges: Vec<Edge>,
    pub(super) silent: Vec<u32>,
}

/// A piece with one entry and one exit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// Nodes with byte edges and silent moves.
#[derive(Debug, Default)]
pub(super) struct Builder {
    nodes: Vec<Node>,
}

impl Builder {
    pub(super) fn node(&mut self) -> u32 {
        self.nodes.push(Node::default());
        u32::try_from(self.nodes.len() - 1).unwrap_or(u32::MAX)
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    pub(super) fn edge(&mut self, from: u32, lo: u8, hi: u8, target: u32) {
        if let Some(node) = self.nodes.get_mut(from as usize) {
            node.edges.push(Edge { lo, hi, target });
        }
    }

    pub(super) fn silent(&mut self, from: u32, target: u32) {
        if let Some(node) = self.nodes.get_mut(from as usize) {
            node.silent.push(target);
        }
    }

    /// The fragment of the byte ranges in `sequence`, one after the other.
    pub(super) fn sequence(&mut self, sequence: impl IntoIterator<Item = (u8, u8)>) -> Fragment {
        let start = self.node();
        let mut end = start;
        for (lo, hi) in sequence {
            let next = self.node();
            self.edge(end, lo, hi, next);
            end = next;
        }
        Fragment { start, end }
    }

    /// A copy of an automaton.
    pub(super) fn embed(&mut self, automaton: &Automaton) -> Fragment {
        let offset = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        for state in automaton.states() {
            let id = self.node();
            for edge in &state.edges {
                self.edge(id, edge.lo, edge.hi, edge.target + offset);
            }
        }
        let end = self.node();
        for (id, state) in (offset..).zip(automaton.states()) {
            if state.accept {
                self.silent(id, end);
            }
        }
        Fragment { start: offset, end }
    }

    pub(super) fn chain(&mut self, fragments: &[Fragment]) -> Fragment {
        let start = self.node();
        let mut end = start;
        for fragment in fragments {
            self.silent(end, fragment.start);
            end = fragment.end;
        }
        Fragment { start, end }
    }

    pub(super) fn either(&mut self, fragments: &[Fragment]) -> Fragment {
        let start = self.node();
        let end = self.node();
        for fragment in fragments {
            self.silent(start, fragment.start);
            self.silent(fragment.end, end);
        }
        Fragment { start, end }
    }

    /// Any number of times, also none.
    pub(super) fn looped(&mut self, fragment: Fragment) -> Fragment {
        let hub = self.node();
        self.silent(hub, fragment.start);
        self.silent(fragment.end, hub);
        Fragment {
            start: hub,
            end: hub,
        }
    }

    /// Minimal and deterministic if that stays small, otherwise only free of silent moves.
    pub(super) fn finish(&self, fragment: Fragment) -> Automaton {
        match determinize(self, fragment, DETERMINISTIC_STATES) {
            Some(automaton) => minimize(automaton),
            None => self.nondeterministic(fragment),
        }
    }

    /// Removes silent moves: a node takes over the edges of its closure.
    pub(super) fn nondeterministic(&self, fragment: Fragment) -> Automaton {
        let mut order = vec![fragment.start];
        let mut numbers = vec![None; self.nodes.len()];
        if let Some(slot) = numbers.get_mut(fragment.start as usize) {
            *slot = Some(0u32);
        }
        let mut states = Vec::new();
        let mut next = 0;
        while let Some(id) = order.get(next).copied() {
            next += 1;
            let closure = self.closure(&[id]);
            let mut state = State {
                accept: closure.contains(&fragment.end),
                edges: Vec::new(),
            };
            for edge in closure
                .iter()
                .filter_map(|n| self.nodes.get(*n as usize))
                .flat_map(|n| &n.edges)
            {
                let Some(slot) = numbers.get_mut(edge.target as usize) else {
                    continue;
                };
                let target = *slot.get_or_insert_with(|| {
                    order.push(edge.target);
                    u32::try_from(order.len() - 1).unwrap_or(u32::MAX)
                });
                state.edges.push(Edge { target, ..*edge });
            }
            state.edges.sort_unstable();
            state.edges.dedup();
            states.push(state);
        }
        Automaton::new(states, false)
    }

    /// All nodes reached by silent moves from `roots`, sorted.
    pub(super) fn closure(&self, roots: &[u32]) -> Vec<u32> {
        let mut seen = roots.to_vec();
        let mut known: std::collections::HashSet<u32> = roots.iter().copied().collect();
        let mut next = 0;
        while let Some(id) = seen.get(next).copied() {
            next += 1;
            for target in self
                .nodes
                .get(id as usize)
                .into_iter()
                .flat_map(|node| &node.silent)
            {
                if known.insert(*target) {
                    seen.push(*target);
                }
            }
        }
        seen.sort_unstable();
        seen.dedup();
        seen
    }
}
