//! The access keys that signatures are verified with.

mod file;

pub use file::CredentialsError;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The access keys that may sign requests, and their secrets. Cheap to clone.
#[derive(Clone)]
pub struct Credentials {
    keys: Arc<HashMap<String, AccessKey>>,
}

/// What belongs to the id of an access key.
pub(crate) struct AccessKey {
    pub(crate) secret: Secret,
    /// Temporary keys come with one, which each of their requests must carry.
    pub(crate) session_token: Option<Secret>,
}

/// Text that is never shown.
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl Credentials {
    /// Reads the format of `~/.aws/credentials`:
    ///
    /// ```text
    /// [alice]
    /// aws_access_key_id     = AKIDALICE
    /// aws_secret_access_key = ...
    /// aws_session_token     = ...        # only for a temporary key
    /// ```
    ///
    /// The names of the sections are for people; the id of the key says who signs.
    pub fn parse(text: &str) -> Result<Self, CredentialsError> {
        file::parse(text).map(|keys| Self {
            keys: Arc::new(keys),
        })
    }

    pub(crate) fn find(&self, id: &str) -> Option<&AccessKey> {
        self.keys.get(id)
    }
}

/// Says how many keys there are and nothing about them.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials({} keys)", self.keys.len())
    }
}
