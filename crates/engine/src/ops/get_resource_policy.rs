//! GetResourcePolicy.

use super::{Execute, attached_policy};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{Error, GetResourcePolicy, GetResourcePolicyInput, GetResourcePolicyOutput};
use std::sync::Arc;

impl Execute for GetResourcePolicy {
    fn start(
        core: &Arc<Core>,
        input: GetResourcePolicyInput,
    ) -> Result<Step<GetResourcePolicyOutput>, Error> {
        let resource = input.validate()?.resource;
        let catalog = core.published.catalog.load();
        match attached_policy::find(&catalog, &resource)? {
            Some(policy) => Ok(Step::Done(GetResourcePolicyOutput {
                policy: Some(policy.document.clone()),
                revision_id: Some(policy.revision.clone()),
            })),
            None => Err(wording::policy_not_found(resource.given())),
        }
    }
}
