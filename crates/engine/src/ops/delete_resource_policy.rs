//! DeleteResourcePolicy.

use super::Execute;
use super::attached_policy::{self, PolicyChange};
use crate::catalog::PolicyState;
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{
    DeleteResourcePolicy, DeleteResourcePolicyInput, DeleteResourcePolicyOutput, Error,
};
use std::sync::Arc;

impl Execute for DeleteResourcePolicy {
    fn start(
        core: &Arc<Core>,
        input: DeleteResourcePolicyInput,
    ) -> Result<Step<DeleteResourcePolicyOutput>, Error> {
        let valid = input.validate()?;
        let (resource, expected) = (valid.resource.clone(), valid.expected);
        let decide = move |known: Option<&PolicyState>| {
            attached_policy::check_revision(&resource, known, expected.as_ref())?;
            Ok(match known {
                Some(policy) => {
                    let output = DeleteResourcePolicyOutput {
                        revision_id: Some(policy.revision.clone()),
                    };
                    (PolicyChange::Detached, output)
                }
                None => (PolicyChange::Same, DeleteResourcePolicyOutput::default()),
            })
        };
        Ok(attached_policy::change(core, valid.resource, decide))
    }
}
