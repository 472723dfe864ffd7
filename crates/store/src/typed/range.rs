//! Ranges of values.

use super::value::{TypedValue, put_optional};
use monotable_item::Item;
use std::ops::{RangeFrom, RangeFull, RangeInclusive, RangeToInclusive};

/// A range of values: both ends belong to it, and either may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range<T> {
    /// Where it begins.
    pub from: Option<T>,
    /// Where it ends.
    pub to: Option<T>,
}

impl<T: TypedValue> Range<T> {
    /// Adds the ends to the parameters of a pattern.
    pub fn put_into(self, item: &mut Item, name: &str) {
        put_optional(item, &format!("{name}.from"), self.from);
        put_optional(item, &format!("{name}.to"), self.to);
    }
}

impl<T, V: Into<T>> From<RangeInclusive<V>> for Range<T> {
    fn from(range: RangeInclusive<V>) -> Self {
        let (from, to) = range.into_inner();
        Self {
            from: Some(from.into()),
            to: Some(to.into()),
        }
    }
}

impl<T, V: Into<T>> From<RangeFrom<V>> for Range<T> {
    fn from(range: RangeFrom<V>) -> Self {
        Self {
            from: Some(range.start.into()),
            to: None,
        }
    }
}

impl<T, V: Into<T>> From<RangeToInclusive<V>> for Range<T> {
    fn from(range: RangeToInclusive<V>) -> Self {
        Self {
            from: None,
            to: Some(range.end.into()),
        }
    }
}

impl<T> From<RangeFull> for Range<T> {
    fn from(_: RangeFull) -> Self {
        Self {
            from: None,
            to: None,
        }
    }
}
