//! Clauses against a key schema.

use super::clause::KeyClause;
use super::{KeyRange, SortCondition};
use crate::KeyConditionProblem;
use monotable_item::EncodedValue;

/// The range that `clauses` select, if they are on this key.
pub(super) fn resolve(
    clauses: &[KeyClause],
    hash: &[&str],
    range: &[&str],
) -> Result<KeyRange, KeyConditionProblem> {
    let attributes = hash.len() + range.len();
    if clauses.len() > attributes {
        return Err(KeyConditionProblem::TooManyConditions {
            conditions: clauses.len(),
            attributes,
        });
    }
    let hash_values = match (hash, range) {
        ([name], [] | [_]) => vec![hash_value(clauses, name)?],
        _ => hash_values(clauses, hash)?,
    };
    check_all_on_key(clauses, hash, range)?;
    let (leading, range) = sort_condition(clauses, range)?;
    Ok(KeyRange {
        hash: hash_values,
        leading,
        range,
    })
}

/// The condition on an attribute, if there is one.
fn find<'c>(
    clauses: &'c [KeyClause],
    name: &str,
) -> Result<Option<&'c SortCondition>, KeyConditionProblem> {
    let clause = clauses.iter().find(|clause| clause.attribute == name);
    clause
        .map(|clause| clause.condition.as_ref())
        .map(|condition| condition.ok_or(KeyConditionProblem::NotIndexable))
        .transpose()
}

fn hash_value(clauses: &[KeyClause], name: &str) -> Result<EncodedValue, KeyConditionProblem> {
    match find(clauses, name)? {
        Some(SortCondition::Equal(value)) => Ok(value.clone()),
        Some(_) => Err(KeyConditionProblem::NotEquality),
        None => Err(KeyConditionProblem::MissingAttribute { name: name.into() }),
    }
}

/// The values of a partition key where some part of the key has several attributes. AWS then names all that are missing,
/// and an attribute without an equality is missing.
fn hash_values(
    clauses: &[KeyClause],
    hash: &[&str],
) -> Result<Vec<EncodedValue>, KeyConditionProblem> {
    let mut values = Vec::with_capacity(hash.len());
    let mut missing = Vec::new();
    for name in hash {
        match find(clauses, name)? {
            Some(SortCondition::Equal(value)) => values.push(value.clone()),
            _ => missing.push((*name).to_owned()),
        }
    }
    if missing.is_empty() {
        Ok(values)
    } else {
        Err(KeyConditionProblem::MissingPartitionKey { missing })
    }
}

/// A condition on something else than the key stands for one on the key that is missing.
fn check_all_on_key(
    clauses: &[KeyClause],
    hash: &[&str],
    range: &[&str],
) -> Result<(), KeyConditionProblem> {
    let is_key = |clause: &KeyClause| {
        let name = clause.attribute.as_str();
        hash.contains(&name) || range.contains(&name)
    };
    if clauses.iter().all(is_key) {
        return Ok(());
    }
    let has_clause = |name: &str| clauses.iter().any(|clause| clause.attribute == name);
    let missing = range.iter().find(|name| !has_clause(name));
    Err(match missing {
        Some(name) => KeyConditionProblem::MissingAttribute {
            name: (*name).to_owned(),
        },
        // INVARIANT: there are no more clauses than key attributes, so one of these lacks its own.
        None => KeyConditionProblem::NotEquality,
    })
}

/// Values for the first attributes of the sort key, then the condition on the next one.
fn sort_condition(
    clauses: &[KeyClause],
    range: &[&str],
) -> Result<(Vec<EncodedValue>, SortCondition), KeyConditionProblem> {
    let conditions = range.iter().map(|name| find(clauses, name));
    let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
    let Some(last) = conditions.iter().rposition(Option::is_some) else {
        return Ok((Vec::new(), SortCondition::Any));
    };
    let mut leading = Vec::new();
    let mut missing = Vec::new();
    for (condition, name) in conditions.iter().zip(range).take(last) {
        match condition {
            Some(SortCondition::Equal(value)) => leading.push(value.clone()),
            _ => missing.push((*name).to_owned()),
        }
    }
    if !missing.is_empty() {
        return Err(KeyConditionProblem::GapInSortKey {
            missing,
            present: range.get(last).copied().unwrap_or_default().to_owned(),
        });
    }
    let condition = conditions.get(last).copied().flatten();
    Ok((leading, condition.cloned().unwrap_or(SortCondition::Any)))
}
