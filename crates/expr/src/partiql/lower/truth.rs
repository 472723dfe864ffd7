//! Conditions that are compared: `attribute_exists(a) = true`.
//!
//! The trees of expressions have no such thing, so a comparison is said otherwise: of two conditions, both hold or
//! neither does.

use crate::Problem;
use crate::check::Operator;
use crate::partiql::error::StatementError;
use crate::tree::{Comparator, Operand, Predicate};
use monotable_item::{AttributeType, AttributeValue, EncodedValue, ValueView};

/// Something that is compared with what is true or false.
#[derive(Clone)]
pub(super) enum Truth {
    Condition(Predicate),
    Operand(Operand),
}

impl Truth {
    /// How many conditions it is made of.
    pub(super) fn weight(&self) -> usize {
        match self {
            Self::Condition(predicate) => weight(predicate),
            Self::Operand(_) => 1,
        }
    }
}

fn weight(predicate: &Predicate) -> usize {
    match predicate {
        Predicate::Not(inner) => 1 + weight(inner),
        Predicate::All(parts) | Predicate::Any(parts) => {
            parts.iter().map(weight).sum::<usize>() + 1
        }
        _ => 1,
    }
}

/// Holds of every item.
const fn always() -> Predicate {
    Predicate::All(Vec::new())
}

/// Holds of no item.
const fn never() -> Predicate {
    Predicate::Any(Vec::new())
}

/// `one = other`.
pub(super) fn equal(one: Truth, other: Truth) -> Result<Predicate, StatementError> {
    Ok(match (one, other) {
        (Truth::Condition(one), Truth::Condition(other)) => {
            let both = one.clone().and(other.clone());
            both.or(one.negated().and(other.negated()))
        }
        (Truth::Condition(condition), Truth::Operand(operand))
        | (Truth::Operand(operand), Truth::Condition(condition)) => match &operand {
            Operand::Value(value) => match value.view() {
                ValueView::Bool(true) => condition,
                ValueView::Bool(false) => condition.negated(),
                _ => never(),
            },
            Operand::Size(_) => never(),
            Operand::Path(_) => {
                let is = |truth: bool| Predicate::Compare {
                    comparator: Comparator::Equal,
                    left: operand.clone(),
                    right: Operand::Value(EncodedValue::from(AttributeValue::from(truth))),
                };
                let both = condition.clone().and(is(true));
                both.or(condition.negated().and(is(false)))
            }
        },
        (Truth::Operand(one), Truth::Operand(other)) => Predicate::Compare {
            comparator: Comparator::Equal,
            left: one,
            right: other,
        },
    })
}

/// What an operator says where `equal` says whether its operands are equal. Only orders are refused: what is true or
/// false has none.
pub(super) fn compare(operator: Operator, equal: Predicate) -> Result<Predicate, StatementError> {
    match operator {
        Operator::Compare(Comparator::NotEqual) => Ok(match equal {
            Predicate::Any(parts) if parts.is_empty() => always(),
            equal => equal.negated(),
        }),
        Operator::Compare(comparator) if comparator.is_ordering() => Err(Problem::OperandType {
            operator: operator.name(),
            attribute_type: AttributeType::Bool,
        }
        .into()),
        _ => Ok(equal),
    }
}
