//! What must be there: the state that each thread's requests lead to.

use crate::place::{COUNTERS, Place, Table};
use crate::version::{self, Stamp};
use crate::write::{Change, Condition, Outcome, Part, Write};
use monotable_item::{AttributeValue, Item};
use std::collections::BTreeMap;

/// What one thread has written, with nothing of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadState {
    /// Its items.
    pub items: BTreeMap<Place, Item>,
    /// Whether its side table is there.
    pub has_side: bool,
    /// How often it added to each shared counter.
    pub counts: [u64; COUNTERS as usize],
}

impl ThreadState {
    /// Carries out a request, and says what the engine must answer.
    pub fn apply(&mut self, stamp: Stamp, write: &Write) -> Outcome {
        match write {
            Write::One(_) | Write::Batch(_) | Write::Transact { .. } => {
                let parts = write.parts();
                let refusal = self.refusal(&parts);
                if refusal == Outcome::Done {
                    for part in &parts {
                        self.change(stamp, part);
                    }
                }
                refusal
            }
            Write::Count(counter) => {
                if let Some(count) = self.counts.get_mut(usize::from(*counter)) {
                    *count += 1;
                }
                Outcome::Done
            }
            Write::CreateSide if self.has_side => Outcome::TableExists,
            Write::CreateSide => {
                self.has_side = true;
                Outcome::Done
            }
            Write::DeleteSide if !self.has_side => Outcome::TableMissing,
            Write::DeleteSide => {
                self.has_side = false;
                self.items.retain(|place, _| place.table != Table::Side);
                Outcome::Done
            }
        }
    }

    /// Done if nothing is in the way.
    fn refusal(&self, parts: &[Part]) -> Outcome {
        let mut places = parts.iter().map(|part| part.place);
        if !self.has_side && places.any(|place| place.table == Table::Side) {
            return Outcome::TableMissing;
        }
        let holds = |part: &Part| match part.condition {
            None => true,
            Some(Condition::Exists) => self.items.contains_key(&part.place),
            Some(Condition::Absent) => !self.items.contains_key(&part.place),
        };
        if parts.iter().all(holds) {
            Outcome::Done
        } else {
            Outcome::ConditionFailed
        }
    }

    fn change(&mut self, stamp: Stamp, part: &Part) {
        let place = part.place;
        match part.change {
            Change::Put { size } => {
                self.items.insert(place, version::put(place, stamp, size));
            }
            Change::Touch { leaves_index } => {
                let key = || place.key(stamp.thread);
                let item = self.items.entry(place).or_insert_with(key);
                item.insert("touched", stamp.to_string());
                item.insert("g1", version::touched_group(place, stamp));
                if leaves_index {
                    item.remove("g2");
                }
                let touches = number(item, "n") + 1;
                item.insert("n", touches);
            }
            Change::Delete => {
                self.items.remove(&place);
            }
            Change::Check => {}
        }
    }
}

/// A count in an item; 0 if it is not there.
#[must_use]
pub fn number(item: &Item, name: &str) -> u64 {
    match item.get(name) {
        Some(AttributeValue::N(number)) => number.to_string().parse().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(sequence: u32) -> Stamp {
        Stamp {
            writer: 1,
            thread: 0,
            sequence,
        }
    }

    fn part(key: u16, change: Change, condition: Option<Condition>) -> Part {
        Part {
            place: Place {
                table: Table::Wide,
                key,
            },
            change,
            condition,
        }
    }

    #[test]
    fn a_transaction_with_a_failed_condition_changes_nothing() {
        let mut state = ThreadState::default();
        let parts = vec![
            part(1, Change::Put { size: 9 }, None),
            part(2, Change::Check, Some(Condition::Exists)),
        ];
        let write = Write::Transact { parts, token: true };
        assert_eq!(state.apply(stamp(1), &write), Outcome::ConditionFailed);
        assert_eq!(state, ThreadState::default());
    }

    #[test]
    fn deleting_the_side_table_deletes_its_items_and_no_others() {
        let mut state = ThreadState::default();
        let side = Part {
            place: Place {
                table: Table::Side,
                key: 1,
            },
            change: Change::Put { size: 9 },
            condition: None,
        };
        let batch = Write::Batch(vec![side, part(1, Change::Put { size: 9 }, None)]);
        assert_eq!(state.apply(stamp(1), &batch), Outcome::TableMissing);
        assert_eq!(state.apply(stamp(2), &Write::CreateSide), Outcome::Done);
        assert_eq!(state.apply(stamp(3), &batch), Outcome::Done);
        assert_eq!(state.items.len(), 2);
        assert_eq!(state.apply(stamp(4), &Write::DeleteSide), Outcome::Done);
        assert_eq!(state.items.len(), 1);
    }
}
