//! Replacing a slot by what it must equal.
//!
//! A stuck equation `{x}` = `A{n}` defines x. In all other equations x can be replaced by `A{n}`; the equation
//! itself stays, since x's language restricts n. This relates texts that share a variable: x cannot begin
//! with both `A` and `B`.

use super::system::{Equation, Item};

/// Equations are not made longer than this, in items of both sides.
const LONGEST: usize = 60;

/// Replaces one slot everywhere but in its definition. False if there is none to replace.
pub(super) fn substitute(equations: &mut [Equation]) -> bool {
    for defining in 0..equations.len() {
        let Some((slot, sequence)) = equations.get(defining).and_then(definition) else {
            continue;
        };
        let others = || {
            equations
                .iter()
                .enumerate()
                .filter(|(index, _)| *index != defining)
        };
        let used = others().any(|(_, equation)| occurrences(equation, slot) > 0);
        let fits = others().all(|(_, equation)| {
            length(equation)
                .saturating_add(occurrences(equation, slot).saturating_mul(sequence.len()))
                <= LONGEST
        });
        if used && fits {
            replace_all(equations, defining, slot, &sequence);
            return true;
        }
    }
    false
}

/// A slot alone on one side that does not occur on the other.
fn definition(equation: &Equation) -> Option<(usize, Vec<Item>)> {
    match (equation.left.as_slice(), equation.right.as_slice()) {
        ([Item::Slot(slot)], sequence) | (sequence, [Item::Slot(slot)])
            if !sequence.contains(&Item::Slot(*slot)) =>
        {
            Some((*slot, sequence.to_vec()))
        }
        _ => None,
    }
}

fn length(equation: &Equation) -> usize {
    equation.left.len() + equation.right.len()
}

fn occurrences(equation: &Equation, slot: usize) -> usize {
    equation
        .left
        .iter()
        .chain(&equation.right)
        .filter(|item| **item == Item::Slot(slot))
        .count()
}

fn replace_all(equations: &mut [Equation], defining: usize, slot: usize, sequence: &[Item]) {
    for (_, equation) in equations
        .iter_mut()
        .enumerate()
        .filter(|(index, _)| *index != defining)
    {
        equation.left = replaced(&equation.left, slot, sequence);
        equation.right = replaced(&equation.right, slot, sequence);
    }
}

fn replaced(items: &[Item], slot: usize, sequence: &[Item]) -> Vec<Item> {
    let mut result = Vec::with_capacity(items.len());
    for item in items {
        if *item == Item::Slot(slot) {
            result.extend_from_slice(sequence);
        } else {
            result.push(item.clone());
        }
    }
    result
}
