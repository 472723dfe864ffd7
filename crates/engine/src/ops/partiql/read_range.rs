//! The rows that the reads of a SELECT go through.

use crate::ops::paged::Relation;
use crate::ops::query;
use crate::schema;
use crate::store::KeyRange;
use monotable_api::{Error, KeyAttribute};
use monotable_expr::partiql::{KeyValue, PartitionRead, StatementProblem};
use monotable_expr::tree::Predicate;
use monotable_expr::{KeyClause, KeyCondition, SortCondition};
use monotable_item::EncodedValue;
use std::cmp::Ordering;

/// A read of some rows.
#[derive(Clone, Debug)]
pub(super) struct ReadRange {
    /// The partition; none for all of them.
    pub(super) partition: Option<EncodedValue>,
    pub(super) rows: KeyRange,
    pub(super) filter: Option<Predicate>,
}

/// Checks that the key is compared with values of its own types.
pub(super) fn check_key_values(
    relation: Relation<'_>,
    values: &[KeyValue],
) -> Result<(), StatementProblem> {
    for KeyValue { attribute, value } in values {
        let attribute_type = value.view().attribute_type();
        if !attribute_type.is_key_type() {
            return Err(StatementProblem::KeyValueType {
                name: attribute.clone(),
                attribute_type,
            });
        }
        let is_named = |key: &&KeyAttribute| key.name == *attribute;
        let key = relation.key().attributes().find(is_named);
        if key.is_some_and(|key| !schema::has_type(key, value.view())) {
            return Err(StatementProblem::KeyTypeMismatch(attribute.clone()));
        }
    }
    Ok(())
}

/// The rows of a part of a partition.
pub(super) fn resolve(relation: Relation<'_>, read: PartitionRead) -> Result<ReadRange, Error> {
    let rows = |condition: Option<&SortCondition>| {
        let hash = relation.key().hash.iter().map(|key| KeyClause {
            attribute: key.name.clone(),
            condition: Some(SortCondition::Equal(read.partition.clone())),
        });
        let range = condition.and_then(|condition| {
            let key = relation.key().range.first()?;
            Some(KeyClause {
                attribute: key.name.clone(),
                condition: Some(condition.clone()),
            })
        });
        let condition = KeyCondition::from_clauses(hash.chain(range).collect());
        query::key_range(relation, &condition)
    };
    let mut all = rows(None)?;
    for condition in &read.sort {
        all = intersect(all, rows(Some(condition))?);
    }
    Ok(ReadRange {
        partition: Some(read.partition),
        rows: all,
        filter: read.filter,
    })
}

fn intersect(one: KeyRange, other: KeyRange) -> KeyRange {
    KeyRange {
        start: one.start.max(other.start),
        end: match (one.end, other.end) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        },
    }
}

/// Refuses reads of which two would go through the same row.
pub(super) fn check_apart(reads: &[ReadRange]) -> Result<(), StatementProblem> {
    let rows = reads.iter().map(|read| &read.rows);
    let mut rows: Vec<_> = rows.filter(|rows| !rows.is_empty()).collect();
    rows.sort_by(|one, other| one.start.cmp(&other.start));
    let overlap = rows.windows(2).any(|pair| match pair {
        [one, other] => one.end.as_ref().is_none_or(|end| *end > other.start),
        _ => false,
    });
    if overlap {
        return Err(StatementProblem::OverlappingReads);
    }
    Ok(())
}

/// The order of two reads by their partition keys, and then by their rows.
pub(super) fn compare(one: &ReadRange, other: &ReadRange) -> Ordering {
    compare_partitions(one, other).then_with(|| one.rows.start.cmp(&other.rows.start))
}

pub(super) fn compare_partitions(one: &ReadRange, other: &ReadRange) -> Ordering {
    match (&one.partition, &other.partition) {
        (Some(one), Some(other)) => {
            let order = one.view().compare(&other.view());
            order.unwrap_or(Ordering::Equal)
        }
        _ => Ordering::Equal,
    }
}
