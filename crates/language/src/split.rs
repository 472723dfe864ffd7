//! Where an equation can be cut in two.
//!
//! A delimiter that no slot before it can contain is the first such character of the text; if that holds on
//! both sides, it is the same byte of the text. The same holds for the last one, and for a position that has
//! the same fixed distance from an end on both sides.

use super::classes::Classes;
use super::simplify::reversed;
use super::system::{Equation, Item};

/// The two sequences before and after a cut.
type Cut = (Vec<Item>, Vec<Item>);

/// Two smaller equations with the same solutions.
pub(super) fn split(equation: &Equation, classes: &Classes) -> Option<Vec<Equation>> {
    let from_front = split_front(equation, classes);
    from_front.or_else(|| {
        let parts = split_front(&reversed(equation.clone()), classes)?;
        Some(parts.into_iter().map(reversed).collect())
    })
}

fn split_front(equation: &Equation, classes: &Classes) -> Option<Vec<Equation>> {
    let (left, right) =
        at_delimiter(equation, classes).or_else(|| at_distance(equation, classes))?;
    Some(vec![
        Equation {
            left: left.0,
            right: right.0,
        },
        Equation {
            left: left.1,
            right: right.1,
        },
    ])
}

fn at_delimiter(equation: &Equation, classes: &Classes) -> Option<(Cut, Cut)> {
    let common = ascii_of(&equation.left) & ascii_of(&equation.right);
    let candidates = (0u8..128).filter(|byte| common & (1u128 << byte) != 0);
    candidates.into_iter().find_map(|byte| {
        Some((
            cut_at_byte(&equation.left, byte, classes)?,
            cut_at_byte(&equation.right, byte, classes)?,
        ))
    })
}

fn ascii_of(items: &[Item]) -> u128 {
    let texts = items.iter().filter_map(|item| match item {
        Item::Text(text) => Some(text),
        Item::Slot(_) => None,
    });
    texts
        .flatten()
        .filter(|byte| byte.is_ascii())
        .fold(0, |mask, byte| mask | (1u128 << byte))
}

/// Cuts at the first `byte` and drops it, unless a slot before could contain it.
fn cut_at_byte(items: &[Item], byte: u8, classes: &Classes) -> Option<Cut> {
    for (index, item) in items.iter().enumerate() {
        match item {
            Item::Slot(slot)
                if classes
                    .language(*slot)
                    .is_none_or(|known| known.can_contain_byte(byte)) =>
            {
                return None;
            }
            Item::Slot(_) => {}
            Item::Text(text) => {
                if let Some(at) = text.iter().position(|other| *other == byte) {
                    return Some(cut_text(items, index, at, at + 1));
                }
            }
        }
    }
    None
}

/// Cuts inside the text at `index`: before byte `end` of it, and from byte `begin` on.
fn cut_text(items: &[Item], index: usize, end: usize, begin: usize) -> Cut {
    let mut before: Vec<Item> = items.iter().take(index).cloned().collect();
    let mut after = Vec::new();
    if let Some(Item::Text(text)) = items.get(index) {
        push(&mut before, text.get(..end));
        push(&mut after, text.get(begin..));
    }
    after.extend(items.iter().skip(index + 1).cloned());
    (before, after)
}

fn push(items: &mut Vec<Item>, text: Option<&[u8]>) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        items.push(Item::Text(text.to_vec()));
    }
}

/// Cuts both sides at an equal distance where at least one has an item boundary.
fn at_distance(equation: &Equation, classes: &Classes) -> Option<(Cut, Cut)> {
    let distances = boundaries(&equation.left, classes)
        .into_iter()
        .chain(boundaries(&equation.right, classes));
    let mut cuts = distances.filter_map(|distance| {
        let left = cut_at_distance(&equation.left, distance, classes)?;
        let right = cut_at_distance(&equation.right, distance, classes)?;
        Some((left, right))
    });
    cuts.find(|(left, right)| !left.1.is_empty() || !right.1.is_empty())
}

/// Distances of item boundaries from the front, as far as all items have one length.
fn boundaries(items: &[Item], classes: &Classes) -> Vec<usize> {
    let mut sum = 0;
    let widths = items.iter().map_while(|item| width(item, classes));
    let sums = widths.map(|width| {
        sum += width;
        sum
    });
    sums.filter(|sum| *sum > 0).collect()
}

/// Length in bytes, if it has only one.
fn width(item: &Item, classes: &Classes) -> Option<usize> {
    match item {
        Item::Text(text) => Some(text.len()),
        Item::Slot(slot) => classes.language(*slot)?.byte_length().fixed(),
    }
}

/// `None` if the distance falls into a slot or behind one of unknown length.
fn cut_at_distance(items: &[Item], distance: usize, classes: &Classes) -> Option<Cut> {
    let mut left = distance;
    for (index, item) in items.iter().enumerate() {
        if left == 0 {
            return Some((
                items.iter().take(index).cloned().collect(),
                items.iter().skip(index).cloned().collect(),
            ));
        }
        let width = width(item, classes)?;
        if width > left {
            return matches!(item, Item::Text(_)).then(|| cut_text(items, index, left, left));
        }
        left -= width;
    }
    (left == 0).then(|| (items.to_vec(), Vec::new()))
}
