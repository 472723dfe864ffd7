//! Questions about one language.

use super::automaton::{Automaton, is_continuation};
use super::length::Length;
use super::readable::{Taste, all_bytes};
use super::regular::Language;
use super::search::{Move, Outcome, Trail, shortest};

impl Language {
    /// Has it no word? `true` is always right; `false` may be wrong only if it is not exact.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        if self.is_plain() {
            return self.automaton().is_empty();
        }
        matches!(
            self.find(self.limit(), Taste::default()),
            Outcome::Exhausted
        )
    }

    /// A shortest word, the same one at every call, of letters and digits where possible.
    #[must_use]
    pub fn shortest_word(&self) -> Option<String> {
        self.tasted_word(Taste::default())
    }

    pub(super) fn tasted_word(&self, taste: Taste) -> Option<String> {
        match self.find(self.limit(), taste) {
            Outcome::Found(trail) => String::from_utf8(trail.bytes).ok(),
            Outcome::Exhausted | Outcome::TooLarge => None,
        }
    }

    /// Searches for a shortest word with a number of characters inside `chars`.
    pub(super) fn find(&self, chars: Length, taste: Taste) -> Outcome<Trail<(u32, usize)>> {
        match self.unrolled() {
            Some(unrolled) => find_word(unrolled, chars, taste),
            None => find_word(self.automaton(), chars, taste),
        }
    }

    /// Is `text` one of its words?
    #[must_use]
    pub fn accepts(&self, text: &str) -> bool {
        match self.unrolled() {
            Some(unrolled) => unrolled.accepts(text.as_bytes()),
            None => {
                self.limit().contains(text.chars().count())
                    && self.automaton().accepts(text.as_bytes())
            }
        }
    }

    /// Is `text` beyond doubt one of its words?
    pub(super) fn surely_accepts(&self, text: &str) -> bool {
        self.knows_its_words() && self.accepts(text)
    }

    /// False if it is too large to tell its words from others that the automaton allows.
    pub(super) fn knows_its_words(&self) -> bool {
        self.is_exact() || self.unrolled().is_some()
    }

    /// Is the empty text one of its words?
    #[must_use]
    pub fn can_be_empty(&self) -> bool {
        self.accepts("")
    }

    /// Can a word contain `c`?
    #[must_use]
    pub fn can_contain(&self, c: char) -> bool {
        if c.is_ascii() {
            return self.can_contain_byte(u8::try_from(c).unwrap_or(0));
        }
        let with = Language::sequence(&[
            &Language::any_text(),
            &Language::literal(c.encode_utf8(&mut [0; 4])),
            &Language::any_text(),
        ]);
        !self.intersect(&with).is_empty()
    }

    /// Can a word contain this ASCII byte?
    pub(super) fn can_contain_byte(&self, byte: u8) -> bool {
        byte < 0x80 && self.automaton().ascii() & (1u128 << byte) != 0
    }

    /// Can a word begin with `prefix`?
    #[must_use]
    pub fn can_start_with(&self, prefix: &str) -> bool {
        let fits = self
            .limit()
            .max
            .is_none_or(|max| prefix.chars().count() <= max);
        let automaton = self.unrolled().unwrap_or(self.automaton());
        fits && !automaton.after(prefix.as_bytes()).is_empty()
    }

    /// Lengths of its words in bytes; the true ones may be fewer.
    #[must_use]
    pub fn byte_length(&self) -> Length {
        let limit = self.limit();
        let widest = limit
            .max
            .map(|max| max.saturating_mul(self.automaton().widest()));
        self.automaton().bytes().both(&Length {
            min: limit.min,
            max: widest,
        })
    }

    /// Lengths of its words in characters; the true ones may be fewer.
    #[must_use]
    pub fn char_length(&self) -> Length {
        self.automaton().chars().both(&self.limit())
    }

    /// Has it finitely many words?
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.automaton().is_finite() || self.limit().max.is_some()
    }

    /// The number of its words if there are at most `limit`; `None` means more, or too many to count.
    #[must_use]
    pub fn count(&self, limit: usize) -> Option<usize> {
        if !self.is_finite() {
            return None;
        }
        let (words, complete) = self.list(&all_bytes(), limit.saturating_add(1));
        Some(words.len()).filter(|count| complete && *count <= limit)
    }
}

/// The number of characters is only counted as far as it matters: to the minimum first, and to the maximum if
/// the word found that way is too long in characters although it is shortest in bytes.
fn find_word(automaton: &Automaton, chars: Length, taste: Taste) -> Outcome<Trail<(u32, usize)>> {
    let found = find_counting(automaton, chars, chars.min, taste);
    match (&found, chars.max) {
        (Outcome::Found(trail), Some(max)) if count_chars(&trail.bytes) > max => {
            find_counting(automaton, chars, max.saturating_add(1), taste)
        }
        _ => found,
    }
}

fn count_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !is_continuation(**byte)).count()
}

/// Searches over pairs of state and number of characters, which stays at `cap` once it got there.
fn find_counting(
    automaton: &Automaton,
    chars: Length,
    cap: usize,
    taste: Taste,
) -> Outcome<Trail<(u32, usize)>> {
    shortest(
        (0u32, 0usize),
        taste,
        |(state, count)| automaton.state(*state).accept && chars.contains(*count),
        |(state, count), moves| {
            for edge in &automaton.state(*state).edges {
                let count = (count + usize::from(!is_continuation(edge.lo))).min(cap);
                moves.push(Move {
                    lo: edge.lo,
                    hi: edge.hi,
                    to: (edge.target, count),
                });
            }
        },
    )
}
