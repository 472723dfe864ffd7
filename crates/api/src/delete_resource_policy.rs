//! DeleteResourcePolicy: detaches the policy of a table or a stream.

use crate::constraint::Constraints;
use crate::put_resource_policy::ExpectedRevision;
use crate::structure::structure;
use crate::{Error, PolicyResource, resource_arn};

structure! {
    /// A DeleteResourcePolicy request.
    pub struct DeleteResourcePolicyInput {
        /// The table or the stream, by ARN.
        resource_arn: String,
        /// The revision that the policy must have now.
        expected_revision_id: String,
    }

    /// A DeleteResourcePolicy answer.
    pub struct DeleteResourcePolicyOutput {
        /// The revision of the policy that was there; absent if there was none.
        revision_id: String,
    }
}

/// A DeleteResourcePolicy request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDeleteResourcePolicy {
    /// What it is attached to.
    pub resource: PolicyResource,
    /// What must be there now.
    pub expected: Option<ExpectedRevision>,
}

impl DeleteResourcePolicyInput {
    /// Detaches the policy of a table or a stream.
    pub fn new(arn: impl Into<String>) -> Self {
        Self {
            resource_arn: Some(arn.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDeleteResourcePolicy, Error> {
        let mut constraints = Constraints::default();
        resource_arn::constrain(&mut constraints, &self.resource_arn);
        ExpectedRevision::constrain(&self.expected_revision_id, &mut constraints);
        Ok(ValidDeleteResourcePolicy {
            resource: PolicyResource::parse(&constraints.finish(self.resource_arn)?)?,
            expected: self.expected_revision_id.map(ExpectedRevision::parse),
        })
    }
}
