//! How a SELECT is read: which partitions, and which part of each, or everything.
//!
//! AWS spreads a condition out into branches, as if it were written as alternatives: `p IN ['a', 'b'] AND x = 1` is
//! `p = 'a' AND x = 1 OR p = 'b' AND x = 1`. If every branch has one partition, each of them is a Query; else the
//! whole is a Scan with the condition as its filter.

mod leaf;
mod spread;

use super::error::{StatementError, StatementProblem};
use crate::SortCondition;
use crate::tree::Predicate;
use leaf::KeyNames;
use monotable_item::EncodedValue;
use spread::Spread;
use std::collections::HashSet;

/// A condition spread out over a key.
#[derive(Clone, Debug)]
pub struct ReadPlan {
    condition: Predicate,
    branches: Branches,
    key_values: Vec<KeyValue>,
    negates_key: bool,
}

#[derive(Clone, Debug)]
enum Branches {
    /// Each names a partition.
    Pinned(Vec<Spread>),
    /// Each would name a partition, but they are too many to spread out.
    TooMany,
    /// One at least names no partition.
    Open,
}

/// A value that an attribute of the key is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyValue {
    /// The attribute.
    pub attribute: String,
    /// The value.
    pub value: EncodedValue,
}

/// What to read.
#[derive(Clone, Debug)]
pub enum Reads {
    /// Everything, with this filter.
    All(Predicate),
    /// These parts of partitions.
    Partitions(Vec<PartitionRead>),
}

/// A part of a partition.
#[derive(Clone, Debug)]
pub struct PartitionRead {
    /// The value of the partition key.
    pub partition: EncodedValue,
    /// What must all hold of the sort key.
    pub sort: Vec<SortCondition>,
    /// What else must hold of an item.
    pub filter: Option<Predicate>,
}

impl ReadPlan {
    /// Spreads a condition out over a partition key and a sort key.
    pub fn new(condition: Predicate, partition_key: &str, sort_key: Option<&str>) -> Self {
        let key = KeyNames {
            partition: partition_key,
            sort: sort_key,
        };
        let mut key_values = Vec::new();
        key.collect_values(&condition, &mut key_values);
        let branches = if key.pins_every_branch(&condition) {
            spread::spread(&key, &condition).map_or(Branches::TooMany, Branches::Pinned)
        } else {
            Branches::Open
        };
        Self {
            branches,
            key_values,
            negates_key: key.is_negated_in(&condition),
            condition,
        }
    }

    /// The values that attributes of the key are compared with, where the comparison could say what to read.
    pub fn key_values(&self) -> &[KeyValue] {
        &self.key_values
    }

    /// What to read, in at most so many reads.
    pub fn reads(&self, limit: usize) -> Result<Reads, StatementError> {
        let all = || Reads::All(self.condition.clone());
        let branches = match &self.branches {
            Branches::Pinned(branches) if branches.len() <= limit => branches,
            Branches::Pinned(_) | Branches::TooMany => {
                return Err(StatementProblem::TooManyReads.into());
            }
            Branches::Open => return Ok(all()),
        };
        let partitions: Option<Vec<_>> = branches.iter().map(Spread::partition_read).collect();
        match partitions {
            // Branches on one partition that a negation keeps apart cannot be told to be apart.
            Some(reads) if self.negates_key && names_partition_twice(&reads) => Ok(all()),
            Some(reads) => Ok(Reads::Partitions(reads)),
            None => Ok(all()),
        }
    }
}

fn names_partition_twice(reads: &[PartitionRead]) -> bool {
    let mut seen = HashSet::new();
    let mut partitions = reads.iter().map(|read| &read.partition);
    !partitions.all(|partition| seen.insert(partition.as_bytes()))
}
