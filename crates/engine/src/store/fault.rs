//! What can go wrong below the engine.

use super::{Crowding, DamagedFile};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// The disk failed or holds damaged data. After a failed write nothing more is written.
#[derive(Clone, Debug)]
pub enum StoreFault {
    /// A read or write failed, or a block did not match its checksum.
    Failed(Arc<StoreFailure>),
    /// An earlier write failed; the store accepts none until it is opened anew.
    Stopped {
        /// The error of that write.
        cause: String,
    },
    /// A file does not hold what was written to it. What it does not hold can be read; nothing is written.
    DamagedFile(DamagedFile),
    /// There is no space left. Nothing more is written until the store is opened anew.
    DiskFull {
        /// The store.
        folder: PathBuf,
    },
    /// A row is there but is not what was written.
    Damaged {
        /// Which row, and what is wrong with it.
        what: String,
    },
    /// A commit takes longer than a caller can be expected to wait. Others may follow.
    Stalled {
        /// How far the write has come.
        stage: CommitStage,
        /// How long it has taken so far.
        waited: Duration,
        /// What waits in the store, as far as is known.
        crowding: Option<Crowding>,
    },
    /// The engine was shut down.
    Closed,
}

/// How far a commit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitStage {
    /// It waits until the store has room. Nothing of it is written.
    Waiting,
    /// The store writes it.
    Writing,
}

impl fmt::Display for StoreFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => write!(f, "the store failed: {}", Cause(error)),
            Self::Stopped { cause } => write!(
                f,
                "the store has stopped after a failed write and accepts no more: {cause}. \
                 Everything acknowledged is safe; remove the cause and open the store again"
            ),
            Self::DamagedFile(file) => write!(
                f,
                "{file}. What is not in this file can still be read; writes are refused. Stop the process, then \
                 run `monotable doctor --store {}`",
                file.store.display()
            ),
            Self::DiskFull { folder } => write!(
                f,
                "disk full: there is no space left for {}. Everything acknowledged is safe; make room and open \
                 the store again",
                folder.display()
            ),
            Self::Damaged { what } => write!(f, "the store is damaged: {what}"),
            Self::Stalled {
                stage,
                waited,
                crowding,
            } => write_stalled(f, *stage, *waited, *crowding),
            Self::Closed => f.write_str("the store is closed"),
        }
    }
}

fn write_stalled(
    f: &mut fmt::Formatter<'_>,
    stage: CommitStage,
    waited: Duration,
    crowding: Option<Crowding>,
) -> fmt::Result {
    let seconds = waited.as_secs_f64();
    match stage {
        CommitStage::Waiting => write!(
            f,
            "the store has taken no write for {seconds:.1} s, because it merges and flushes more slowly than was written"
        ),
        CommitStage::Writing => write!(
            f,
            "the store has been writing for {seconds:.1} s and is not done"
        ),
    }?;
    if let Some(crowding) = crowding {
        write!(f, " ({crowding})")?;
    }
    match stage {
        CommitStage::Waiting => f.write_str(
            ". Nothing of this request was written: send it again later. Writes go on by themselves when the \
             store has caught up; look for a slow or full disk",
        ),
        CommitStage::Writing => f.write_str(
            ". This request may be written or not: read before you send it again. Look for a slow, full or \
             failing disk; if nothing moves, restart the process: everything acknowledged is safe",
        ),
    }
}

impl std::error::Error for StoreFault {}

impl StoreFault {
    /// What it means for somebody who opens the store.
    pub(crate) fn at_open(self, path: &std::path::Path) -> OpenError {
        match self {
            Self::DamagedFile(file) => OpenError::damaged(&file.store, file.path, file.what),
            Self::DiskFull { folder } => {
                OpenError::io(folder)(io::Error::from(io::ErrorKind::StorageFull))
            }
            other => OpenError::damaged(path, path, other),
        }
    }

    /// What callers are told who come after the one that met it.
    pub(crate) fn for_later_callers(&self) -> Self {
        match self {
            Self::DamagedFile(_) | Self::DiskFull { .. } | Self::Stopped { .. } | Self::Closed => {
                self.clone()
            }
            Self::Failed(_) | Self::Damaged { .. } | Self::Stalled { .. } => Self::Stopped {
                cause: self.to_string(),
            },
        }
    }
}

