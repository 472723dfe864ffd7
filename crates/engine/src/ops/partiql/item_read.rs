//! A SELECT of one item, which is all that batches and transactions read.

use super::partition_key;
use crate::catalog::Table;
use monotable_expr::SortCondition;
use monotable_expr::partiql::{
    PartitionRead, ReadPlan, Reads, SelectStatement, StatementError, StatementProblem,
};
use monotable_item::limits::MAX_STATEMENT_READS;
use monotable_item::{EncodedItem, EncodedValue, ItemBuilder};

/// Where a SELECT of one item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ops) enum ReadPlace {
    Batch,
    Transaction,
}

impl ReadPlace {
    pub(in crate::ops) const fn refusal(self) -> StatementProblem {
        match self {
            Self::Batch => StatementProblem::BatchReadWithoutKey,
            Self::Transaction => StatementProblem::TransactionReadWithoutKey,
        }
    }
}

/// The key of the item that a SELECT reads: its condition must be that key, and nothing else.
pub(in crate::ops) fn read_key(
    table: &Table,
    select: &SelectStatement,
    parameters: &[EncodedValue],
    place: ReadPlace,
) -> Result<EncodedItem, StatementError> {
    let condition = select.condition(parameters)?.ok_or(place.refusal())?;
    let partition_key = partition_key(table);
    let sort_key = table.key.range.first().map(|key| key.name.as_str());
    let plan = ReadPlan::new(condition, partition_key, sort_key);
    let Reads::Partitions(reads) = plan.reads(MAX_STATEMENT_READS)? else {
        return Err(place.refusal().into());
    };
    let mut key = ItemBuilder::new();
    let read = match reads.as_slice() {
        [read] if read.filter.is_none() => read,
        reads if has_repetition(reads) => return Err(StatementProblem::OverlappingReads.into()),
        _ => return Err(place.refusal().into()),
    };
    key.push(partition_key, read.partition.view());
    match (sort_key, sort_value(read)) {
        (Some(name), Some(value)) => key.push(name, value.view()),
        (None, _) if read.sort.is_empty() => {}
        _ => return Err(place.refusal().into()),
    }
    Ok(key.finish())
}

fn has_repetition(reads: &[PartitionRead]) -> bool {
    let is_same = |one: &PartitionRead, other: &PartitionRead| {
        one.partition == other.partition && one.sort == other.sort
    };
    reads.iter().enumerate().any(|(position, read)| {
        let mut before = reads.iter().take(position);
        before.any(|other| is_same(read, other))
    })
}

/// The one value that the sort key must have.
fn sort_value(read: &PartitionRead) -> Option<&EncodedValue> {
    let mut values = read.sort.iter().map(|condition| match condition {
        SortCondition::Equal(value) => Some(value),
        _ => None,
    });
    let first = values.next()??;
    values.all(|other| other == Some(first)).then_some(first)
}
