//! Can different values render the same text?

use super::attempt::{Attempt, TASTES};
use super::classes::{Classes, Contradiction};
use super::enumerate::enumerate;
use super::pattern::Pattern;
use super::readable::Taste;
use super::search::Outcome;
use super::simplify::simplify;
use super::spans::{Watched, different_spans};
use super::system::{Equation, Item, System};
use super::track::Reading;
use super::verdict::{Clash, Verdict};

/// Do different values of its variables always render different texts? Refuted with two assignments.
#[must_use]
pub fn ambiguity(pattern: &Pattern) -> Verdict<Clash> {
    ambiguity_of_pair(std::slice::from_ref(pattern))
}

/// The same for several patterns rendered from one assignment, such as partition and sort key: `Proven` if
/// all their texts together determine every variable.
#[must_use]
pub fn ambiguity_of_pair(patterns: &[Pattern]) -> Verdict<Clash> {
    let system = System::new(patterns, patterns);
    let mut known = Attempt {
        classes: Classes::new(&system),
        stuck: system.equations.clone(),
    };
    match determine(&system, &mut known) {
        // No text at all, so no two values with the same text.
        Err(Contradiction) => Verdict::Proven,
        Ok(open) if open.is_empty() => Verdict::Proven,
        Ok(open) => match refute(&system, &known, &open) {
            Some(clash) => Verdict::Refuted(clash),
            None => Verdict::NotProven(
                "a variable may not be determined by the text, but no example was found".to_owned(),
            ),
        },
    }
}

/// Merges the two copies of every variable whose value the texts determine. Returns the others.
fn determine(system: &System, known: &mut Attempt) -> Result<Vec<(usize, usize)>, Contradiction> {
    loop {
        known.stuck = simplify(std::mem::take(&mut known.stuck), &mut known.classes)?;
        let mut open = system.shared_variables();
        open.retain(|(left, right)| !known.classes.agree(*left, *right));
        let determined: Vec<_> = open
            .iter()
            .filter(|pair| is_determined(known, **pair))
            .collect();
        if determined.is_empty() {
            return Ok(open);
        }
        for (left, right) in determined {
            known.classes.unite(*left, *right)?;
        }
    }
}

fn is_determined(known: &Attempt, pair: (usize, usize)) -> bool {
    let mut occurrences = known
        .stuck
        .iter()
        .flat_map(|equation| occurrences(known, equation, pair));
    occurrences.any(|(equation, pieces)| {
        differing(known, equation, pieces, Taste::default()).is_exhausted()
    })
}

/// The first, second ... occurrence of a variable in an equation: piece numbers on the left and the right.
fn occurrences<'a>(
    known: &Attempt,
    equation: &'a Equation,
    (left, right): (usize, usize),
) -> Vec<(&'a Equation, (usize, usize))> {
    let places = |items: &[Item], slot: usize| -> Vec<usize> {
        let numbered = items.iter().enumerate();
        numbered
            .filter(|(_, item)| **item == Item::Slot(known.classes.root(slot)))
            .map(|(index, _)| index)
            .collect()
    };
    let pairs = places(&equation.left, left)
        .into_iter()
        .zip(places(&equation.right, right));
    pairs.map(|pieces| (equation, pieces)).collect()
}

fn differing(
    known: &Attempt,
    equation: &Equation,
    pieces: (usize, usize),
    taste: Taste,
) -> Outcome<Reading> {
    let (left, right) = known.classes.tracks(equation);
    let left = Watched {
        track: &left,
        piece: pieces.0,
    };
    different_spans(
        left,
        Watched {
            track: &right,
            piece: pieces.1,
        },
        taste,
    )
}

fn refute(system: &System, known: &Attempt, open: &[(usize, usize)]) -> Option<Clash> {
    let built = (0..TASTES)
        .map(Taste)
        .find_map(|taste| refute_by_product(system, known, open, taste));
    built.or_else(|| enumerate(system, known, differs))
}

fn differs(clash: &Clash) -> bool {
    clash.left != clash.right
}

/// Starts from a text in which a variable takes different bytes, and completes the rest.
fn refute_by_product(
    system: &System,
    known: &Attempt,
    open: &[(usize, usize)],
    taste: Taste,
) -> Option<Clash> {
    let places = open.iter().flat_map(|pair| {
        known
            .stuck
            .iter()
            .flat_map(move |equation| occurrences(known, equation, *pair))
    });
    places.into_iter().find_map(|(equation, pieces)| {
        let Outcome::Found(reading) = differing(known, equation, pieces, taste) else {
            return None;
        };
        let mut attempt = known.clone();
        attempt.take(equation, &reading, taste).ok()?;
        attempt.finish(system, taste).filter(differs)
    })
}
