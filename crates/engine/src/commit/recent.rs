//! Which rows were written lately, and by which group.
//!
//! Rows are kept by hash: two rows with one hash only cost an evaluation that was not needed.

use crate::store::Space;
use rustc_hash::FxHashMap;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Rows to remember before starting over.
const MOST: usize = 1 << 17;

#[derive(Default)]
pub(crate) struct RecentWrites {
    /// The last group that wrote each row.
    written: FxHashMap<u64, u64>,
    /// Of writes up to this group nothing is known.
    forgotten: u64,
}

impl RecentWrites {
    /// Nothing is known of writes up to `group`.
    pub(super) fn since(group: u64) -> Self {
        Self {
            written: FxHashMap::default(),
            forgotten: group,
        }
    }

    pub(super) fn note(&mut self, space: Space, key: &[u8], group: u64) {
        if self.written.len() >= MOST {
            self.written.clear();
            self.forgotten = group;
        }
        self.written.insert(hash(space, key), group);
    }

    /// Whether the row is sure not to have been written after `group`.
    pub(super) fn unchanged(&self, space: Space, key: &[u8], group: u64) -> bool {
        group >= self.forgotten
            && self
                .written
                .get(&hash(space, key))
                .is_none_or(|written| *written <= group)
    }
}

fn hash(space: Space, key: &[u8]) -> u64 {
    xxh3_64_with_seed(key, space as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_changed_only_for_those_who_read_before() {
        let mut recent = RecentWrites::since(10);
        recent.note(Space::Items, b"a", 12);
        assert!(!recent.unchanged(Space::Items, b"a", 11));
        assert!(recent.unchanged(Space::Items, b"a", 12));
        assert!(recent.unchanged(Space::Items, b"b", 11));
        assert!(recent.unchanged(Space::Meta, b"a", 11));
        assert!(!recent.unchanged(Space::Items, b"b", 9));
    }

    #[test]
    fn what_was_forgotten_counts_as_changed() {
        let mut recent = RecentWrites::since(0);
        for number in 0..=MOST as u64 {
            recent.note(Space::Items, &number.to_be_bytes(), 5);
        }
        assert!(!recent.unchanged(Space::Items, b"other", 4));
        assert!(recent.unchanged(Space::Items, b"other", 5));
    }
}
