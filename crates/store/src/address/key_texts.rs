//! The texts of a key as they are stored.

use super::KeyProblem;
use super::key_problem::check_lengths;
use monotable_item::limits;
use monotable_model::compiled::CompiledKey;
use monotable_model::model::{Further, Table};

/// The texts of a key as they are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyTexts {
    pub(crate) partition: String,
    pub(crate) sort: Option<String>,
    /// Those of the other attributes of a key of several.
    pub(super) further: Further<String>,
}

impl KeyTexts {
    /// The texts of a key of one attribute in each part.
    pub(crate) const fn new(partition: String, sort: Option<String>) -> Self {
        Self {
            partition,
            sort,
            further: Further::none(),
        }
    }

    /// The attributes that are written as this key, with their texts. What rows have for its own sake is not among them.
    pub(crate) fn into_written(self, key: &CompiledKey) -> impl Iterator<Item = (&str, String)> {
        let partition = std::iter::once(self.partition).chain(self.further.hash);
        let sort = self.sort.into_iter().chain(self.further.range);
        let partition = key.partition_attributes().zip(partition);
        let all = partition.chain(key.sort_attributes().zip(sort));
        all.filter(|(name, _)| key.writes(name))
    }

    /// Holds the texts of a primary key against DynamoDB's limits.
    pub(super) fn check_primary(&self, table: &Table) -> Result<(), KeyProblem> {
        let partition = std::iter::once((table.hash.value.as_str(), &self.partition));
        check_lengths(partition, limits::MAX_PARTITION_KEY_BYTES)?;
        let sort = table.range.as_ref().map(|range| range.value.as_str());
        let sort = sort.into_iter().zip(&self.sort);
        check_lengths(sort, limits::MAX_SORT_KEY_BYTES)
    }

    /// Holds the texts of a key against DynamoDB's limits.
    pub(super) fn check(&self, key: &CompiledKey) -> Result<(), KeyProblem> {
        let partition = std::iter::once(&self.partition).chain(&self.further.hash);
        let partition = key.partition_attributes().zip(partition);
        check_lengths(partition, limits::MAX_PARTITION_KEY_BYTES)?;
        let sort = self.sort.iter().chain(&self.further.range);
        let sort = key.sort_attributes().zip(sort);
        check_lengths(sort, limits::MAX_SORT_KEY_BYTES)
    }
}
