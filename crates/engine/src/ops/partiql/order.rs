//! ORDER BY: by the sort key, and by the partition key where there are several partitions.

use super::read_range::{self, ReadRange};
use crate::ops::paged::Relation;
use crate::store::Direction;
use monotable_expr::partiql::{OrderTerm, StatementProblem};
use monotable_expr::tree::Predicate;

/// In which order reads are made, and rows of each are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReadOrder {
    partitions: Direction,
    pub(super) rows: Direction,
    by_partition: bool,
    is_given: bool,
}

impl ReadOrder {
    /// The order that the terms of ORDER BY ask for.
    pub(super) fn new(
        relation: Relation<'_>,
        terms: &[OrderTerm],
        condition: Option<&Predicate>,
    ) -> Result<Self, StatementProblem> {
        if terms.is_empty() {
            return Ok(Self {
                partitions: Direction::Forwards,
                rows: Direction::Forwards,
                by_partition: false,
                is_given: false,
            });
        }
        if condition.is_none() {
            return Err(StatementProblem::OrderWithoutCondition);
        }
        let mut keys = relation.key().attributes();
        for term in terms {
            if !keys.any(|key| key.name == term.attribute) {
                let name = term.attribute.clone();
                return Err(StatementProblem::OrderOutsideKey(name));
            }
            keys = relation.key().attributes();
        }
        let direction = |keys: &[monotable_api::KeyAttribute]| {
            let mut terms = terms.iter();
            let is_key = |term: &&OrderTerm| keys.iter().any(|key| key.name == term.attribute);
            terms.find(is_key).map(|term| {
                if term.descending {
                    Direction::Backwards
                } else {
                    Direction::Forwards
                }
            })
        };
        let partitions = direction(&relation.key().hash);
        Ok(Self {
            // Recorded of AWS: rows come backwards where only the partition key is ordered by.
            rows: direction(&relation.key().range).unwrap_or(Direction::Backwards),
            by_partition: partitions.is_some(),
            partitions: partitions.unwrap_or(Direction::Forwards),
            is_given: true,
        })
    }

    /// Puts reads into the order.
    pub(super) fn sort(&self, reads: &mut [ReadRange]) -> Result<(), StatementProblem> {
        let first = reads.first().cloned();
        let has_partition = first.as_ref().is_some_and(|read| read.partition.is_some());
        if self.is_given && !has_partition {
            return Err(StatementProblem::OrderWithoutPartition);
        }
        let is_other = |read: &ReadRange| {
            let first = first.as_ref();
            first.is_some_and(|first| read_range::compare_partitions(first, read).is_ne())
        };
        if self.is_given && !self.by_partition && reads.iter().any(is_other) {
            return Err(StatementProblem::OrderOfPartitions);
        }
        reads.sort_by(|one, other| {
            let by_partition = match self.partitions {
                Direction::Forwards => read_range::compare_partitions(one, other),
                Direction::Backwards => read_range::compare_partitions(other, one),
            };
            by_partition.then_with(|| match self.rows {
                Direction::Forwards => read_range::compare(one, other),
                Direction::Backwards => read_range::compare(other, one),
            })
        });
        Ok(())
    }
}
