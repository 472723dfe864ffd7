//! Building a concrete solution of a system.
//!
//! One stuck equation after the other is given a common text by a product; the values its slots take there
//! become constants, and what follows from them is worked out before the next. If a slot that occurs twice
//! took two values, only that slot is fixed and the equation is read again.

use super::classes::{Classes, Contradiction};
use super::readable::Taste;
use super::search::Outcome;
use super::simplify::simplify;
use super::system::{Equation, Item, System};
use super::track::{Reading, common_text};
use super::verdict::Clash;
use std::collections::BTreeMap;

/// How many different witnesses are tried.
pub(super) const TASTES: u8 = 6;

/// What is known while a solution is built.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) classes: Classes,
    pub(super) stuck: Vec<Equation>,
}

impl Attempt {
    /// Chooses values for everything; the result is checked, so `None` means only that the guesses failed.
    pub(super) fn finish(mut self, system: &System, taste: Taste) -> Option<Clash> {
        // Every round fixes at least one slot.
        for _ in 0..=system.slots.len() {
            let Some(equation) = self.stuck.first().cloned() else {
                return system.clash(&self.values(system, taste)?);
            };
            let (left, right) = self.classes.tracks(&equation);
            let Outcome::Found(reading) = common_text(&left, &right, taste) else {
                return None;
            };
            self.take(&equation, &reading, taste).ok()?;
        }
        None
    }

    /// Fixes slots as `reading` has them and works out what follows.
    pub(super) fn take(
        &mut self,
        equation: &Equation,
        reading: &Reading,
        taste: Taste,
    ) -> Result<(), Contradiction> {
        let values = values_in(equation, reading);
        match values
            .iter()
            .find(|(_, values)| values.iter().any(|value| Some(value) != values.first()))
        {
            Some((slot, values)) => {
                let chosen = if taste.0.is_multiple_of(2) {
                    values.first()
                } else {
                    values.last()
                };
                self.classes
                    .bind(*slot, chosen.map_or(b"", Vec::as_slice))?;
            }
            None => {
                for (slot, values) in &values {
                    self.classes
                        .bind(*slot, values.first().map_or(b"", Vec::as_slice))?;
                }
            }
        }
        self.stuck = simplify(std::mem::take(&mut self.stuck), &mut self.classes)?;
        Ok(())
    }

    /// A value for every slot of the system.
    fn values(&self, system: &System, taste: Taste) -> Option<Vec<String>> {
        let slots = 0..system.slots.len();
        slots
            .map(|slot| match self.classes.constant(slot) {
                Some(value) => String::from_utf8(value.to_vec()).ok(),
                None => self.classes.language(slot)?.tasted_word(taste),
            })
            .collect()
    }
}

/// The values each slot of an equation takes in a reading, in order of occurrence.
fn values_in(equation: &Equation, reading: &Reading) -> BTreeMap<usize, Vec<Vec<u8>>> {
    let mut values: BTreeMap<usize, Vec<Vec<u8>>> = BTreeMap::new();
    for (index, item) in equation.left.iter().enumerate() {
        if let Item::Slot(slot) = item {
            values
                .entry(*slot)
                .or_default()
                .push(reading.left_value(index));
        }
    }
    for (index, item) in equation.right.iter().enumerate() {
        if let Item::Slot(slot) = item {
            values
                .entry(*slot)
                .or_default()
                .push(reading.right_value(index));
        }
    }
    values
}
