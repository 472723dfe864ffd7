//! The policies that are attached to tables and streams. They are kept and answered; nobody is held against them.

use super::describe_stream::find_stream;
use crate::catalog::{Catalog, CatalogRows, PolicyState, to_row};
use crate::commit::Group;
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Space, StoreFault};
use crate::stream::store_definition;
use crate::wording;
use monotable_api::{Error, ExpectedRevision, PolicyResource};
use std::sync::Arc;

/// What becomes of a policy.
pub(super) enum PolicyChange {
    /// It stays, or there is none and none comes.
    Same,
    Attached(PolicyState),
    Detached,
}

/// The policy of a resource, if it has one.
pub(super) fn find<'a>(
    catalog: &'a Catalog,
    resource: &PolicyResource,
) -> Result<Option<&'a PolicyState>, Error> {
    match resource {
        PolicyResource::Table(name) => {
            let table = catalog.get(name.as_str());
            let table = table.ok_or_else(|| wording::named_table_not_found(name.as_str()))?;
            Ok(table.definition.policy.as_ref())
        }
        PolicyResource::Stream(arn) => {
            let stream = find_stream(catalog, arn);
            let stream = stream
                .map_err(|_| wording::stream_of_policy_not_found(arn.table(), arn.label()))?;
            Ok(stream.definition.policy.as_ref())
        }
    }
}

/// Changes the policy of a resource, or refuses to.
pub(super) fn change<O: Send + 'static>(
    core: &Core,
    resource: PolicyResource,
    decide: impl FnOnce(Option<&PolicyState>) -> Result<(PolicyChange, O), Error> + Send + 'static,
) -> Step<O> {
    let pending = core.committer.submit(move |group| {
        let decided = find(group.catalog(), &resource).and_then(decide);
        let (change, output) = match decided {
            Ok(decided) => decided,
            Err(error) => return Ok(Err(error)),
        };
        match change {
            PolicyChange::Same => {}
            PolicyChange::Attached(policy) => store(group, &resource, Some(policy))?,
            PolicyChange::Detached => store(group, &resource, None)?,
        }
        Ok(Ok(output))
    });
    Step::Table(pending)
}

/// Writes the definition of a table or a stream with this policy.
fn store(
    group: &mut Group<'_>,
    resource: &PolicyResource,
    policy: Option<PolicyState>,
) -> Result<(), StoreFault> {
    match resource {
        PolicyResource::Table(name) => {
            let Some(table) = group.catalog().get(name.as_str()).map(Arc::clone) else {
                return Ok(());
            };
            let mut definition = table.definition.clone();
            definition.policy = policy;
            let row = to_row(&definition)?;
            group.write(Space::Meta, CatalogRows::table(name.as_str()), Some(row));
            let catalog = group.catalog().with(table.redefined(definition));
            group.set_catalog(catalog);
            Ok(())
        }
        PolicyResource::Stream(arn) => {
            let Ok(stream) = find_stream(group.catalog(), arn).map(Arc::clone) else {
                return Ok(());
            };
            let mut definition = stream.definition.clone();
            definition.policy = policy;
            store_definition(group, definition)
        }
    }
}

/// Checks that a resource has the policy that a request expects.
pub(super) fn check_revision(
    resource: &PolicyResource,
    policy: Option<&PolicyState>,
    expected: Option<&ExpectedRevision>,
) -> Result<(), Error> {
    let table = match resource {
        PolicyResource::Table(name) => name.as_str(),
        PolicyResource::Stream(arn) => arn.table(),
    };
    match (expected, policy) {
        (None, _) | (Some(ExpectedRevision::NoPolicy), None) => Ok(()),
        (Some(ExpectedRevision::NoPolicy), Some(policy)) => {
            Err(wording::policy_exists(table, &policy.revision))
        }
        (Some(ExpectedRevision::Revision(expected)), Some(policy)) => {
            if policy.revision == *expected {
                Ok(())
            } else {
                Err(wording::other_policy_revision(
                    table,
                    expected,
                    &policy.revision,
                ))
            }
        }
        (Some(ExpectedRevision::Revision(expected)), None) => {
            Err(wording::no_policy_revision(table, expected))
        }
    }
}
