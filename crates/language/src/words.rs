//! Listing the words of a language, shortest first.

use super::automaton::Automaton;
use super::readable::all_bytes;
use super::regular::Language;

/// Words of an infinite language that are longer than its shortest by more than this are not listed, in bytes.
const EXTRA_BYTES: usize = 512;

/// Longer words are never listed, in bytes: far above any key, and a bound for absurd lengths.
const LONGEST: usize = 5_000;

/// Bytes tried while listing. Every path ends in a word, so only doubles and refused lengths waste them.
const STEPS: usize = 100_000;

impl Language {
    /// The first `limit` words: shortest first, letters before digits before the rest.
    #[must_use]
    pub fn words(&self, limit: usize) -> Vec<String> {
        self.words_over(&all_bytes(), limit)
    }

    /// The first words that consist of the given bytes, which are preferred in their order.
    pub(super) fn words_over(&self, alphabet: &[u8], limit: usize) -> Vec<String> {
        self.list(alphabet, limit).0
    }

    /// The first words, and whether the search for them came to its end.
    pub(super) fn list(&self, alphabet: &[u8], limit: usize) -> (Vec<String>, bool) {
        let automaton = self.unrolled().unwrap_or(self.automaton());
        let length = self.byte_length();
        let last = length.max.unwrap_or(length.min.saturating_add(EXTRA_BYTES));
        let mut listing = Listing {
            automaton,
            alphabet,
            ends: vec![accepting(automaton)],
            steps: STEPS,
        };
        let mut words = Vec::new();
        for bytes in length.min..=last.min(LONGEST) {
            if words.len() >= limit || listing.steps == 0 || !listing.prepare(bytes) {
                break;
            }
            listing.of_length(bytes, &mut |word| {
                if let Ok(text) = String::from_utf8(word.to_vec())
                    && self.accepts(&text)
                {
                    words.push(text);
                }
                words.len() < limit
            });
        }
        (words, listing.steps > 0 && last <= LONGEST)
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

/// The states after the bytes chosen so far, with the next bytes not tried yet. Sets of states, so that no
/// word is met twice.
struct Level {
    active: Vec<u32>,
    choices: std::vec::IntoIter<u8>,
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
        let mut stack = vec![self.level(vec![0], bytes)];
        while let Some(level) = stack.last_mut() {
            self.steps = self.steps.saturating_sub(1);
            if self.steps == 0 || (word.len() == bytes && !visit(&word)) {
                return;
            }
            match level.choices.next() {
                Some(byte) => {
                    word.push(byte);
                    let active = self.automaton.next(&level.active, byte);
                    stack.push(self.level(active, bytes - word.len()));
                }
                None => {
                    stack.pop();
                    word.pop();
                }
            }
        }
    }

    /// A level when `left` bytes are still to come: its choices are the bytes that some word has next.
    fn level(&self, active: Vec<u32>, left: usize) -> Level {
        let mut useful = [false; 256];
        let edges = active
            .iter()
            .flat_map(|state| &self.automaton.state(*state).edges);
        for edge in edges.filter(|edge| left > 0 && self.ends_in(edge.target, left - 1)) {
            if let Some(range) = useful.get_mut(usize::from(edge.lo)..=usize::from(edge.hi)) {
                range.fill(true);
            }
        }
        let is_useful = |byte: &u8| useful.get(usize::from(*byte)).copied().unwrap_or(false);
        let choices: Vec<u8> = self.alphabet.iter().copied().filter(is_useful).collect();
        Level {
            active,
            choices: choices.into_iter(),
        }
    }
}
