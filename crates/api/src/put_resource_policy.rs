//! PutResourcePolicy: attaches a policy to a table or a stream. It is kept and answered; nobody is held against it.

mod document;
mod rules;

pub(crate) use rules::PolicyKind;

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, PolicyResource, resource_arn, wording};
use serde_json::Value;

/// Largest policy, in bytes.
const MAX_POLICY_BYTES: usize = 20 * 1024;
/// Longest revision, in characters.
const MAX_REVISION_CHARS: usize = 255;

structure! {
    /// A PutResourcePolicy request.
    pub struct PutResourcePolicyInput {
        /// The table or the stream, by ARN.
        resource_arn: String,
        /// The policy, a JSON document.
        policy: String,
        /// The revision that the policy must have now; `NO_POLICY` if there must be none.
        expected_revision_id: String,
        /// Whether the caller may lose the right to change the policy.
        confirm_remove_self_resource_access: bool,
    }

    /// A PutResourcePolicy answer.
    pub struct PutResourcePolicyOutput {
        /// The revision of the policy.
        revision_id: String,
    }
}

/// A PutResourcePolicy request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidPutResourcePolicy {
    /// What it is attached to.
    pub resource: PolicyResource,
    /// The policy, in the form in which AWS gives it back.
    pub policy: String,
    /// What must be there now.
    pub expected: Option<ExpectedRevision>,
}

/// What must be there for a policy to be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedRevision {
    /// No policy.
    NoPolicy,
    /// This revision.
    Revision(String),
}

impl ExpectedRevision {
    /// Checks the constraints of the member.
    pub(crate) fn constrain(given: &Option<String>, constraints: &mut Constraints) {
        if let Some(revision) = given {
            let path = Path::Root("expectedRevisionId");
            constraints.text_length(path, revision, 1..=MAX_REVISION_CHARS);
        }
    }

    pub(crate) fn parse(given: String) -> Self {
        match given.as_str() {
            "NO_POLICY" => Self::NoPolicy,
            _ => Self::Revision(given),
        }
    }
}

impl PutResourcePolicyInput {
    /// Attaches a policy to a table or a stream.
    pub fn new(arn: impl Into<String>, policy: impl Into<String>) -> Self {
        Self {
            resource_arn: Some(arn.into()),
            policy: Some(policy.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidPutResourcePolicy, Error> {
        let mut constraints = Constraints::default();
        resource_arn::constrain(&mut constraints, &self.resource_arn);
        constraints.required(Path::Root("policy"), &self.policy);
        ExpectedRevision::constrain(&self.expected_revision_id, &mut constraints);
        let (arn, policy) = constraints.finish(self.resource_arn.zip(self.policy))?;
        let resource = PolicyResource::parse(&arn)?;
        let kind = match resource {
            PolicyResource::Table(_) => PolicyKind::Table,
            PolicyResource::Stream(_) => PolicyKind::Stream,
        };
        Ok(ValidPutResourcePolicy {
            policy: check_policy(&policy, kind)?,
            resource,
            expected: self.expected_revision_id.map(ExpectedRevision::parse),
        })
    }
}

/// The policy in the form in which AWS gives it back, if it is a policy.
pub(crate) fn check_policy(text: &str, kind: PolicyKind) -> Result<String, Error> {
    if text.len() > MAX_POLICY_BYTES {
        return Err(Error::validation(wording::LARGE_POLICY));
    }
    let flawed = |flaw| Error::validation(wording::invalid_policy(flaw));
    match serde_json::from_str(text) {
        Ok(Value::Object(members)) => {
            rules::check(&members, text, kind)?;
            Ok(document::canonical(&members))
        }
        Ok(Value::Null) => Err(flawed(wording::POLICY_IS_NO_POLICY)),
        Ok(_) | Err(_) => Err(flawed(wording::POLICY_IS_NO_JSON)),
    }
}
