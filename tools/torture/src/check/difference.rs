//! What differs between two states of a thread, in words.

use crate::model::ThreadState;
use crate::place::Place;
use monotable_item::{AttributeValue, Item};
use std::collections::BTreeSet;

/// Everything that differs.
pub(super) fn all(expected: &ThreadState, found: &ThreadState) -> impl Iterator<Item = String> {
    let places: BTreeSet<Place> = expected
        .items
        .keys()
        .chain(found.items.keys())
        .copied()
        .collect();
    let items = places.into_iter().filter_map(|place| {
        let (expected, found) = (expected.items.get(&place), found.items.get(&place));
        (expected != found).then(|| {
            format!(
                "{place:?}: must be {}, is {}",
                describe(expected),
                describe(found)
            )
        })
    });
    let side = (expected.has_side != found.has_side).then(|| {
        let (must, is) = (expected.has_side, found.has_side);
        format!("side table: must be there: {must}, is there: {is}")
    });
    let counts = expected.counts.iter().zip(&found.counts).enumerate();
    let counts = counts.filter(|(_, (expected, found))| expected != found);
    let counts = counts.map(|(counter, (expected, found))| {
        format!("counter {counter}: added {expected}, is {found}")
    });
    let counts: Vec<String> = counts.collect();
    items
        .collect::<Vec<_>>()
        .into_iter()
        .chain(side)
        .chain(counts)
}

fn describe(item: Option<&Item>) -> String {
    let Some(item) = item else {
        return "absent".to_owned();
    };
    let shown = ["stamp", "touched", "n", "g1", "g2"];
    let shown = shown
        .into_iter()
        .filter_map(|name| Some(format!("{name}={}", text(item.get(name)?))));
    format!("[{}]", shown.collect::<Vec<_>>().join(" "))
}

fn text(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        other => format!("{other:?}"),
    }
}
