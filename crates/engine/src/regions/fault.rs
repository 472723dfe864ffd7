//! Why a region has no data set.

use crate::store::OpenError;
use monotable_api::Error;
use std::fmt;
use std::path::PathBuf;

/// The longest name that is repeated: it is somebody else's text.
const LONGEST_SHOWN: usize = 64;

/// Why a region has no data set.
#[derive(Debug)]
#[non_exhaustive]
pub enum RegionError {
    /// No region can have this name.
    Name {
        /// What was asked for.
        given: String,
    },
    /// There are as many regions as there may be.
    TooMany {
        /// The region that was asked for.
        region: String,
        /// How many there may be.
        most: usize,
    },
    /// There are more regions in the store than there may be.
    Crowded {
        /// The folder that holds them.
        path: PathBuf,
        /// How many there are, with the store's own.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// Something in the folder of regions is none.
    Stranger {
        /// The file or folder.
        path: PathBuf,
    },
    /// The folder of the region cannot be opened.
    Open(OpenError),
    /// All regions were closed.
    Closed,
}

impl fmt::Display for RegionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name { given } => write!(
                f,
                "Credential should be scoped to a valid region, not '{}'. Each region has data of its own here (serve \
                 --regions), in a folder of its name: 1 to 32 small letters, digits and hyphens, from a letter on",
                shown(given)
            ),
            Self::TooMany { region, most } => write!(
                f,
                "The region {region} has no data yet, and there are {most} regions already, which is as many as there may \
                 be: sign for one of those, or start the server with a larger number in serve --regions=MOST"
            ),
            Self::Crowded { path, found, most } => write!(
                f,
                "{} has {found} regions with the store's own, and there may be {most}: give a larger number in serve \
                 --regions=MOST, or move folders of regions elsewhere",
                path.display()
            ),
            Self::Stranger { path } => write!(
                f,
                "{} is not the folder of a region: only folders of regions are kept there, named like eu-central-1; move \
                 it elsewhere",
                path.display()
            ),
            Self::Open(error) => error.fmt(f),
            Self::Closed => f.write_str("the store is closed"),
        }
    }
}

fn shown(given: &str) -> &str {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\'';
    if given.len() <= LONGEST_SHOWN && given.bytes().all(is_plain) {
        given
    } else {
        "something else"
    }
}

impl std::error::Error for RegionError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Open(error) => Some(error),
            Self::Name { .. }
            | Self::TooMany { .. }
            | Self::Crowded { .. }
            | Self::Stranger { .. }
            | Self::Closed => None,
        }
    }
}

impl From<OpenError> for RegionError {
    fn from(error: OpenError) -> Self {
        Self::Open(error)
    }
}

/// What a client is told that signed for such a region.
impl From<RegionError> for Error {
    fn from(error: RegionError) -> Self {
        let message = error.to_string();
        match error {
            // AWS's exception for a region that a signature should not be for.
            RegionError::Name { .. } => Self::InvalidSignatureException { message },
            // Not LimitExceededException: SDKs send that again.
            RegionError::TooMany { .. } => Self::validation(message),
            RegionError::Crowded { .. }
            | RegionError::Stranger { .. }
            | RegionError::Open(_)
            | RegionError::Closed => Self::internal(message),
        }
    }
}
