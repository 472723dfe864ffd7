//! Plans of access patterns with their places filled in: which partitions they ask, and for what. Nothing here reads.

mod condition;
mod days;
mod parameters;
mod partitions;
mod spelling;

pub(crate) use condition::{Condition, Conditions, bind_all, bind_one, sort_key_order, value_text};
pub(crate) use parameters::Parameters;
pub(crate) use partitions::Spread;
pub(crate) use spelling::{TimeSpelling, order_text, respell_key_times, second_of, time_field};

use crate::address::{Address, PartitionRange};
use crate::error::Error;
use crate::request::SortCondition;
use crate::scope::Scope;
use monotable_item::Item;
use monotable_model::compiled::SourcePath;
use monotable_model::model::{Access, AccessId};
use monotable_model::plan::{GetStep, Reach, ReadPlan};

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

/// The plan of the access pattern with this name.
pub(crate) fn find_plan<'s>(scope: &'s Scope, name: &str) -> Result<&'s ReadPlan, Error> {
    find_pattern(scope, name)?;
    let plan = scope.plans().pattern_named(name);
    plan.ok_or_else(|| Error::integrity("a pattern without a plan"))
}

/// Where a row with these attributes stands in the layouts that are only read.
pub(crate) fn old_addresses(scope: &Scope, step: &GetStep, given: &Parameters) -> Vec<Address> {
    let mut addresses = Vec::new();
    for key in &step.layouts {
        let value = |path: &SourcePath<'_>| given.find_value(scope, path);
        // A layout whose key cannot be filled in has no such row.
        if let Ok(address) = scope.addressing().locate_text(key, value)
            && !addresses.contains(&address)
        {
            addresses.push(address);
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
    let plan = scope.plans().pattern(pattern);
    let Reach::Query(step) = &plan.reach else {
        return Ok(None);
    };
    let given = Parameters::inner(known.clone());
    let bound = condition::bind_one(scope, plan, &step.key, &given)?;
    let leading = bound.leading.into_iter();
    Ok(Some(PartitionRange {
        partition: bound.partition,
        leading: leading.collect(),
        prefix: match bound.sort {
            SortCondition::Begins(prefix) => prefix,
            _ => String::new(),
        },
    }))
}

/// Whether a pattern asks for ranges of keys.
pub(crate) fn asks_range(scope: &Scope, pattern: AccessId) -> bool {
    matches!(scope.plans().pattern(pattern).reach, Reach::Query(_))
}

/// Whether a pattern asks the table itself: an index lags.
pub(crate) fn is_certain(scope: &Scope, pattern: AccessId) -> bool {
    match &scope.plans().pattern(pattern).reach {
        Reach::Get(_) => true,
        Reach::Query(step) => step.key.at.index().is_none(),
        _ => false,
    }
}

/// The whole primary key that a pattern asks for, with what a row says as its parameters; none if it asks for more.
pub(crate) fn whole_key(
    scope: &Scope,
    pattern: AccessId,
    known: &Item,
) -> Result<Option<Address>, Error> {
    let plan = scope.plans().pattern(pattern);
    let Reach::Get(step) = &plan.reach else {
        return Ok(None);
    };
    let given = Parameters::inner(known.clone());
    let bound = condition::bind_one(scope, plan, &step.key, &given)?;
    Ok(Some(locate(scope, plan, &bound)?))
}

/// The primary key that a condition asks for as a whole.
pub(crate) fn locate(scope: &Scope, plan: &ReadPlan, bound: &Condition) -> Result<Address, Error> {
    let located = bound.locate(scope);
    located.map_err(|problem| Error::validation(&plan.name, vec![problem.into()]))
}
