//! PutResourcePolicy.

use super::Execute;
use super::redefinition::{self, Redefined};
use crate::catalog::{PolicyState, Table};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    Error, ExpectedRevision, PutResourcePolicy, PutResourcePolicyInput, PutResourcePolicyOutput,
};
use std::sync::Arc;

impl Execute for PutResourcePolicy {
    fn start(
        core: &Arc<Core>,
        input: PutResourcePolicyInput,
    ) -> Result<Step<PutResourcePolicyOutput>, Error> {
        let valid = input.validate()?;
        let (document, expected) = (valid.policy, valid.expected);
        let now = core.now_millis();
        Ok(redefinition::start(
            core,
            valid.table,
            |name| wording::named_table_not_found(name.as_str()),
            move |table| {
                check_revision(table, expected.as_ref())?;
                let known = table.definition.policy.as_ref();
                let answer = |revision: &str| PutResourcePolicyOutput {
                    revision_id: Some(revision.to_owned()),
                };
                // The same policy again is no change.
                if let Some(same) = known.filter(|known| known.document == document) {
                    return Ok(Redefined::Same(answer(&same.revision)));
                }
                let policy = PolicyState::new(document, known, now);
                let output = answer(&policy.revision);
                let mut definition = Box::new(table.definition.clone());
                definition.policy = Some(policy);
                Ok(Redefined::Changed(definition, output))
            },
        ))
    }
}

/// Checks that a table has the policy that a request expects.
pub(super) fn check_revision(
    table: &Table,
    expected: Option<&ExpectedRevision>,
) -> Result<(), Error> {
    let name = table.name();
    match (expected, &table.definition.policy) {
        (None, _) | (Some(ExpectedRevision::NoPolicy), None) => Ok(()),
        (Some(ExpectedRevision::NoPolicy), Some(policy)) => {
            Err(wording::policy_exists(name, &policy.revision))
        }
        (Some(ExpectedRevision::Revision(expected)), Some(policy)) => {
            if policy.revision == *expected {
                Ok(())
            } else {
                Err(wording::other_policy_revision(
                    name,
                    expected,
                    &policy.revision,
                ))
            }
        }
        (Some(ExpectedRevision::Revision(expected)), None) => {
            Err(wording::no_policy_revision(name, expected))
        }
    }
}
