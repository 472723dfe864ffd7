//! Automata as they are written: states and moves, and what is known about them, which takes long to find out.

use super::{Automaton, Edge, Length, State};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Whether a word may end there, and the moves: from byte, to byte, next state.
type WrittenState = (bool, Vec<(u8, u8, u32)>);

#[derive(Serialize, Deserialize)]
struct WrittenAutomaton {
    states: Vec<WrittenState>,
    deterministic: bool,
    /// The upper and the lower half: JSON's numbers end at 64 bits for many readers.
    ascii: (u64, u64),
    bytes: Length,
    chars: Length,
    widest: usize,
}

impl Serialize for Automaton {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let state = |state: &State| -> WrittenState {
            let edges = state.edges.iter();
            let edges = edges.map(|edge| (edge.lo, edge.hi, edge.target));
            (state.accept, edges.collect())
        };
        let written = WrittenAutomaton {
            states: self.states.iter().map(state).collect(),
            deterministic: self.deterministic,
            ascii: ((self.ascii >> 64) as u64, self.ascii as u64),
            bytes: self.bytes,
            chars: self.chars,
            widest: self.widest,
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Automaton {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = WrittenAutomaton::deserialize(deserializer)?;
        let edge = |(lo, hi, target): (u8, u8, u32)| Edge { lo, hi, target };
        let state = |(accept, edges): WrittenState| State {
            accept,
            edges: edges.into_iter().map(edge).collect(),
        };
        let (upper, lower) = written.ascii;
        Ok(Self {
            states: written.states.into_iter().map(state).collect(),
            deterministic: written.deterministic,
            ascii: u128::from(upper) << 64 | u128::from(lower),
            bytes: written.bytes,
            chars: written.chars,
            widest: written.widest,
        })
    }
}
