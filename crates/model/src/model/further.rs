//! What a key of several attributes has behind its first ones.

use serde::{Deserialize, Serialize};

/// What a key has behind the first attribute of its partition key, and behind the first of its sort key. Only global
/// indexes have keys of several attributes, so of most keys both are empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Further<T> {
    /// Of the partition key.
    pub hash: Vec<T>,
    /// Of the sort key.
    pub range: Vec<T>,
}

impl<T> Further<T> {
    /// Nothing: a key of one attribute in each part.
    #[must_use]
    pub const fn none() -> Self {
        Self {
            hash: Vec::new(),
            range: Vec::new(),
        }
    }

    /// Whether each part of the key has one attribute at most.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.hash.is_empty() && self.range.is_empty()
    }

    /// Puts something else into each place.
    #[must_use]
    pub fn map<O>(&self, map: impl Fn(&T) -> O) -> Further<O> {
        Further {
            hash: self.hash.iter().map(&map).collect(),
            range: self.range.iter().map(&map).collect(),
        }
    }
}

impl<T> std::default::Default for Further<T> {
    fn default() -> Self {
        Self::none()
    }
}
