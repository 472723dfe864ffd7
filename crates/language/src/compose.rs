//! Languages from languages.
//!
//! Each operation works on automata and on limits. Where the two together would allow more than the words,
//! the result is approximate and gets an unrolled automaton, if that is not too large.

use super::automaton::Automaton;
use super::builder::{Builder, Fragment};
use super::length::Length;
use super::product::{intersection, subtraction};
use super::regular::Language;
use std::sync::Arc;

/// `x{2,5}` is unrolled up to this many states, beyond it becomes a loop with a length limit.
const UNROLLED_RANGE: usize = 24;

/// `x{36}` is unrolled up to this many states.
const UNROLLED_FIXED: usize = 300;

/// Unrolled automata for testing words.
const UNROLLED_TEST: usize = 2_000;

impl Language {
    /// Words of either.
    #[must_use]
    pub fn union(&self, other: &Language) -> Language {
        Language::any_of(&[self, other])
    }

    /// Words of any of `parts`.
    pub(super) fn any_of(parts: &[&Language]) -> Language {
        let parts: Vec<&Language> = parts
            .iter()
            .copied()
            .filter(|part| !part.automaton().is_empty())
            .collect();
        let automaton = assemble(parts.iter().map(|part| part.automaton()), Builder::either);
        let Some(limit) = parts
            .iter()
            .map(|part| part.char_length())
            .reduce(|a, b| a.hull(&b))
        else {
            return Language::nothing();
        };
        // The common limit must let no part have longer or shorter words than its own limit does.
        let exact = parts
            .iter()
            .all(|p| p.is_exact() && p.limit().covers(&p.automaton().chars().both(&limit)));
        if exact {
            return Language::limited(Arc::new(automaton), limit);
        }
        Language::approximate(automaton, limit, unrolled(&parts, Builder::either))
    }

    /// A word of the first followed by a word of the second.
    #[must_use]
    pub fn concat(&self, other: &Language) -> Language {
        Language::sequence(&[self, other])
    }

    /// Words of all `parts` in a row.
    pub(super) fn sequence(parts: &[&Language]) -> Language {
        let automaton = assemble(parts.iter().map(|part| part.automaton()), Builder::chain);
        if automaton.is_empty() {
            return Language::plain(automaton);
        }
        let limit = parts.iter().fold(Length::exactly(0), |sum, part| {
            sum.plus(&part.char_length())
        });
        // One counted part between parts of fixed length: the sum has room for nothing else.
        let varying = parts
            .iter()
            .filter(|part| part.automaton().chars().fixed().is_none());
        let counted = parts.iter().filter(|part| !part.is_plain()).count();
        let exact =
            parts.iter().all(|part| part.is_exact()) && (counted == 0 || varying.count() <= 1);
        if exact {
            return Language::limited(Arc::new(automaton), limit);
        }
        Language::approximate(automaton, limit, unrolled(parts, Builder::chain))
    }

    /// Its words and the empty text.
    #[must_use]
    pub fn optional(&self) -> Language {
        self.union(&Language::empty_text())
    }

    /// `min` to `max` words in a row.
    #[must_use]
    pub fn repeat(&self, min: usize, max: Option<usize>) -> Language {
        if max.is_some_and(|max| max < min) {
            return Language::nothing();
        }
        let size = self.automaton().len().saturating_sub(1).max(1);
        let allowed = if max == Some(min) || max.is_none() {
            UNROLLED_FIXED
        } else {
            UNROLLED_RANGE
        };
        let copies = max.unwrap_or(min);
        if self.is_plain() && copies.saturating_mul(size) <= allowed {
            return Language::plain(unroll(self.automaton(), min, max));
        }
        self.folded(min, max, size)
    }

    /// A repetition as a loop with a length limit.
    fn folded(&self, min: usize, max: Option<usize>, size: usize) -> Language {
        let first = if min.saturating_mul(size) <= UNROLLED_RANGE {
            min
        } else {
            1
        };
        let automaton = unroll(self.automaton(), first, None);
        let limit = self.char_length().times(&Length { min, max });
        // Characters count words only if every word has the same number of them.
        if self.is_plain() && self.automaton().chars().fixed().is_some() {
            return Language::limited(Arc::new(automaton), limit);
        }
        let states = self
            .as_states()
            .filter(|a| a.len().saturating_mul(max.unwrap_or(min)) <= UNROLLED_TEST);
        Language::approximate(
            automaton,
            limit,
            states.map(|states| unroll_for_tests(&states, min, max)),
        )
    }

