//! Why an operation on a whole store ended.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why an operation on a whole store ended.
#[derive(Debug)]
pub enum Error {
    /// The data layer refused it.
    Store(monotable_store::Error),
    /// A DynamoDB answered with an error.
    Service(monotable_api::Error),
    /// A file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// What was given does not fit: another file, another table, a damaged backup.
    Refused {
        /// What is wrong.
        what: String,
        /// What to do about it.
        help: String,
    },
}

impl Error {
    pub(crate) fn file(path: &Path, source: io::Error) -> Self {
        Self::File {
            path: path.to_owned(),
            source,
        }
    }

    pub(crate) fn refused(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Refused {
            what: what.into(),
            help: help.into(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Service(error) => error.fmt(f),
            Self::File { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Refused { what, .. } => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

impl From<monotable_store::Error> for Error {
    fn from(error: monotable_store::Error) -> Self {
        Self::Store(error)
    }
}

impl From<monotable_api::Error> for Error {
    fn from(error: monotable_api::Error) -> Self {
        Self::Service(error)
    }
}
