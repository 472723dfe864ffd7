//! Conditions as a tree.

use super::{Comparator, DocumentPath, Operand};
use monotable_item::{AttributeType, EncodedValue};
use serde::{Deserialize, Serialize};

/// Something that is true or false of an item.
///
/// INVARIANT: an `All` never holds an `All` directly, nor an `Any` an `Any`, so that a long chain is one
/// flat list and a tree is never deeper than the 300 operators of an expression.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Predicate<P = DocumentPath, V = EncodedValue> {
    /// `left = right` and its kin.
    Compare {
        /// The operator.
        comparator: Comparator,
        /// What stands left of it.
        left: Operand<P, V>,
        /// What stands right of it.
        right: Operand<P, V>,
    },
    /// `operand BETWEEN lower AND upper`.
    Between {
        /// What is tested.
        operand: Operand<P, V>,
        /// The lower bound, itself included.
        lower: Operand<P, V>,
        /// The upper bound, itself included.
        upper: Operand<P, V>,
    },
    /// `operand IN (candidates)`.
    In {
        /// What is tested.
        operand: Operand<P, V>,
        /// What it may equal.
        candidates: Vec<Operand<P, V>>,
    },
    /// `attribute_exists(path)`.
    Exists(P),
    /// `attribute_not_exists(path)`.
    NotExists(P),
    /// `attribute_type(operand, type)`.
    HasType {
        /// What is tested.
        operand: Operand<P, V>,
        /// The type it must have.
        attribute_type: AttributeType,
    },
    /// `begins_with(operand, prefix)`.
    BeginsWith {
        /// What is tested.
        operand: Operand<P, V>,
        /// What it must start with.
        prefix: Operand<P, V>,
    },
    /// `contains(operand, element)`.
    Contains {
        /// The string, bytes, set or list.
        operand: Operand<P, V>,
        /// The substring or element.
        element: Operand<P, V>,
    },
    /// `NOT predicate`.
    Not(Box<Predicate<P, V>>),
    /// All of these, by `AND`.
    All(Vec<Predicate<P, V>>),
    /// Any of these, by `OR`.
    Any(Vec<Predicate<P, V>>),
}

impl<P, V> Predicate<P, V> {
    /// `self AND other`.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut all = match self {
            Self::All(predicates) => predicates,
            predicate => vec![predicate],
        };
        match other {
            Self::All(predicates) => all.extend(predicates),
            predicate => all.push(predicate),
        }
        Self::All(all)
    }

    /// `self OR other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let mut any = match self {
            Self::Any(predicates) => predicates,
            predicate => vec![predicate],
        };
        match other {
            Self::Any(predicates) => any.extend(predicates),
            predicate => any.push(predicate),
        }
        Self::Any(any)
    }

    /// `NOT self`.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Not(predicate) => *predicate,
            predicate => Self::Not(Box::new(predicate)),
        }
    }

    /// Calls `visit` with every document path that the predicate reads, from left to right.
    pub fn for_each_path<'a>(&'a self, visit: &mut impl FnMut(&'a P)) {
        let mut operand = |operand: &'a Operand<P, V>| {
            if let Some(path) = operand.read_path() {
                visit(path);
            }
        };
        match self {
            Self::Compare { left, right, .. } => {
                operand(left);
                operand(right);
            }
            Self::Between {
                operand: tested,
                lower,
                upper,
            } => {
                operand(tested);
                operand(lower);
                operand(upper);
            }
            Self::In {
                operand: tested,
                candidates,
            } => {
                operand(tested);
                candidates.iter().for_each(operand);
            }
            Self::Exists(path) | Self::NotExists(path) => visit(path),
            Self::HasType {
                operand: tested, ..
            } => operand(tested),
            Self::BeginsWith {
                operand: tested,
                prefix: other,
            }
            | Self::Contains {
                operand: tested,
                element: other,
            } => {
                operand(tested);
                operand(other);
            }
            Self::Not(predicate) => predicate.for_each_path(visit),
            Self::All(predicates) | Self::Any(predicates) => {
                for predicate in predicates {
                    predicate.for_each_path(visit);
                }
            }
        }
    }
}
