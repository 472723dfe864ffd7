//! "Both sides render the same texts" as a system of word equations.

use super::pattern::{Assignment, Part, Pattern};
use super::regular::Language;
use super::verdict::Clash;
use rustc_hash::FxHashMap;

/// Which side of a question a variable belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Left,
    Right,
}

/// Fixed text, or an unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Text(Vec<u8>),
    Slot(usize),
}

/// Two sequences that must render the same bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Equation {
    pub(super) left: Vec<Item>,
    pub(super) right: Vec<Item>,
}

/// An unknown: a variable of one side, or a free part, which has no name.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) language: Language,
    pub(super) name: Option<(Side, u32)>,
}

/// One equation per position (partition key, sort key).
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    pub(super) slots: Vec<Slot>,
    pub(super) equations: Vec<Equation>,
    named: FxHashMap<(Side, u32), usize>,
}

impl System {
    pub(super) fn new(left: &[Pattern], right: &[Pattern]) -> System {
        let mut system = System::default();
        for (left, right) in left.iter().zip(right) {
            let left = system.items(left, Side::Left);
            let right = system.items(right, Side::Right);
            system.equations.push(Equation { left, right });
        }
        system
    }

    fn items(&mut self, pattern: &Pattern, side: Side) -> Vec<Item> {
        pattern
            .parts()
            .iter()
            .map(|part| self.item(part, side))
            .collect()
    }

    fn item(&mut self, part: &Part, side: Side) -> Item {
        match part {
            Part::Literal(text) => Item::Text(text.clone().into_bytes()),
            Part::Free(language) => Item::Slot(self.add(language, None)),
            Part::Variable { id, language } => Item::Slot(self.variable((side, *id), language)),
        }
    }

    /// The slot of a variable; a second language for the same variable narrows the first.
    fn variable(&mut self, name: (Side, u32), language: &Language) -> usize {
        let Some(index) = self.named.get(&name).copied() else {
            let index = self.add(language, Some(name));
            self.named.insert(name, index);
            return index;
        };
        if let Some(slot) = self.slots.get_mut(index) {
            slot.language = slot.language.intersect(language);
        }
        index
    }

    fn add(&mut self, language: &Language, name: Option<(Side, u32)>) -> usize {
        self.slots.push(Slot {
            language: language.clone(),
            name,
        });
        self.slots.len() - 1
    }

    /// Left and right slot of each variable that both sides have.
    pub(super) fn shared_variables(&self) -> Vec<(usize, usize)> {
        let lefts = self
            .slots
            .iter()
            .enumerate()
            .filter_map(|(index, slot)| match slot.name {
                Some((Side::Left, id)) => self
                    .named
                    .get(&(Side::Right, id))
                    .map(|right| (index, *right)),
                _ => None,
            });
        lefts.collect()
    }

    /// Values of all slots as a refutation, if they really are words of their languages and really render
    /// the same texts. Nothing is reported that did not pass here.
    pub(super) fn clash(&self, values: &[String]) -> Option<Clash> {
        let belong = self
            .slots
            .iter()
            .zip(values)
            .all(|(slot, value)| slot.language.surely_accepts(value));
        if !belong || values.len() != self.slots.len() {
            return None;
        }
        let texts: Option<Vec<String>> = self
            .equations
            .iter()
            .map(|equation| {
                let text = rendered(&equation.left, values);
                (text == rendered(&equation.right, values))
                    .then(|| String::from_utf8(text).ok())
                    .flatten()
            })
            .collect();
        Some(Clash {
            left: self.named_values(values, Side::Left),
            right: self.named_values(values, Side::Right),
            texts: texts?,
        })
    }

    fn named_values(&self, values: &[String], side: Side) -> Assignment {
        let pairs = self.slots.iter().zip(values);
        pairs
            .filter_map(|(slot, value)| match slot.name {
                Some((own, id)) if own == side => Some((id, value.clone())),
                _ => None,
            })
            .collect()
    }
}

/// The bytes of a sequence.
pub(super) fn rendered(items: &[Item], values: &[String]) -> Vec<u8> {
    let mut text = Vec::new();
    for item in items {
        match item {
            Item::Text(part) => text.extend_from_slice(part),
            Item::Slot(slot) => {
                text.extend_from_slice(values.get(*slot).map_or(b"", |value| value.as_bytes()))
            }
        }
    }
    text
}
