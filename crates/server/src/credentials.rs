//! The access keys that signatures are verified with, and the policies of their owners.

mod error;
mod file;
mod section;

pub use error::CredentialsError;
use monotable_policy::{Identity, Policy, Scope, Warning};
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::sync::Arc;

/// The access keys that may sign requests, their secrets, and what their owners may do. Cheap to clone.
#[derive(Clone)]
pub struct Credentials {
    keys: Arc<HashMap<String, Arc<AccessKey>>>,
}

/// What belongs to the id of an access key.
pub(crate) struct AccessKey {
    pub(crate) secret: Secret,
    /// Temporary keys come with one, which each of their requests must carry.
    pub(crate) session_token: Option<Secret>,
    /// Who signs with the key, and what they may do.
    pub(crate) identity: Identity,
}

/// Text that is never shown.
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl Credentials {
    /// No key at all: every request of the DynamoDB API is refused.
    #[must_use]
    pub fn none() -> Self {
        Self {
            keys: Arc::default(),
        }
    }

    /// Reads the format of `~/.aws/credentials`, with policies in it (docs/policies.md):
    ///
    /// ```text
    /// [alice]
    /// aws_access_key_id     = AKIDALICE
    /// aws_secret_access_key = ...
    /// aws_session_token     = ...                             # only for a temporary key
    /// policy                = {"Version": "2012-10-17", ...}  # may be given several times
    /// context.cognito-identity.amazonaws.com:sub = eu-west-1:4711
    /// ```
    ///
    /// A key without policies may do everything. The name of a section is the name of the user; the id of the key says
    /// who signs.
    pub fn parse(text: &str) -> Result<Self, CredentialsError> {
        Self::parse_with(text, |_| {
            Err(io::Error::other(
                "only a policy in the line itself can be read here",
            ))
        })
    }

    /// Reads a file of access keys whose policies may be files of their own: `read` is given the name of such a file as it stands
    /// in the text, and gives back what is in the file.
    pub fn parse_with(
        text: &str,
        read: impl Fn(&str) -> io::Result<String>,
    ) -> Result<Self, CredentialsError> {
        file::parse(text, &read).map(|keys| Self {
            keys: Arc::new(keys),
        })
    }

    /// What policies say and probably do not mean on a server with these resources, in the order of the keys' ids.
    pub fn warnings(&self, scope: &Scope) -> Vec<Warning> {
        let mut keys: Vec<_> = self.keys.iter().collect();
        keys.sort_by_key(|(id, _)| *id);
        let policies = keys.iter().flat_map(|(_, key)| key.identity.policies());
        let mut warnings: Vec<Warning> = Vec::new();
        for warning in policies.flat_map(|policy: &Policy| policy.warnings(scope)) {
            // One file may be the policy of many keys.
            if !warnings.contains(&warning) {
                warnings.push(warning);
            }
        }
        warnings
    }

    /// Who signs with a key, and what they may do.
    pub fn identity(&self, id: &str) -> Option<&Identity> {
        self.keys.get(id).map(|key| &key.identity)
    }

    pub(crate) fn find(&self, id: &str) -> Option<&Arc<AccessKey>> {
        self.keys.get(id)
    }
}

/// Says how many keys there are and nothing about them.
impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials({} keys)", self.keys.len())
    }
}
