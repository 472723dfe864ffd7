//! DeleteResourcePolicy.

use super::Execute;
use super::put_resource_policy::check_revision;
use super::redefinition::{self, Redefined};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
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
        let expected = valid.expected;
        Ok(redefinition::start(
            core,
            valid.table,
            |name| wording::named_table_not_found(name.as_str()),
            move |table| {
                check_revision(table, expected.as_ref())?;
                let mut definition = Box::new(table.definition.clone());
                Ok(match definition.policy.take() {
                    Some(policy) => {
                        let output = DeleteResourcePolicyOutput {
                            revision_id: Some(policy.revision),
                        };
                        Redefined::Changed(definition, output)
                    }
                    None => Redefined::Same(DeleteResourcePolicyOutput::default()),
                })
            },
        ))
    }
}
