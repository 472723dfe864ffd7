//! Listing the words of a language, shortest first.

use super::automaton::Automaton;
use super::readable::all_bytes;
use super::regular::Language;
use std::collections::BTreeSet;

/// Words longer than the shortest by more than this are not listed, in bytes.
const EXTRA_BYTES: usize = 4_096;

/// Bytes tried while listing; a bound for languages with few words of many lengths.
const STEPS: usize = 2_000_000;

impl Language {
    /// The first `limit` words: shortest first, letters before digits before the rest.
    #[must_use]
    pub fn words(&self, limit: usize) -> Vec<String> {
        self.words_over(&all_bytes(), limit)
    }

    /// The first words that consist of the given bytes, which are preferred in their order.
    pub(super) fn words_over(&self, alphabet: &[u8], limit: usize) -> Vec<String> {
        let automaton = self.unrolled().unwrap_or(self.automaton());
        let length = self.byte_length();
        let last = length
            .max
            .unwrap_or(usize::MAX)
            .min(length.min.saturating_add(EXTRA_BYTES));
        let mut listing = Listing {
            automaton,
            alphabet,
            ends: vec![accepting(automaton)],
            steps: STEPS,
        };
        let mut words = Vec::new();
        let mut seen = BTreeSet::new();
        for bytes in length.min..=last {
            if words.len() >= limit || listing.steps == 0 || !listing.prepare(bytes) {
                break;
            }
            listing.of_length(bytes, &mut |word| {
                if let Ok(text) = String::from_utf8(word.to_vec())
                    && self.accepts(&text)
                    && seen.insert(text.clone())
                {
                    words.push(text);
                }
                words.len() < limit
            });
        }
        words
    }
}

fn accepting(automaton: &Automaton) -> Vec<bool> {
    automaton
        .states()
        .iter()
        .map(|state| state.accept)
        .collect()
}

struct Listing<'a> {
    automaton: &'a Automaton,
    alphabet: &'a [u8],
    /// `ends[n]`: which states accept some word of exactly n bytes.
    ends: Vec<Vec<bool>>,
    steps: usize,
}

/// A state with the bytes of the alphabet not tried yet.
struct Level {
    state: u32,
    choices: std::vec::IntoIter<(u8, u32)>,
}

impl Listing<'_> {
    /// Extends the table to words of `bytes` bytes. False if no longer word can exist.
    fn prepare(&mut self, bytes: usize) -> bool {
        while self.ends.len() <= bytes {
            let Some(shorter) = self.ends.last() else {
                return false;
            };
            let reaches = |id: &u32| shorter.get(*id as usize).copied().unwrap_or(false);
            let row: Vec<bool> = self
                .automaton
                .states()
                .iter()
                .map(|s| {
                    s.edges.iter().any(|e| {
                        reaches(&e.target) && self.alphabet.iter().any(|b| e.lo <= *b && *b <= e.hi)
                    })
                })
                .collect();
            let alive = row.contains(&true);
            self.ends.push(row);
            if !alive {
                return false;
            }
        }
        true
    }

    fn ends_in(&self, state: u32, bytes: usize) -> bool {
        self.ends
            .get(bytes)
            .and_then(|row| row.get(state as usize))
            .copied()
            .unwrap_or(false)
    }

    /// Visits all words of exactly `bytes` bytes, depth first with an explicit stack, until `visit` is false.
    fn of_length(&mut self, bytes: usize, visit: &mut impl FnMut(&[u8]) -> bool) {
        if !self.ends_in(0, bytes) {
            return;
        }
        let mut word = Vec::with_capacity(bytes);
        let mut stack = vec![Level {
            state: 0,
            choices: self.choices(0, bytes),
        }];
        while let Some(level) = stack.last_mut() {
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0
                || (word.len() == bytes
                    && self.automaton.state(level.state).accept
                    && !visit(&word))
            {
                return;
            }
            match level.choices.next() {
                Some((byte, state)) => {
                    word.push(byte);
                    let choices = self.choices(state, bytes - word.len());
                    stack.push(Level { state, choices });
                }
                None => {
                    stack.pop();
                    word.pop();
                }
            }
        }
    }

    /// The useful next bytes when `left` bytes are still to come.
    fn choices(&self, state: u32, left: usize) -> std::vec::IntoIter<(u8, u32)> {
        let mut choices = Vec::new();
        if left > 0 {
            let edges = &self.automaton.state(state).edges;
            for byte in self.alphabet {
                let fitting = edges
                    .iter()
                    .filter(|edge| edge.lo <= *byte && *byte <= edge.hi);
                let useful = fitting.filter(|edge| self.ends_in(edge.target, left - 1));
                choices.extend(useful.map(|edge| (*byte, edge.target)));
            }
        }
        choices.into_iter()
    }
}
