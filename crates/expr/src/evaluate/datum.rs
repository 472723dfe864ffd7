//! Operands with the item filled in.

use crate::tree::{Constant, Operand};
use monotable_item::{Number, ValueView};
use std::cmp::Ordering;

/// A stored value, or the number that `size` gives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Datum<'a> {
    Stored(ValueView<'a>),
    Size(Number),
}

impl<'a> Datum<'a> {
    /// What `operand` is where `lookup` finds what paths lead to; nothing if that is missing.
    pub(crate) fn of<'v: 'a, P, V: Constant>(
        operand: &'a Operand<P, V>,
        lookup: &impl Fn(&P) -> Option<ValueView<'v>>,
    ) -> Option<Self> {
        match operand {
            Operand::Path(path) => lookup(path).map(Self::Stored),
            Operand::Value(value) => Some(Self::Stored(value.view())),
            Operand::Size(operand) => match Self::of(operand, lookup)? {
                Self::Stored(value) => size(value).map(|size| Self::Size(size.into())),
                Self::Size(_) => None,
            },
        }
    }

    pub(super) fn equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Stored(a), Self::Stored(b)) => a == b,
            _ => self.compare(other).is_some_and(Ordering::is_eq),
        }
    }

    /// The order of two strings, two numbers or two byte strings.
    pub(super) fn compare(self, other: Self) -> Option<Ordering> {
        if let (Self::Stored(a), Self::Stored(b)) = (self, other) {
            return a.compare(&b);
        }
        Some(self.number()?.cmp(&other.number()?))
    }

    /// The stored value, if it is one.
    pub(super) const fn stored(self) -> Option<ValueView<'a>> {
        match self {
            Self::Stored(value) => Some(value),
            Self::Size(_) => None,
        }
    }

    fn number(self) -> Option<Number> {
        match self {
            Self::Stored(ValueView::N(number)) => Some(number.to_number()),
            Self::Stored(_) => None,
            Self::Size(size) => Some(size),
        }
    }
}

/// What `size` counts: the elements of collections, bytes, and of strings Java's `char`s, which are
/// UTF-16 code units. Numbers, booleans and nulls have no size.
pub(crate) fn size(value: ValueView<'_>) -> Option<usize> {
    match value {
        ValueView::S(text) => Some(text.encode_utf16().count()),
        ValueView::B(bytes) => Some(bytes.len()),
        ValueView::M(map) => Some(map.len()),
        ValueView::L(list) => Some(list.len()),
        ValueView::Ss(set) | ValueView::Ns(set) | ValueView::Bs(set) => Some(set.len()),
        ValueView::N(_) | ValueView::Bool(_) | ValueView::Null => None,
    }
}
