//! Where the data of a command is, as messages call it.

use std::fmt;
use std::path::PathBuf;

/// What a target is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A directory of this machine.
    Store(PathBuf),
    /// An empty store that nothing is kept of.
    Memory,
    /// A server that speaks DynamoDB's API.
    #[cfg(feature = "aws")]
    Server(String),
    /// Amazon's own service in a region.
    #[cfg(feature = "aws")]
    Amazon(String),
}

impl Place {
    /// With the word that goes before it: `in the store ./data`, `on http://127.0.0.1:8000`.
    pub(crate) fn locate(&self) -> String {
        match self {
            Self::Store(_) | Self::Memory => format!("in {self}"),
            #[cfg(feature = "aws")]
            Self::Amazon(_) => format!("in {self}"),
            #[cfg(feature = "aws")]
            Self::Server(_) => format!("on {self}"),
        }
    }

    /// The option with which the AWS CLI finds what is elsewhere; empty for what is in this process.
    pub(crate) fn aws_option(&self) -> String {
        match self {
            Self::Store(_) | Self::Memory => String::new(),
            #[cfg(feature = "aws")]
            Self::Server(url) => format!("--endpoint-url {url}"),
            #[cfg(feature = "aws")]
            Self::Amazon(region) => format!("--region {region}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(directory) => write!(f, "the store {}", directory.display()),
            Self::Memory => f.write_str("an empty store in memory"),
            #[cfg(feature = "aws")]
            Self::Server(url) => f.write_str(url),
            #[cfg(feature = "aws")]
            Self::Amazon(region) => write!(f, "Amazon DynamoDB ({region})"),
        }
    }
}
