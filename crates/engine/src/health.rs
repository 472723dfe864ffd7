//! Whether an engine can take writes, and why not.

use crate::commit::Published;
use crate::engine::Engine;
use crate::store::StoreFault;
use std::fmt;
use std::path::PathBuf;

/// Whether an engine can take writes. It can be read from as long as it is open, but for what a damaged file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// Whether writes are taken.
    pub writable: bool,
    /// Why not; empty if they are.
    pub reasons: Vec<Impediment>,
}

/// What keeps an engine from taking writes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Impediment {
    /// A file does not hold what was written to it.
    DamagedFile {
        /// The store.
        store: PathBuf,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// There is no space left.
    DiskFull {
        /// The store.
        folder: PathBuf,
    },
    /// A write failed, and nothing is written behind it.
    Stopped {
        /// The error of that write.
        cause: String,
    },
    /// A commit takes longer than its callers were made to wait.
    Stalled,
}

impl fmt::Display for Impediment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DamagedFile { store, path, what } => write!(
                f,
                "{} is damaged: {what}. Stop the process, then run `monotable doctor --store {}`",
                path.display(),
                store.display()
            ),
            Self::DiskFull { folder } => write!(
                f,
                "disk full: there is no space left for {}. Make room, then start the process again",
                folder.display()
            ),
            Self::Stopped { cause } => write!(
                f,
                "a write has failed and no more are taken: {cause}. Remove the cause, then start the process again"
            ),
            Self::Stalled => f.write_str(
                "a commit is stuck and writes are refused until it ends. Look for a slow, full or failing disk",
            ),
        }
    }
}

impl Engine {
    /// Whether the engine can take writes, as far as is known. It asks nothing of the disk, which may be stuck.
    pub fn health(&self) -> Health {
        examine(&self.core().published)
    }
}

fn examine(published: &Published) -> Health {
    let damaged = published.store.damaged_files().into_iter();
    let mut reasons: Vec<_> = damaged
        .map(|file| Impediment::DamagedFile {
            store: file.store,
            path: file.path,
            what: file.what,
        })
        .collect();
    reasons.extend(published.stopped().and_then(explain_stop));
    if published.commits.is_stuck() {
        reasons.push(Impediment::Stalled);
    }
    Health {
        writable: reasons.is_empty(),
        reasons,
    }
}

/// Why the committer has stopped, unless the damaged files say it already.
fn explain_stop(fault: &StoreFault) -> Option<Impediment> {
    match fault {
        StoreFault::DamagedFile(_) => None,
        StoreFault::DiskFull { folder } => Some(Impediment::DiskFull {
            folder: folder.clone(),
        }),
        StoreFault::Stopped { cause } => Some(Impediment::Stopped {
            cause: cause.clone(),
        }),
        StoreFault::Failed(_)
        | StoreFault::Damaged { .. }
        | StoreFault::Stalled { .. }
        | StoreFault::Closed => Some(Impediment::Stopped {
            cause: fault.to_string(),
        }),
    }
}
