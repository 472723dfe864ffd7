//! Trying small values: the last resort against "not proven".
//!
//! Every unknown gets a few short words over the bytes that the equations mention. All left sides are
//! rendered and remembered by their texts, then all right sides are looked up.

use super::attempt::Attempt;
use super::system::{Item, Side, System, rendered};
use super::verdict::Clash;
use std::collections::{BTreeSet, HashMap};

/// Value tuples tried per side.
const TUPLES: usize = 3_000;

/// Words tried per unknown.
const WORDS: usize = 60;

/// Pairs with equal texts that are looked at.
const PAIRS: usize = 20_000;

/// A solution among small values that `wanted` likes.
pub(super) fn enumerate(
    system: &System,
    known: &Attempt,
    wanted: impl Fn(&Clash) -> bool,
) -> Option<Clash> {
    let alphabet = alphabet(system);
    let left = Choices::new(system, known, Side::Left, &alphabet);
    let right = Choices::new(system, known, Side::Right, &alphabet);
    let blank = vec![String::new(); system.slots.len()];
    let mut by_texts: HashMap<Vec<Vec<u8>>, Vec<Vec<usize>>> = HashMap::new();
    for tuple in left.tuples() {
        let mut values = blank.clone();
        left.fill(&tuple, &mut values);
        by_texts
            .entry(texts(system, Side::Left, &values))
            .or_default()
            .push(tuple);
    }
    let mut budget = PAIRS;
    for tuple in right.tuples() {
        let mut values = blank.clone();
        right.fill(&tuple, &mut values);
        for partner in by_texts
            .get(&texts(system, Side::Right, &values))
            .into_iter()
            .flatten()
        {
            budget = budget.checked_sub(1)?;
            left.fill(partner, &mut values);
            if let Some(clash) = system.clash(&values).filter(&wanted) {
                return Some(clash);
            }
        }
    }
    None
}

/// Bytes in the literals, after two plain ones.
fn alphabet(system: &System) -> Vec<u8> {
    let items = system
        .equations
        .iter()
        .flat_map(|equation| equation.left.iter().chain(&equation.right));
    let texts = items.filter_map(|item| match item {
        Item::Text(text) => Some(text),
        Item::Slot(_) => None,
    });
    let mentioned: BTreeSet<u8> = texts.flatten().copied().collect();
    let plain = [b'a', b'1']
        .into_iter()
        .filter(|byte| !mentioned.contains(byte));
    plain.chain(mentioned.iter().copied()).collect()
}

fn texts(system: &System, side: Side, values: &[String]) -> Vec<Vec<u8>> {
    let sides = system.equations.iter().map(|equation| match side {
        Side::Left => &equation.left,
        Side::Right => &equation.right,
    });
    sides.map(|items| rendered(items, values)).collect()
}

/// The unknowns of one side and the words to try for each.
struct Choices {
    slots: Vec<usize>,
    words: Vec<Vec<String>>,
}

impl Choices {
    fn new(system: &System, known: &Attempt, side: Side, alphabet: &[u8]) -> Choices {
        let sides = system.equations.iter().flat_map(|equation| match side {
            Side::Left => &equation.left,
            Side::Right => &equation.right,
        });
        let slots: BTreeSet<usize> = sides
            .filter_map(|item| match item {
                Item::Slot(slot) => Some(*slot),
                Item::Text(_) => None,
            })
            .collect();
        let open = slots
            .iter()
            .filter(|slot| known.classes.constant(**slot).is_none())
            .count();
        let count = words_per_slot(open);
        let words = slots
            .iter()
            .map(|slot| words_of(known, *slot, alphabet, count))
            .collect();
        Choices {
            slots: slots.into_iter().collect(),
            words,
        }
    }

    /// All combinations of word numbers, the last unknown changing fastest.
    fn tuples(&self) -> impl Iterator<Item = Vec<usize>> {
        let sizes: Vec<usize> = self.words.iter().map(Vec::len).collect();
        let total = sizes
            .iter()
            .try_fold(1usize, |product, size| product.checked_mul(*size))
            .unwrap_or(TUPLES);
        (0..total.min(TUPLES)).map(move |number| digits(number, &sizes))
    }

    fn fill(&self, tuple: &[usize], values: &mut [String]) {
        for ((slot, words), choice) in self.slots.iter().zip(&self.words).zip(tuple) {
            if let (Some(value), Some(word)) = (values.get_mut(*slot), words.get(*choice)) {
                value.clone_from(word);
            }
        }
    }
}

/// `number` in the mixed base of `sizes`.
fn digits(number: usize, sizes: &[usize]) -> Vec<usize> {
    let mut rest = number;
    let mut digits: Vec<usize> = sizes
        .iter()
        .rev()
        .map(|size| {
            let digit = rest % size;
            rest /= size;
            digit
        })
        .collect();
    digits.reverse();
    digits
}

/// The largest number whose power over all unknowns stays within [`TUPLES`].
fn words_per_slot(open: usize) -> usize {
    let fits = |count: &usize| {
        u32::try_from(open)
            .is_ok_and(|open| count.checked_pow(open).is_some_and(|all| all <= TUPLES))
    };
    (2..=WORDS).rev().find(fits).unwrap_or(2)
}

fn words_of(known: &Attempt, slot: usize, alphabet: &[u8], count: usize) -> Vec<String> {
    let Some(language) = known.classes.language(slot) else {
        return Vec::new();
    };
    let words = language.words_over(alphabet, count);
    if words.is_empty() {
        language.words(count)
    } else {
        words
    }
}
