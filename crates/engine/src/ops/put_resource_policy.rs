//! PutResourcePolicy.

use super::Execute;
use super::attached_policy::{self, PolicyChange};
use crate::catalog::PolicyState;
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{Error, PutResourcePolicy, PutResourcePolicyInput, PutResourcePolicyOutput};
use std::sync::Arc;

impl Execute for PutResourcePolicy {
    fn start(
        core: &Arc<Core>,
        input: PutResourcePolicyInput,
    ) -> Result<Step<PutResourcePolicyOutput>, Error> {
        let valid = input.validate()?;
        let (document, expected) = (valid.policy, valid.expected);
        let (resource, now) = (valid.resource.clone(), core.now_millis());
        let decide = move |known: Option<&PolicyState>| {
            attached_policy::check_revision(&resource, known, expected.as_ref())?;
            let answer = |revision: &str| PutResourcePolicyOutput {
                revision_id: Some(revision.to_owned()),
            };
            // The same policy again is no change.
            if let Some(same) = known.filter(|known| known.document == document) {
                return Ok((PolicyChange::Same, answer(&same.revision)));
            }
            let policy = PolicyState::new(document, known, now);
            let output = answer(&policy.revision);
            Ok((PolicyChange::Attached(policy), output))
        };
        Ok(attached_policy::change(core, valid.resource, decide))
    }
}
