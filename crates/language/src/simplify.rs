//! Splitting equations until single slots can be merged.
//!
//! Every rule keeps the set of solutions, so a contradiction proves that there is none.

use super::classes::{Classes, Contradiction};
use super::split::split;
use super::substitute::substitute;
use super::system::{Equation, Item};

/// Passes over all equations; each pass but the last merged, bound or replaced a slot.
const PASSES: usize = 60;

/// The equations that no rule could take apart, with everything learnt put into `classes`.
pub(super) fn simplify(
    equations: Vec<Equation>,
    classes: &mut Classes,
) -> Result<Vec<Equation>, Contradiction> {
    let mut rest = equations;
    for _ in 0..PASSES {
        let before = classes.changes();
        rest = pass(rest, classes)?;
        if !substitute(&mut rest) && classes.changes() == before {
            break;
        }
    }
    Ok(rest)
}

fn pass(equations: Vec<Equation>, classes: &mut Classes) -> Result<Vec<Equation>, Contradiction> {
    let mut open = equations;
    let mut stuck = Vec::new();
    while let Some(equation) = open.pop() {
        let equation = Equation {
            left: current(&equation.left, classes),
            right: current(&equation.right, classes),
        };
        let equation = stripped(equation)?;
        if solve_single(&equation, classes)? {
            continue;
        }
        match parallel(&equation, classes).or_else(|| split(&equation, classes)) {
            Some(smaller) => open.extend(smaller),
            None => stuck.push(equation),
        }
    }
    stuck.reverse();
    Ok(stuck)
}

/// Items with known values as text, one slot per class, neighbouring texts joined.
fn current(items: &[Item], classes: &Classes) -> Vec<Item> {
    let mut result: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        match item {
            Item::Text(text) => push_text(&mut result, text),
            Item::Slot(slot) => match classes.constant(*slot) {
                Some(text) => push_text(&mut result, text),
                None => result.push(Item::Slot(classes.root(*slot))),
            },
        }
    }
    result
}

fn push_text(items: &mut Vec<Item>, text: &[u8]) {
    match items.last_mut() {
        _ if text.is_empty() => {}
        Some(Item::Text(last)) => last.extend_from_slice(text),
        _ => items.push(Item::Text(text.to_vec())),
    }
}

/// Takes equal beginnings and equal ends away.
fn stripped(equation: Equation) -> Result<Equation, Contradiction> {
    let front = stripped_front(equation)?;
    Ok(reversed(stripped_front(reversed(front))?))
}

/// Both sides read backwards; byte by byte, which is fine since they are only compared.
pub(super) fn reversed(equation: Equation) -> Equation {
    Equation {
        left: backwards(equation.left),
        right: backwards(equation.right),
    }
}

fn backwards(items: Vec<Item>) -> Vec<Item> {
    let flipped = items.into_iter().rev().map(|item| match item {
        Item::Text(mut text) => {
            text.reverse();
            Item::Text(text)
        }
        slot @ Item::Slot(_) => slot,
    });
    flipped.collect()
}

fn stripped_front(equation: Equation) -> Result<Equation, Contradiction> {
    let (mut left, mut right) = (equation.left, equation.right);
    loop {
        match (left.first_mut(), right.first_mut()) {
            (Some(Item::Slot(a)), Some(Item::Slot(b))) if a == b => {
                left.remove(0);
                right.remove(0);
            }
            (Some(Item::Text(a)), Some(Item::Text(b))) => {
                let common = a.len().min(b.len());
                if a.get(..common) != b.get(..common) {
                    return Err(Contradiction);
                }
                a.drain(..common);
                b.drain(..common);
                drop_empty(&mut left);
                drop_empty(&mut right);
            }
            _ => return Ok(Equation { left, right }),
        }
    }
}

fn drop_empty(items: &mut Vec<Item>) {
    if matches!(items.first(), Some(Item::Text(text)) if text.is_empty()) {
        items.remove(0);
    }
}

/// Equations between single items are solved for good.
fn solve_single(equation: &Equation, classes: &mut Classes) -> Result<bool, Contradiction> {
    match (equation.left.as_slice(), equation.right.as_slice()) {
        ([], []) => Ok(true),
        ([], items) | (items, []) => all_empty(items, classes).map(|()| true),
        ([Item::Slot(a)], [Item::Slot(b)]) => classes.unite(*a, *b).map(|()| true),
        ([Item::Slot(slot)], [Item::Text(text)]) | ([Item::Text(text)], [Item::Slot(slot)]) => {
            classes.bind(*slot, text).map(|()| true)
        }
        _ => Ok(false),
    }
}

fn all_empty(items: &[Item], classes: &mut Classes) -> Result<(), Contradiction> {
    for item in items {
        match item {
            Item::Text(text) if text.is_empty() => {}
            Item::Text(_) => return Err(Contradiction),
            Item::Slot(slot) => classes.bind(*slot, b"")?,
        }
    }
    Ok(())
}

/// `{a}-{x}-{a}` = `{b}-{x}-{b}`: item by item of equal length except for one pair of slots that recurs. Then
/// the pair's lengths are equal as well, since the sums are, and the items are equal one by one.
fn parallel(equation: &Equation, classes: &Classes) -> Option<Vec<Equation>> {
    if equation.left.len() != equation.right.len() {
        return None;
    }
    let mut unequal: Option<(usize, usize)> = None;
    for pair in equation.left.iter().zip(&equation.right) {
        match pair {
            (Item::Text(a), Item::Text(b)) if a.len() == b.len() => {}
            (Item::Slot(a), Item::Slot(b)) if a == b || same_width(*a, *b, classes) => {}
            (Item::Slot(a), Item::Slot(b)) if *unequal.get_or_insert((*a, *b)) == (*a, *b) => {}
            _ => return None,
        }
    }
    let pairs = equation.left.iter().zip(&equation.right);
    Some(
        pairs
            .map(|(a, b)| Equation {
                left: vec![a.clone()],
                right: vec![b.clone()],
            })
            .collect(),
    )
}

fn same_width(a: usize, b: usize, classes: &Classes) -> bool {
    let width = |slot| {
        classes
            .language(slot)
            .and_then(|language| language.byte_length().fixed())
    };
    width(a).is_some() && width(a) == width(b)
}
