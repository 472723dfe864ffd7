//! Can two templates render the same texts?

use super::attempt::{Attempt, TASTES};
use super::classes::Classes;
use super::enumerate::enumerate;
use super::pattern::Pattern;
use super::readable::Taste;
use super::search::Outcome;
use super::simplify::simplify;
use super::system::{Equation, System};
use super::track::common_text;
use super::verdict::{Clash, Verdict};

/// Can the left patterns, with some values, and the right patterns, with others, render the same texts
/// position by position? `Proven` means never. Variables of the two sides are independent of each other.
#[must_use]
pub fn meet(left: &[Pattern], right: &[Pattern]) -> Verdict<Clash> {
    if left.len() != right.len() {
        return Verdict::NotProven("the two sides have different numbers of patterns".to_owned());
    }
    if left
        .iter()
        .zip(right)
        .any(|(left, right)| prefixes_differ(left, right))
    {
        return Verdict::Proven;
    }
    let system = System::new(left, right);
    let mut classes = Classes::new(&system);
    if any_without_text(&system.equations, &classes) {
        return Verdict::Proven;
    }
    let Ok(stuck) = simplify(system.equations.clone(), &mut classes) else {
        return Verdict::Proven;
    };
    if any_without_text(&stuck, &classes) {
        return Verdict::Proven;
    }
    let known = Attempt { classes, stuck };
    match witness(&system, &known) {
        Some(clash) => Verdict::Refuted(clash),
        None => Verdict::NotProven(reason(&known)),
    }
}

fn reason(known: &Attempt) -> String {
    let too_large = known.stuck.iter().any(|equation| {
        let (left, right) = known.classes.tracks(equation);
        matches!(
            common_text(&left, &right, Taste::default()),
            Outcome::TooLarge
        )
    });
    let reason = if too_large {
        "too large to compare"
    } else {
        "no common text was found, but none is impossible"
    };
    reason.to_owned()
}

/// Decides most pairs of a model without looking at any automaton.
fn prefixes_differ(left: &Pattern, right: &Pattern) -> bool {
    let pairs = left
        .literal_prefix()
        .bytes()
        .zip(right.literal_prefix().bytes());
    pairs.into_iter().any(|(a, b)| a != b)
}

/// Is there an equation whose sides have no common text, even if every occurrence had its own value?
fn any_without_text(equations: &[Equation], classes: &Classes) -> bool {
    equations.iter().any(|equation| {
        let (left, right) = classes.tracks(equation);
        common_text(&left, &right, Taste::default()).is_exhausted()
    })
}

fn witness(system: &System, known: &Attempt) -> Option<Clash> {
    let built = (0..TASTES).find_map(|taste| known.clone().finish(system, Taste(taste)));
    built.or_else(|| enumerate(system, known, |_| true))
}
