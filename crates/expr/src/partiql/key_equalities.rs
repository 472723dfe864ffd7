//! The key that a condition names: what writes, and reads of one item, need.

use super::error::{StatementError, StatementProblem};
use crate::tree::{Comparator, Operand, Predicate};
use monotable_item::{EncodedItem, EncodedValue, ItemBuilder};

/// Equalities on attributes of the key, and what else a condition says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEqualities {
    /// The attributes of the key that have values.
    pub key: EncodedItem,
    /// The rest of the condition.
    pub rest: Option<Predicate>,
}

/// What becomes of a second, different value for an attribute of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepeatedKey {
    /// It is refused.
    Refused,
    /// It is one more condition.
    Condition,
}

impl KeyEqualities {
    /// Takes the equalities on the attributes `names` out of a condition. Those below OR and NOT are none.
    pub fn new(
        condition: Predicate,
        names: &[&str],
        repeated: RepeatedKey,
    ) -> Result<Self, StatementError> {
        let parts = match condition {
            Predicate::All(parts) => parts,
            other => vec![other],
        };
        let mut found: Vec<(&str, EncodedValue)> = Vec::new();
        let mut rest: Option<Predicate> = None;
        for part in parts {
            if let Some((name, value)) = equality(&part, names) {
                match found.iter().find(|(known, _)| *known == name) {
                    None => {
                        found.push((name, value.clone()));
                        continue;
                    }
                    Some((_, known)) if known == value => continue,
                    Some(_) if repeated == RepeatedKey::Refused => {
                        return Err(StatementProblem::SeveralValuesForKey(name.to_owned()).into());
                    }
                    Some(_) => {}
                }
            }
            rest = Some(match rest {
                Some(before) => before.and(part),
                None => part,
            });
        }
        let mut key = ItemBuilder::new();
        for (name, value) in &found {
            key.push(name, value.view());
        }
        Ok(Self {
            key: key.finish(),
            rest,
        })
    }

    /// Whether every attribute of a key of so many has a value.
    pub fn is_complete(&self, attributes: usize) -> bool {
        self.key.view().len() == attributes
    }
}

/// The attribute and the value that a condition equates, if the attribute is one of `names`.
fn equality<'n, 'p>(
    predicate: &'p Predicate,
    names: &[&'n str],
) -> Option<(&'n str, &'p EncodedValue)> {
    let Predicate::Compare {
        comparator: Comparator::Equal,
        left,
        right,
    } = predicate
    else {
        return None;
    };
    let (path, value) = match (left, right) {
        (Operand::Path(path), Operand::Value(value))
        | (Operand::Value(value), Operand::Path(path)) => (path, value),
        _ => return None,
    };
    let name = names.iter().find(|name| **name == path.attribute())?;
    (!path.is_nested()).then_some((name, value))
}
