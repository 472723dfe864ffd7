//! A file that is damaged.

use std::path::PathBuf;

/// A file that does not hold what was written to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedFile {
    /// The store that it belongs to.
    pub store: PathBuf,
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub what: String,
}

impl std::fmt::Display for DamagedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is damaged: {}", self.path.display(), self.what)
    }
}
