//! A section: one access key, and what its owner may do.

use super::error::{CredentialsError, Problem, at};
use super::file::ReadPolicy;
use super::{AccessKey, Secret};
use monotable_policy::{Identity, Policy, Principal};
use std::collections::BTreeSet;

pub(super) const ID: &str = "aws_access_key_id";
pub(super) const SECRET: &str = "aws_secret_access_key";
pub(super) const TOKEN: &str = "aws_session_token";
/// A policy, or the file that it stands in; may be given several times.
pub(super) const POLICY: &str = "policy";
pub(super) const USERNAME: &str = "username";
pub(super) const ARN: &str = "arn";
/// What stands before a key that conditions can ask for.
pub(super) const CONTEXT: &str = "context.";

/// Settings of the same file that say nothing about who may sign.
const IGNORED: &[&str] = &["region", "output"];

/// A section as far as it has been read.
pub(super) struct Section {
    pub(super) name: String,
    pub(super) line: usize,
    id: Option<String>,
    secret: Option<String>,
    token: Option<String>,
    username: Option<String>,
    arn: Option<String>,
    policies: Vec<Setting>,
    context: Vec<Setting>,
}

/// A setting that a section may have several times.
struct Setting {
    line: usize,
    /// Of the key, for a context.
    name: String,
    value: String,
}

impl Section {
    pub(super) fn new(name: &str, line: usize) -> Self {
        Self {
            name: name.to_owned(),
            line,
            id: None,
            secret: None,
            token: None,
            username: None,
            arn: None,
            policies: Vec::new(),
            context: Vec::new(),
        }
    }

    pub(super) fn set(&mut self, name: &str, value: &str, line: usize) -> Result<(), Problem> {
        let lower = name.to_ascii_lowercase();
        if lower == POLICY || lower.starts_with(CONTEXT) {
            return self.add(name, value, line);
        }
        let (setting, slot) = match lower.as_str() {
            ID => (ID, &mut self.id),
            SECRET => (SECRET, &mut self.secret),
            TOKEN => (TOKEN, &mut self.token),
            USERNAME => (USERNAME, &mut self.username),
            ARN => (ARN, &mut self.arn),
            ignored if IGNORED.contains(&ignored) => return Ok(()),
            _ => return Err(Problem::UnknownSetting(name.to_owned())),
        };
        if value.is_empty() {
            return Err(Problem::EmptySetting(setting));
        }
        match slot.replace(value.to_owned()) {
            Some(_) => Err(Problem::SettingTwice(setting)),
            None => Ok(()),
        }
    }

    fn add(&mut self, name: &str, value: &str, line: usize) -> Result<(), Problem> {
        let key = name.get(CONTEXT.len()..).unwrap_or_default();
        let (list, setting) = if name.eq_ignore_ascii_case(POLICY) {
            (&mut self.policies, POLICY)
        } else {
            (&mut self.context, CONTEXT)
        };
        if value.is_empty() {
            return Err(Problem::EmptySetting(setting));
        }
        list.push(Setting {
            line,
            name: key.to_owned(),
            value: value.to_owned(),
        });
        Ok(())
    }

    pub(super) fn finish(
        mut self,
        read: ReadPolicy<'_>,
    ) -> Result<(String, AccessKey), CredentialsError> {
        let missing = |setting| {
            let section = self.name.clone();
            at(self.line, Problem::Missing { section, setting })
        };
        let id = self.id.clone().ok_or_else(|| missing(ID))?;
        let secret = self.secret.clone().ok_or_else(|| missing(SECRET))?;
        let token = self.token.take();
        let key = AccessKey {
            secret: Secret(secret),
            session_token: token.map(Secret),
            identity: self.identity(read)?,
        };
        Ok((id, key))
    }

    fn identity(&self, read: ReadPolicy<'_>) -> Result<Identity, CredentialsError> {
        let policies = self.policies.iter().map(|setting| setting.policy(read));
        let policies = policies.collect::<Result<Vec<_>, _>>()?;
        Identity::new(self.principal()?, policies)
            .map_err(|error| at(self.line, Problem::Policy(error.to_string())))
    }

    fn principal(&self) -> Result<Principal, CredentialsError> {
        let username = self.username.as_ref().unwrap_or(&self.name);
        let mut principal = Principal::user(username);
        if let Some(arn) = &self.arn {
            principal = principal.with_arn(arn);
        }
        let mut seen = BTreeSet::new();
        for setting in &self.context {
            let Setting { line, name, value } = setting;
            if !seen.insert(name.to_ascii_lowercase()) {
                let problem = format!("a second {CONTEXT}{name} in this section");
                return Err(at(*line, Problem::Policy(problem)));
            }
            principal = principal
                .with(name, value)
                .map_err(|error| at(*line, Problem::Policy(error.to_string())))?;
        }
        Ok(principal)
    }
}

impl Setting {
    /// The policy of the line itself, or of the file that it names.
    fn policy(&self, read: ReadPolicy<'_>) -> Result<Policy, CredentialsError> {
        let failed = |problem: String| at(self.line, Problem::Policy(problem));
        if self.value.starts_with('{') {
            let name = format!("of line {}", self.line);
            return Policy::parse(&name, &self.value).map_err(|error| failed(error.to_string()));
        }
        let text = read(&self.value)
            .map_err(|error| failed(format!("cannot read the policy {}: {error}", self.value)))?;
        Policy::parse(&self.value, &text).map_err(|error| failed(error.to_string()))
    }
}
