//! Predicates of which not everything is known.
//!
//! A predicate that decides who may do what is asked before the rows are read that it looks at through references, and
//! sometimes such a row is not there at all. What is not known is [`Finding::Unknown`], which is neither a value nor an
//! absent attribute, and NOT, AND and OR follow Kleene's logic: a part that is not known matters only where the other
//! parts leave the result open.

use super::{Operand, Path, Predicate, Tree};
use crate::evaluate::{Datum, compare, is_true};
use crate::tree::Comparator;
use monotable_item::ValueView;
use std::ops::Not;

/// What a path leads to, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub enum Finding<'v> {
    /// This value.
    Value(ValueView<'v>),
    /// Known to have no value: it compares as an absent attribute does.
    Absent,
    /// Not known: a comparison with it is not known either.
    Unknown,
}

impl<'v> Finding<'v> {
    const fn value(self) -> Option<ValueView<'v>> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Unknown => None,
        }
    }
}

impl<'v> From<Option<ValueView<'v>>> for Finding<'v> {
    /// A value, or absent.
    fn from(value: Option<ValueView<'v>>) -> Self {
        value.map_or(Self::Absent, Self::Value)
    }
}

/// Whether a predicate is true, as far as its paths are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// True, whatever the unknown paths lead to.
    True,
    /// False, whatever the unknown paths lead to.
    False,
    /// It depends on what is not known.
    Unknown,
}

impl Truth {
    /// True only if both are, false if one is.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::False, _) | (_, Self::False) => Self::False,
            (Self::True, Self::True) => Self::True,
            _ => Self::Unknown,
        }
    }

    /// True if one is, false only if both are.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::True, _) | (_, Self::True) => Self::True,
            (Self::False, Self::False) => Self::False,
            _ => Self::Unknown,
        }
    }
}

impl Not for Truth {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::True => Self::False,
            Self::False => Self::True,
            Self::Unknown => Self::Unknown,
        }
    }
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Self::True } else { Self::False }
    }
}

impl Predicate {
    /// Whether the predicate is true where `lookup` finds what paths lead to, as far as that is known.
    ///
    /// A result that is not [`Truth::Unknown`] stays what it is when more becomes known. It is sound, and not complete:
    /// `a = 1 OR NOT a = 1` is unknown as long as `a` is.
    pub fn decide<'v>(&self, lookup: impl Fn(&Path) -> Finding<'v>) -> Truth {
        decide(&self.tree, &lookup)
    }
}

/// Calls itself as deep as the tree is, which is at most 300: see [`crate::tree::Predicate`].
fn decide<'v>(tree: &Tree, lookup: &impl Fn(&Path) -> Finding<'v>) -> Truth {
    match tree {
        Tree::Not(inner) => !decide(inner, lookup),
        Tree::All(parts) => join(parts, Truth::True, Truth::and, lookup),
        Tree::Any(parts) => join(parts, Truth::False, Truth::or, lookup),
        // `a BETWEEN b AND c` is `a >= b AND a <= c`, and `a IN (b, c)` is `a = b OR a = c`: one end, or one candidate,
        // may be enough.
        Tree::Between {
            operand,
            lower,
            upper,
        } => decide_comparison(Comparator::GreaterOrEqual, operand, lower, lookup).and(
            decide_comparison(Comparator::LessOrEqual, operand, upper, lookup),
        ),
        Tree::In {
            operand,
            candidates,
        } => candidates.iter().fold(Truth::False, |known, candidate| {
            known.or(decide_comparison(
                Comparator::Equal,
                operand,
                candidate,
                lookup,
            ))
        }),
        simple => {
            let mut unknown = false;
            simple.for_each_path(&mut |path| {
                unknown |= matches!(lookup(path), Finding::Unknown);
            });
            if unknown {
                return Truth::Unknown;
            }
            is_true(simple, &|path: &Path| lookup(path).value()).into()
        }
    }
}

/// Joins the parts of a conjunction or disjunction, and stops where the rest no longer matters.
fn join<'v>(
    parts: &[Tree],
    neutral: Truth,
    join: impl Fn(Truth, Truth) -> Truth,
    lookup: &impl Fn(&Path) -> Finding<'v>,
) -> Truth {
    let mut known = neutral;
    for part in parts {
        known = join(known, decide(part, lookup));
        if known == !neutral {
            break;
        }
    }
    known
}

fn decide_comparison<'v>(
    comparator: Comparator,
    left: &Operand,
    right: &Operand,
    lookup: &impl Fn(&Path) -> Finding<'v>,
) -> Truth {
    let is_unknown = |operand: &Operand| {
        operand
            .read_path()
            .is_some_and(|path| matches!(lookup(path), Finding::Unknown))
    };
    if is_unknown(left) || is_unknown(right) {
        return Truth::Unknown;
    }
    let value = |path: &Path| lookup(path).value();
    compare(
        comparator,
        Datum::of(left, &value),
        Datum::of(right, &value),
    )
    .into()
}
