//! Who sends a request.

use crate::key::is_of_caller;
use std::collections::BTreeMap;
use std::fmt;

const ACCOUNT: &str = "000000000000";

/// Who sends a request, and what is known about them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    arn: String,
    /// By key, in lower case.
    context: BTreeMap<String, String>,
}

/// A key that nothing here could ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownContextKey {
    name: String,
}

impl fmt::Display for UnknownContextKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "unknown key {}: callers have aws:username, aws:userid, aws:PrincipalTag/NAME, \
             cognito-identity.amazonaws.com:sub, www.amazon.com:user_id and the like (docs/policies.md lists them)",
            self.name
        )
    }
}

impl std::error::Error for UnknownContextKey {}

impl Principal {
    /// A user of this name: `arn:aws:iam::000000000000:user/NAME`.
    pub fn user(name: &str) -> Self {
        let arn = format!("arn:aws:iam::{ACCOUNT}:user/{name}");
        let user = Self {
            arn: String::new(),
            context: BTreeMap::from([
                ("aws:username".to_owned(), name.to_owned()),
                ("aws:userid".to_owned(), name.to_owned()),
            ]),
        };
        user.with_arn(&arn)
    }

    /// With this ARN, which messages and `aws:PrincipalArn` show.
    #[must_use]
    pub fn with_arn(mut self, arn: &str) -> Self {
        arn.clone_into(&mut self.arn);
        let account = arn.split(':').nth(4).unwrap_or_default();
        let account = if account.is_empty() { ACCOUNT } else { account };
        self.set("aws:principalaccount", account);
        self.set("aws:principalarn", arn);
        self
    }

    /// With a value for a key that conditions and variables can name: `aws:PrincipalTag/team`.
    pub fn with(mut self, key: &str, value: &str) -> Result<Self, UnknownContextKey> {
        let lower = key.to_ascii_lowercase();
        if !is_of_caller(&lower) {
            let name = key.to_owned();
            return Err(UnknownContextKey { name });
        }
        if lower == "aws:principalarn" {
            return Ok(self.with_arn(value));
        }
        self.set(&lower, value);
        Ok(self)
    }

    /// The ARN.
    pub fn arn(&self) -> &str {
        &self.arn
    }

    fn set(&mut self, lower: &str, value: &str) {
        self.context.insert(lower.to_owned(), value.to_owned());
    }

    pub(crate) fn context(&self, lower: &str) -> Option<&str> {
        self.context.get(lower).map(String::as_str)
    }
}
