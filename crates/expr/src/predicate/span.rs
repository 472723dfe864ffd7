//! Places in the text of a predicate.

use crate::mark::Mark;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Where something is written: the bytes of the text from `start` to `end`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last one.
    pub end: usize,
}

impl Span {
    /// The bytes as a range.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The same bytes where the text stands `by` bytes further on, as in a file.
    #[must_use]
    pub const fn shifted(self, by: usize) -> Self {
        Self {
            start: self.start + by,
            end: self.end + by,
        }
    }
}

/// Where a node is written: the token it is known by, and all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Written {
    /// The operator, or the name of the function. Of paths and literals, their first token.
    pub(super) token: Span,
    /// From the token to the end, closing parenthesis included. The operands before are not in it.
    pub(super) whole: Span,
}

impl Mark for Written {
    fn of(start: usize, end: usize) -> Self {
        let token = Span { start, end };
        Self {
            token,
            whole: token,
        }
    }

    fn until(self, end: usize) -> Self {
        let start = self.whole.start;
        Self {
            whole: Span { start, end },
            ..self
        }
    }
}
