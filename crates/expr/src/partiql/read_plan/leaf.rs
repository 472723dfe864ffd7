//! Conditions on one attribute of the key.

use super::KeyValue;
use crate::SortCondition;
use crate::tree::{Comparator, DocumentPath, Operand, Predicate};
use monotable_item::EncodedValue;

/// The attributes of the key.
pub(super) struct KeyNames<'k> {
    pub(super) partition: &'k str,
    pub(super) sort: Option<&'k str>,
}

/// What a condition on an attribute of the key can say about what to read.
pub(super) enum Leaf {
    /// One of these partitions.
    Partitions(Vec<EncodedValue>),
    /// One of these parts of a partition.
    Sorts(Vec<SortCondition>),
}

impl KeyNames<'_> {
    /// What a condition says about what to read; none if it says nothing of the kind.
    pub(super) fn leaf(&self, predicate: &Predicate) -> Option<Leaf> {
        let (path, conditions) = conditions_of(predicate)?;
        if path.is_nested() {
            return None;
        }
        if path.attribute() == self.partition {
            let values = conditions.into_iter().map(|condition| match condition {
                SortCondition::Equal(value) => Some(value),
                _ => None,
            });
            return values.collect::<Option<Vec<_>>>().map(Leaf::Partitions);
        }
        (Some(path.attribute()) == self.sort).then_some(Leaf::Sorts(conditions))
    }

    /// The values of all conditions that say something about what to read.
    pub(super) fn collect_values(&self, predicate: &Predicate, values: &mut Vec<KeyValue>) {
        match predicate {
            Predicate::All(parts) | Predicate::Any(parts) => {
                for part in parts {
                    self.collect_values(part, values);
                }
            }
            leaf => {
                let (attribute, found) = match self.leaf(leaf) {
                    Some(Leaf::Partitions(found)) => (self.partition, found),
                    Some(Leaf::Sorts(conditions)) => (
                        self.sort.unwrap_or_default(),
                        conditions.into_iter().flat_map(operands).collect(),
                    ),
                    None => return,
                };
                values.extend(found.into_iter().map(|value| KeyValue {
                    attribute: attribute.to_owned(),
                    value,
                }));
            }
        }
    }

    /// Whether every alternative names a partition.
    pub(super) fn pins_every_branch(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::All(parts) => parts.iter().any(|part| self.pins_every_branch(part)),
            Predicate::Any(parts) => parts.iter().all(|part| self.pins_every_branch(part)),
            leaf => matches!(self.leaf(leaf), Some(Leaf::Partitions(_))),
        }
    }

    /// Whether something about the key is negated: `NOT sk = 1`, `sk <> 1`.
    pub(super) fn is_negated_in(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::All(parts) | Predicate::Any(parts) => {
                parts.iter().any(|part| self.is_negated_in(part))
            }
            Predicate::Not(inner) => self.reads_key(inner),
            Predicate::Compare {
                comparator: Comparator::NotEqual,
                ..
            } => self.reads_key(predicate),
            _ => false,
        }
    }

    fn reads_key(&self, predicate: &Predicate) -> bool {
        let mut found = false;
        predicate.for_each_path(&mut |path: &DocumentPath| {
            found |= path.attribute() == self.partition || Some(path.attribute()) == self.sort;
        });
        found
    }

    /// Whether some part of a condition says something about what to read.
    pub(super) fn has_leaf(&self, predicate: &Predicate) -> bool {
        match predicate {
            Predicate::All(parts) | Predicate::Any(parts) => {
                parts.iter().any(|part| self.has_leaf(part))
            }
            leaf => self.leaf(leaf).is_some(),
        }
    }
}

/// The path that a condition is about, and the alternatives for it, if it compares one path with values.
fn conditions_of(predicate: &Predicate) -> Option<(&DocumentPath, Vec<SortCondition>)> {
    match predicate {
        Predicate::Compare {
            comparator,
            left,
            right,
        } => {
            let (path, comparator, value) = match (left, right) {
                (Operand::Path(path), Operand::Value(value)) => (path, *comparator, value),
                (Operand::Value(value), Operand::Path(path)) => (path, comparator.flipped(), value),
                _ => return None,
            };
            let value = value.clone();
            let condition = match comparator {
                Comparator::Equal => SortCondition::Equal(value),
                Comparator::Less => SortCondition::Less(value),
                Comparator::LessOrEqual => SortCondition::LessOrEqual(value),
                Comparator::Greater => SortCondition::Greater(value),
                Comparator::GreaterOrEqual => SortCondition::GreaterOrEqual(value),
                Comparator::NotEqual => return None,
            };
            Some((path, vec![condition]))
        }
        Predicate::Between {
            operand: Operand::Path(path),
            lower: Operand::Value(lower),
            upper: Operand::Value(upper),
        } => Some((
            path,
            vec![SortCondition::Between(lower.clone(), upper.clone())],
        )),
        Predicate::BeginsWith {
            operand: Operand::Path(path),
            prefix: Operand::Value(prefix),
        } => Some((path, vec![SortCondition::BeginsWith(prefix.clone())])),
        Predicate::In {
            operand: Operand::Path(path),
            candidates,
        } => {
            let values = candidates.iter().map(|candidate| match candidate {
                Operand::Value(value) => Some(SortCondition::Equal(value.clone())),
                Operand::Path(_) | Operand::Size(_) => None,
            });
            Some((path, values.collect::<Option<Vec<_>>>()?))
        }
        _ => None,
    }
}

fn operands(condition: SortCondition) -> Vec<EncodedValue> {
    match condition {
        SortCondition::Any => Vec::new(),
        SortCondition::Equal(value)
        | SortCondition::Less(value)
        | SortCondition::LessOrEqual(value)
        | SortCondition::Greater(value)
        | SortCondition::GreaterOrEqual(value)
        | SortCondition::BeginsWith(value) => vec![value],
        SortCondition::Between(low, high) => vec![low, high],
    }
}
