//! What keys of one kind have in common.

use crate::guess::is_generic;
use crate::word::{Word, is_id_like};

/// A place of a shape.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    /// Separators and labels.
    Text(String),
    /// A word that all keys have.
    Literal(String),
    /// A word that differs from key to key.
    Value,
}

/// The shape of one key: words that attributes show, and those that look like ids, are values. What a key begins with is
/// what the design writes, until keys that are alike otherwise show that it is not.
/// An attribute with a name of its own that is one word is a value.
pub(crate) fn of(attribute: &str, words: &[Word]) -> Vec<Slot> {
    if let [Word::Value { .. }] = words
        && !is_generic(attribute)
    {
        return vec![Slot::Value];
    }
    let slots = words.iter().enumerate().map(|(position, word)| match word {
        Word::Text(text) => Slot::Text(text.clone()),
        Word::Value { text, sources } => {
            let is_first = position == 0;
            if is_id_like(text) || (!is_first && !sources.is_empty()) {
                Slot::Value
            } else {
                Slot::Literal(text.clone())
            }
        }
    });
    slots.collect()
}

/// Two shapes as one: literals that differ become values. None if their texts differ, or their lengths.
pub(crate) fn unite(one: &[Slot], other: &[Slot]) -> Option<Vec<Slot>> {
    if one.len() != other.len() {
        return None;
    }
    let slots = one
        .iter()
        .zip(other)
        .map(|(one, other)| match (one, other) {
            (Slot::Text(text), Slot::Text(same)) if text == same => Some(one.clone()),
            (Slot::Text(_), _) | (_, Slot::Text(_)) => None,
            (Slot::Literal(word), Slot::Literal(same)) if word == same => Some(one.clone()),
            _ => Some(Slot::Value),
        });
    slots.collect()
}
