//! Intervals of lengths.

use serde::{Deserialize, Serialize};

/// An interval of lengths, both ends included; `max: None` is unbounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Length {
    /// The smallest length.
    pub min: usize,
    /// The largest length, if there is one.
    pub max: Option<usize>,
}

impl Length {
    /// Every length.
    pub const ANY: Length = Length { min: 0, max: None };

    /// Exactly `length`.
    #[must_use]
    pub const fn exactly(length: usize) -> Length {
        Length {
            min: length,
            max: Some(length),
        }
    }

    /// Is `length` inside?
    #[must_use]
    pub fn contains(&self, length: usize) -> bool {
        length >= self.min && self.max.is_none_or(|max| length <= max)
    }

    /// The only length, if there is only one.
    #[must_use]
    pub fn fixed(&self) -> Option<usize> {
        self.max.filter(|max| *max == self.min)
    }

    /// Is no length inside?
    pub(super) fn is_empty(&self) -> bool {
        self.max.is_some_and(|max| max < self.min)
    }

    /// Is every length of `other` inside?
    pub(super) fn covers(&self, other: &Length) -> bool {
        other.is_empty() || (self.min <= other.min && at_most(other.max, self.max))
    }

    /// Lengths of one word followed by another.
    pub(super) fn plus(&self, other: &Length) -> Length {
        let max = self.max.zip(other.max).map(|(a, b)| a.saturating_add(b));
        Length {
            min: self.min.saturating_add(other.min),
            max,
        }
    }

    /// Lengths of `count` words in a row.
    pub(super) fn times(&self, count: &Length) -> Length {
        let max = match (self.max, count.max) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(a), Some(b)) => Some(a.saturating_mul(b)),
            _ => None,
        };
        Length {
            min: self.min.saturating_mul(count.min),
            max,
        }
    }

    /// The smallest interval around both.
    pub(super) fn hull(&self, other: &Length) -> Length {
        let max = self.max.zip(other.max).map(|(a, b)| a.max(b));
        Length {
            min: self.min.min(other.min),
            max,
        }
    }

    /// Lengths inside both.
    pub(super) fn both(&self, other: &Length) -> Length {
        let max = match (self.max, other.max) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Length {
            min: self.min.max(other.min),
            max,
        }
    }
}

/// Compares upper ends, where `None` is infinite.
fn at_most(inner: Option<usize>, outer: Option<usize>) -> bool {
    match (inner, outer) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(inner), Some(outer)) => inner <= outer,
    }
}