impl From<StoreFailure> for StoreFault {
    fn from(error: StoreFailure) -> Self {
        Self::Failed(Arc::new(error))
    }
}

/// What the store below has failed with.
#[cfg(feature = "disk")]
pub type StoreFailure = fjall::Error;

/// What the store below has failed with: a thread that the system did not give.
#[cfg(not(feature = "disk"))]
pub type StoreFailure = io::Error;

impl StoreFault {
    /// The operating system refused something.
    pub(crate) fn from_io(error: io::Error) -> Self {
        #[cfg(feature = "disk")]
        let error = fjall::Error::Io(error);
        Self::from(error)
    }
}

/// Failures in words: the operating system's where there is one.
struct Cause<'a>(&'a StoreFailure);

#[cfg(feature = "disk")]
impl fmt::Display for Cause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            fjall::Error::Io(error) => error.fmt(f),
            fjall::Error::Storage(error) => error.fmt(f),
            fjall::Error::Poisoned => f.write_str(
                "an earlier write or background job failed; look for a full or failing disk",
            ),
            other => other.fmt(f),
        }
    }
}

#[cfg(not(feature = "disk"))]
impl fmt::Display for Cause<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether an error says that there is no space left.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// Whether an error says that this process may not do that here.
pub(super) fn is_refusal(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
    )
}

/// Why a directory cannot be opened as a store. No data in it was changed.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process, or another engine of this one, has it open.
    Locked {
        /// The directory.
        path: PathBuf,
    },
    /// The directory has files in it, but no store.
    NotAStore {
        /// The directory.
        path: PathBuf,
    },
    /// A newer version of Monotable wrote it.
    NewerFormat {
        /// The directory.
        path: PathBuf,
        /// The format it has.
        found: u32,
        /// The newest format that this version reads.
        supported: u32,
    },
    /// Writes that were acknowledged are missing from the journal.
    JournalTruncated {
        /// The directory.
        path: PathBuf,
        /// The last group of writes that was acknowledged.
        acknowledged: u64,
        /// The last one that is there.
        found: u64,
    },
    /// A file does not hold what was written to it.
    Damaged {
        /// The store.
        store: PathBuf,
        /// The file or directory.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The operating system refused.
    Io {
        /// The file or directory.
        path: PathBuf,
        /// Its error.
        source: io::Error,
    },
}

impl OpenError {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    pub(super) fn damaged(
        store: impl Into<PathBuf>,
        path: impl Into<PathBuf>,
        what: impl fmt::Display,
    ) -> Self {
        Self::Damaged {
            store: store.into(),
            path: path.into(),
            what: what.to_string(),
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Locked { path } => write!(
                f,
                "{} is open in another process: stop it first, or use another directory",
                path.display()
            ),
            Self::NotAStore { path } => write!(
                f,
                "{} is not empty and not a Monotable store: name an empty or a new directory",
                path.display()
            ),
            Self::NewerFormat {
                path,
                found,
                supported,
            } => write!(
                f,
                "{} has format {found}, this version reads up to format {supported}: use the version of Monotable that wrote it, or a newer one",
                path.display()
            ),
            Self::JournalTruncated {
                path,
                acknowledged,
                found,
            } => write!(
                f,
                "the journal of {} is cut off: writes up to group {acknowledged} were acknowledged, only those up to {found} are there. Restore the missing journal files or a backup, or run `monotable doctor --store {}`",
                path.display(),
                path.display()
            ),
            Self::Damaged { store, path, what } => write!(
                f,
                "{} is damaged: {what}. Restore it from a backup, or run `monotable doctor --store {}` to see what is lost and to get a repaired copy",
                path.display(),
                store.display()
            ),
            Self::Io { path, source } if is_full(source) => write!(
                f,
                "disk full: there is no space left for {}. Make room and try again",
                path.display()
            ),
            Self::Io { path, source } if is_refusal(source) => write!(
                f,
                "{}: {source}. A store is opened only by a user who may read and write all of its files: mount the file system \
                 for writing, start the process as their owner, or give them to this user (chown -R, chmod -R u+rwX)",
                path.display()
            ),
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Locked { .. }
            | Self::NotAStore { .. }
            | Self::NewerFormat { .. }
            | Self::JournalTruncated { .. }
            | Self::Damaged { .. } => None,
        }
    }
}
