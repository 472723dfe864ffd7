//! A condition as alternatives.

use super::PartitionRead;
use super::leaf::{KeyNames, Leaf};
use crate::SortCondition;
use crate::tree::Predicate;
use monotable_item::EncodedValue;

/// A condition with more alternatives than this is not spread out.
const MAX_BRANCHES: usize = 1000;

/// One alternative: all of these must hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Spread {
    partitions: Vec<EncodedValue>,
    sort: Vec<SortCondition>,
    filters: Vec<Predicate>,
}

impl Spread {
    fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.partitions.extend(other.partitions.iter().cloned());
        both.sort.extend(other.sort.iter().cloned());
        both.filters.extend(other.filters.iter().cloned());
        both
    }

    /// What to read for this alternative; none without a partition, and none if two are named.
    pub(super) fn partition_read(&self) -> Option<PartitionRead> {
        let (first, rest) = self.partitions.split_first()?;
        if rest.iter().any(|other| other != first) {
            return None;
        }
        let filter = self.filters.iter().cloned().reduce(Predicate::and);
        Some(PartitionRead {
            partition: first.clone(),
            sort: self.sort.clone(),
            filter,
        })
    }
}

/// The alternatives; none if they are too many.
pub(super) fn spread(key: &KeyNames<'_>, predicate: &Predicate) -> Option<Vec<Spread>> {
    match predicate {
        Predicate::All(parts) => {
            let mut branches = vec![Spread::default()];
            for part in parts {
                let alternatives = spread(key, part)?;
                if branches.len().checked_mul(alternatives.len())? > MAX_BRANCHES {
                    return None;
                }
                branches = branches
                    .iter()
                    .flat_map(|branch| alternatives.iter().map(|other| branch.and(other)))
                    .collect();
            }
            Some(branches)
        }
        Predicate::Any(parts) if key.has_leaf(predicate) => {
            let mut branches = Vec::new();
            for part in parts {
                branches.extend(spread(key, part)?);
                if branches.len() > MAX_BRANCHES {
                    return None;
                }
            }
            Some(branches)
        }
        other => Some(match key.leaf(other) {
            Some(Leaf::Partitions(values)) => values
                .into_iter()
                .map(|value| Spread {
                    partitions: vec![value],
                    ..Spread::default()
                })
                .collect(),
            Some(Leaf::Sorts(conditions)) => conditions
                .into_iter()
                .map(|condition| Spread {
                    sort: vec![condition],
                    ..Spread::default()
                })
                .collect(),
            None => vec![Spread {
                filters: vec![other.clone()],
                ..Spread::default()
            }],
        }),
    }
}
