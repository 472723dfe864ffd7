//! What waits in a store to be merged or flushed.

use super::Space;
use std::fmt;

/// Sealed memtables that are too many. fjall halts at 4.
pub(super) const MOST_SEALED: usize = 3;
/// Runs in level 0 and memtables on their way there that are too many. fjall halts at 30 runs.
pub(super) const MOST_RUNS: usize = 26;

/// What waits in a part of the store to be merged or flushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowding {
    pub(crate) space: Space,
    /// Sorted runs of table files that wait to be merged: those of level 0.
    pub runs: usize,
    /// Parts of memory that are full and wait to be written to a table file.
    pub sealed: usize,
}

impl fmt::Display for Crowding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} runs in level 0, {} sealed memtables; commits wait at {MOST_RUNS} together, or {MOST_SEALED} memtables",
            self.space.name(),
            self.runs,
            self.sealed
        )
    }
}
