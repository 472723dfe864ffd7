//! Access patterns with their parameters filled in: which partitions they ask, and for what. Nothing here reads.

mod condition;
mod days;
mod parameters;
mod partitions;

pub(crate) use condition::{
    Condition, Conditions, key_order, list_conditions, one_condition, value_text,
};
pub(crate) use parameters::Parameters;
pub(crate) use partitions::Spread;

use crate::address::{Address, PartitionRange};
use crate::error::Error;
use crate::request::SortCondition;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::compiled::SourcePath;
use monotable_model::model::{Access, AccessId, KeyPlace, Way};

/// The access pattern with this name.
pub(crate) fn find_pattern<'s>(scope: &'s Scope, name: &str) -> Result<&'s Access, Error> {
    match scope.model().pattern_named(name) {
        Some((_, access)) => Ok(access),
        None => {
            let known = scope.model().patterns();
            let known: Vec<_> = known
                .map(|(_, access)| access.name.value.as_str())
                .collect();
            Err(Error::usage(format!(
                "the model has no access pattern `{name}`; it has {}",
                known.join(", ")
            )))
        }
    }
}

/// Where a row with these attributes stands in the layouts that are only read.
pub(crate) fn old_addresses(scope: &Scope, access: &Access, given: &Parameters) -> Vec<Address> {
    let mut addresses = Vec::new();
    for id in &access.returns {
        let entity = scope.entity(*id);
        for layout in &entity.layouts {
            let mut keys = layout.keys.iter();
            let Some(key) = keys.find(|key| key.place == KeyPlace::Primary) else {
                continue;
            };
            let value = |path: &SourcePath<'_>| given.find_value(scope, path);
            // A layout whose key cannot be filled in has no such row.
            if let Ok(address) = scope.addressing().locate(layout.table, key, value)
                && !addresses.contains(&address)
            {
                addresses.push(address);
            }
        }
    }
    addresses
}

/// Where the rows of a pattern are, with what a row says as its parameters: a partition of the table or of an index, or a
/// part of one.
pub(crate) fn rows_of(
    scope: &Scope,
    pattern: AccessId,
    known: &Item,
) -> Result<Option<PartitionRange>, Error> {
    let access = scope.model().pattern(pattern);
    let Way::Query { table, key } = &access.way else {
        return Ok(None);
    };
    let given = Parameters::inner(known.clone());
    let asked = condition::one_condition(scope, access, *table, key, &given)?;
    Ok(Some(PartitionRange {
        partition: asked.partition,
        prefix: match asked.sort {
            SortCondition::Begins(prefix) => prefix,
            _ => String::new(),
        },
    }))
}

/// The whole primary key that a pattern asks for, with what a row says as its parameters; none if it asks for more.
pub(crate) fn whole_key(
    scope: &Scope,
    pattern: AccessId,
    known: &Item,
) -> Result<Option<Address>, Error> {
    let access = scope.model().pattern(pattern);
    let Way::Get { table, key } = &access.way else {
        return Ok(None);
    };
    let given = Parameters::inner(known.clone());
    let asked = condition::one_condition(scope, access, *table, key, &given)?;
    Ok(Some(locate(scope, access, &asked)?))
}

/// The primary key that a condition asks for as a whole.
pub(crate) fn locate(scope: &Scope, access: &Access, asked: &Condition) -> Result<Address, Error> {
    let located = asked.locate(scope);
    located.map_err(|problem| Error::validation(&access.name.value, vec![problem.into()]))
}