    /// Words in both.
    #[must_use]
    pub fn intersect(&self, other: &Language) -> Language {
        if self.is_same(other) {
            return self.clone();
        }
        let limit = self.limit().both(&other.limit());
        if limit.is_empty() {
            return Language::nothing();
        }
        match intersection(self.automaton(), other.automaton()) {
            Some(automaton) if self.is_exact() && other.is_exact() => {
                Language::limited(Arc::new(automaton), limit)
            }
            Some(automaton) => Language::approximate(automaton, limit, self.common_states(other)),
            None => Language::approximate(self.automaton().clone(), limit, None),
        }
    }

    fn common_states(&self, other: &Language) -> Option<Automaton> {
        intersection(self.as_states()?.as_ref(), other.as_states()?.as_ref())
    }

    /// Words of the first that are not in the second; more than those if it would grow too large.
    #[must_use]
    pub fn difference(&self, other: &Language) -> Language {
        // The other's limit forbids nothing here if all our lengths are inside it.
        let inside = other.is_exact() && other.limit().covers(&self.char_length());
        let removed = if inside {
            Some(other.shared_automaton())
        } else {
            other.as_states()
        };
        let rest = removed.and_then(|removed| {
            subtraction(self.automaton(), &removed).map(|rest| (rest, removed))
        });
        match rest {
            Some((rest, _)) if self.is_exact() => Language::limited(Arc::new(rest), self.limit()),
            Some((rest, removed)) => {
                let states = self
                    .as_states()
                    .and_then(|states| subtraction(&states, &removed));
                Language::approximate(rest, self.limit(), states)
            }
            None => Language::approximate(self.automaton().clone(), self.limit(), None),
        }
    }

    /// All text that is not in the language.
    #[must_use]
    pub fn complement(&self) -> Language {
        Language::any_text().difference(self)
    }
}

/// Joins copies of automata.
fn assemble<'a>(
    parts: impl Iterator<Item = &'a Automaton>,
    join: impl Fn(&mut Builder, &[Fragment]) -> Fragment,
) -> Automaton {
    let mut builder = Builder::default();
    let fragments: Vec<Fragment> = parts.map(|part| builder.embed(part)).collect();
    let fragment = join(&mut builder, &fragments);
    builder.finish(fragment)
}

/// The same join over automata of exactly the words; kept nondeterministic, since it only tests words.
fn unrolled(
    parts: &[&Language],
    join: impl Fn(&mut Builder, &[Fragment]) -> Fragment,
) -> Option<Automaton> {
    let states: Option<Vec<Arc<Automaton>>> = parts.iter().map(|part| part.as_states()).collect();
    let states = states?;
    if states
        .iter()
        .map(|automaton| automaton.len())
        .sum::<usize>()
        > UNROLLED_TEST
    {
        return None;
    }
    let mut builder = Builder::default();
    let fragments: Vec<Fragment> = states.iter().map(|part| builder.embed(part)).collect();
    let fragment = join(&mut builder, &fragments);
    Some(builder.nondeterministic(fragment))
}

fn unroll(automaton: &Automaton, min: usize, max: Option<usize>) -> Automaton {
    let mut builder = Builder::default();
    let fragment = copies(&mut builder, automaton, min, max);
    builder.finish(fragment)
}

/// The same, kept nondeterministic: it only tests words.
fn unroll_for_tests(automaton: &Automaton, min: usize, max: Option<usize>) -> Automaton {
    let mut builder = Builder::default();
    let fragment = copies(&mut builder, automaton, min, max);
    builder.nondeterministic(fragment)
}

/// `min` copies in a row, then up to `max`, or a loop.
fn copies(
    builder: &mut Builder,
    automaton: &Automaton,
    min: usize,
    max: Option<usize>,
) -> Fragment {
    let mut fragments: Vec<Fragment> = (0..min).map(|_| builder.embed(automaton)).collect();
    match max {
        None => {
            let body = builder.embed(automaton);
            fragments.push(builder.looped(body));
        }
        Some(max) => {
            // Each optional copy can be left for the common end at once, which keeps silent closures small.
            let end = builder.node();
            for _ in min..max {
                let body = builder.embed(automaton);
                let entry = builder.node();
                builder.silent(entry, body.start);
                builder.silent(entry, end);
                fragments.push(Fragment {
                    start: entry,
                    end: body.end,
                });
            }
            fragments.push(Fragment { start: end, end });
        }
    }
    builder.chain(&fragments)
}
