//! PutResourcePolicy: attaches a policy to a table. It is kept and answered; nobody is held against it.

mod document;

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, TableName, resource_arn, wording};
use serde_json::Value;

/// Largest policy, in bytes.
const MAX_POLICY_BYTES: usize = 20 * 1024;
/// Longest revision, in characters.
const MAX_REVISION_CHARS: usize = 255;

structure! {
    /// A PutResourcePolicy request.
    pub struct PutResourcePolicyInput {
        /// The table, by ARN.
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
    /// The table.
    pub table: TableName,
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
    /// Attaches a policy to a table.
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
        let table = resource_arn::table(&arn)?;
        Ok(ValidPutResourcePolicy {
            table,
            policy: check_policy(&policy)?,
            expected: self.expected_revision_id.map(ExpectedRevision::parse),
        })
    }
}

/// The policy in the form in which AWS gives it back, if it is a JSON document with statements.
pub(crate) fn check_policy(text: &str) -> Result<String, Error> {
    if text.len() > MAX_POLICY_BYTES {
        return Err(Error::validation(wording::LARGE_POLICY));
    }
    let parsed: Value =
        serde_json::from_str(text).map_err(|_| Error::validation(wording::POLICY_IS_NO_JSON))?;
    let Value::Object(members) = &parsed else {
        return Err(Error::validation(wording::POLICY_IS_NO_JSON));
    };
    match members.get("Statement") {
        Some(Value::Array(statements)) if statements.is_empty() => {
            Err(Error::validation(wording::POLICY_WITHOUT_STATEMENTS))
        }
        Some(Value::Array(_) | Value::Object(_)) => Ok(document::canonical(members)),
        _ => Err(Error::validation(wording::POLICY_IS_NO_POLICY)),
    }
}
