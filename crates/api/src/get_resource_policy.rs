//! GetResourcePolicy: the policy of a table or a stream.

use crate::constraint::Constraints;
use crate::structure::structure;
use crate::{Error, PolicyResource, resource_arn};

structure! {
    /// A GetResourcePolicy request.
    pub struct GetResourcePolicyInput {
        /// The table or the stream, by ARN.
        resource_arn: String,
    }

    /// A GetResourcePolicy answer.
    pub struct GetResourcePolicyOutput {
        /// The policy, a JSON document.
        policy: String,
        /// Its revision.
        revision_id: String,
    }
}

/// A GetResourcePolicy request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidGetResourcePolicy {
    /// What it is attached to.
    pub resource: PolicyResource,
}

impl GetResourcePolicyInput {
    /// The policy of a table or a stream.
    pub fn new(arn: impl Into<String>) -> Self {
        Self {
            resource_arn: Some(arn.into()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidGetResourcePolicy, Error> {
        let mut constraints = Constraints::default();
        resource_arn::constrain(&mut constraints, &self.resource_arn);
        Ok(ValidGetResourcePolicy {
            resource: PolicyResource::parse(&constraints.finish(self.resource_arn)?)?,
        })
    }
}
