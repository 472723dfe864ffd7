//! How far the files of a store were read.

use std::time::Duration;

/// How far the scrub is, since the store was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScrubProgress {
    /// Bytes of table files that were read and compared with their checksums.
    pub bytes: u64,
    /// Table files that were read to their end.
    pub files: u64,
    /// How often all table files were read.
    pub passes: u64,
    /// Damaged files that were found, by the scrub or by a read.
    pub damaged: u64,
    /// The last time that all table files were read; none before the first pass has ended.
    pub last_pass: Option<ScrubPass>,
}

/// A pass that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScrubPass {
    /// When it ended, since 1970.
    pub ended: Duration,
    /// The bytes of table files that it read.
    pub bytes: u64,
}

/// Whether the pass goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScrubStep {
    /// There is more to read.
    More,
    /// Everything was read once.
    PassDone,
}
