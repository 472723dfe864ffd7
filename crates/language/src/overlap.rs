//! Questions about two languages.

use super::automaton::Automaton;
use super::length::Length;
use super::product::{made_deterministic, split_edge};
use super::readable::Taste;
use super::regular::Language;
use super::search::{Move, Outcome, shortest};
use super::verdict::Verdict;

/// Words tried as witness when a language is approximate.
const TRIED_WORDS: usize = 200;

/// Have the languages no common word? Refuted with a shortest common word.
#[must_use]
pub fn overlap(a: &Language, b: &Language) -> Verdict<String> {
    let common = a.intersect(b);
    if common.is_empty() {
        return Verdict::Proven;
    }
    let candidates = common
        .shortest_word()
        .into_iter()
        .chain(common.words(TRIED_WORDS));
    for word in candidates {
        if a.surely_accepts(&word) && b.surely_accepts(&word) {
            return Verdict::Refuted(word);
        }
    }
    Verdict::NotProven("too large: no common word was found that surely belongs to both".to_owned())
}

/// Is every word of `a` in `b`? Refuted with a word of `a` that is not in `b`.
#[must_use]
pub fn is_subset(a: &Language, b: &Language) -> Verdict<String> {
    if a.is_same(b) {
        return Verdict::Proven;
    }
    let candidates = [find_outside(a, b), find_length_outside(a, b)];
    for outcome in &candidates {
        if let Outcome::Found(word) = outcome
            && a.surely_accepts(word)
            && !b.accepts(word)
        {
            return Verdict::Refuted(word.clone());
        }
    }
    if candidates
        .iter()
        .all(|outcome| matches!(outcome, Outcome::Exhausted))
        && b.is_exact()
    {
        return Verdict::Proven;
    }
    inside_states(a, b)
}

type Word = Outcome<String>;

/// Decides on automata with limits unrolled into states.
fn inside_states(a: &Language, b: &Language) -> Verdict<String> {
    let too_large = || Verdict::NotProven("too large to compare".to_owned());
    let (Some(left), Some(right)) = (a.as_states(), b.as_states()) else {
        return too_large();
    };
    match find_difference(&left, &right) {
        Outcome::Found(word) => Verdict::Refuted(word),
        Outcome::Exhausted => Verdict::Proven,
        Outcome::TooLarge => too_large(),
    }
}

/// A word of `a`, inside its limit, that the automaton of `b` does not accept.
fn find_outside(a: &Language, b: &Language) -> Word {
    match find_difference(a.automaton(), b.automaton()) {
        // The word may be outside the limit of `a`, then the automata decide nothing.
        Outcome::Found(word) if !a.limit().contains(word.chars().count()) => Outcome::TooLarge,
        outcome => outcome,
    }
}

/// A word of `a` that is shorter or longer than `b` allows.
fn find_length_outside(a: &Language, b: &Language) -> Word {
    let (own, allowed) = (a.limit(), b.limit());
    let shorter = allowed.min.checked_sub(1).map(|max| Length {
        min: 0,
        max: Some(max),
    });
    let longer = allowed.max.map(|max| Length {
        min: max.saturating_add(1),
        max: None,
    });
    let mut result = Outcome::Exhausted;
    for chars in [shorter, longer]
        .into_iter()
        .flatten()
        .map(|range| range.both(&own))
    {
        if chars.is_empty() {
            continue;
        }
        match a.find(chars, Taste::default()) {
            Outcome::Found(trail) => match String::from_utf8(trail.bytes) {
                Ok(word) => return Outcome::Found(word),
                Err(_) => result = Outcome::TooLarge,
            },
            Outcome::TooLarge => result = Outcome::TooLarge,
            Outcome::Exhausted => {}
        }
    }
    result
}

/// A shortest word accepted by `a` and not by `b`.
fn find_difference(a: &Automaton, b: &Automaton) -> Word {
    let determinized = if b.is_deterministic() {
        None
    } else {
        made_deterministic(b)
    };
    let b = determinized.as_ref().unwrap_or(b);
    if !b.is_deterministic() {
        return Outcome::TooLarge;
    }
    let found = shortest(
        (0u32, Some(0u32)),
        Taste::default(),
        |(p, q)| a.state(*p).accept && !q.is_some_and(|q| b.state(q).accept),
        |(p, q), moves| {
            let cut = a
                .state(*p)
                .edges
                .iter()
                .flat_map(|edge| split_edge(edge, q.map(|q| b.state(q))));
            moves.extend(cut.map(|(lo, hi, left, right)| Move {
                lo,
                hi,
                to: (left, right),
            }));
        },
    );
    match found {
        Outcome::Found(trail) => {
            String::from_utf8(trail.bytes).map_or(Outcome::TooLarge, Outcome::Found)
        }
        Outcome::Exhausted => Outcome::Exhausted,
        Outcome::TooLarge => Outcome::TooLarge,
    }
}
