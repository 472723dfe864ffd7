//! GetResourcePolicy.

use super::Execute;
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
        let name = input.validate()?.table;
        let catalog = core.published.catalog.load();
        let table = catalog
            .get(name.as_str())
            .ok_or_else(|| wording::named_table_not_found(name.as_str()))?;
        match &table.definition.policy {
            Some(policy) => Ok(Step::Done(GetResourcePolicyOutput {
                policy: Some(policy.document.clone()),
                revision_id: Some(policy.revision.clone()),
            })),
            None => Err(wording::policy_not_found(name.given())),
        }
    }
}
