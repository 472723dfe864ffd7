//! Requests that read a partition, or a part of one.

use super::Outgoing;
use super::read::{projection_names, projection_text};
use crate::address::{Partition, PartitionRange};
use monotable_api::{QueryInput, Request};
use monotable_item::{AttributeValue, EncodedItem};
use monotable_model::model::{KeyPlace, Model};

/// What is asked of the sort key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SortCondition {
    Any,
    Is(AttributeValue),
    Begins(String),
    Between(AttributeValue, AttributeValue),
    AtLeast(AttributeValue),
    AtMost(AttributeValue),
}

/// A partition, what is asked of its sort keys, and how much of it is wanted.
#[derive(Clone, Debug)]
pub(crate) struct RangeQuery {
    pub(crate) partition: Partition,
    pub(crate) sort: SortCondition,
    /// An index cannot be read so.
    pub(crate) consistent: bool,
    pub(crate) descending: bool,
    /// The attributes that are read; all if there are none.
    pub(crate) projection: Vec<String>,
    /// The most items of a page.
    pub(crate) limit: Option<usize>,
    /// The key behind which to begin.
    pub(crate) after: Option<EncodedItem>,
}

impl RangeQuery {
    pub(crate) const fn new(partition: Partition, sort: SortCondition) -> Self {
        Self {
            partition,
            sort,
            consistent: false,
            descending: false,
            projection: Vec::new(),
            limit: None,
            after: None,
        }
    }

    /// All items of a range; of the table they are read strongly.
    pub(crate) fn of_range(range: PartitionRange) -> Self {
        let consistent = range.index().is_none();
        let sort = if range.prefix.is_empty() {
            SortCondition::Any
        } else {
            SortCondition::Begins(range.prefix)
        };
        Self {
            consistent,
            ..Self::new(range.partition, sort)
        }
    }

    /// From the last one to the first.
    #[must_use]
    pub(crate) const fn backward(mut self) -> Self {
        self.descending = true;
        self
    }

    #[must_use]
    pub(crate) const fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }

    /// The request for the next page.
    pub(crate) fn request(&self, model: &Model) -> Outgoing {
        let table = model.table(self.partition.table());
        let (partition, sort) = self.partition.attributes(model);
        let (condition, values) = self.sort.render(sort.is_some());
        let text = format!("#pk = :pk{condition}");
        let mut input = QueryInput::new(table.physical.clone(), text)
            .name("#pk", partition)
            .value(":pk", self.partition.key().to_value());
        if let (Some(sort), false) = (sort, values.is_empty()) {
            input = input.name("#sk", sort);
        }
        for (name, value) in values {
            input = input.value(name, value);
        }
        if let KeyPlace::Index(position) = self.partition.place() {
            let index = table.indexes.get(position);
            input.index_name = index.map(|index| index.physical.clone());
        } else if self.consistent {
            input = input.consistent();
        }
        if self.descending {
            input = input.backward();
        }
        if !self.projection.is_empty() {
            input.projection_expression = Some(projection_text(&self.projection));
            for (placeholder, name) in projection_names(&self.projection) {
                input = input.name(placeholder, name);
            }
        }
        input.limit = self.limit.and_then(|limit| i64::try_from(limit).ok());
        input.exclusive_start_key = self.after.clone().map(Into::into);
        Outgoing::new(Request::Query(input), vec![self.partition.clone()])
    }
}

impl SortCondition {
    /// What stands behind the condition on the partition key, and its values. A table without sort keys has neither.
    fn render(&self, has_sort_key: bool) -> (&'static str, Vec<(&'static str, AttributeValue)>) {
        if !has_sort_key {
            return ("", Vec::new());
        }
        match self {
            Self::Any => ("", Vec::new()),
            Self::Is(value) => (" AND #sk = :sk", vec![(":sk", value.clone())]),
            Self::Begins(prefix) => (
                " AND begins_with(#sk, :sk)",
                vec![(":sk", prefix.as_str().into())],
            ),
            Self::Between(from, to) => (
                " AND #sk BETWEEN :from AND :to",
                vec![(":from", from.clone()), (":to", to.clone())],
            ),
            Self::AtLeast(from) => (" AND #sk >= :from", vec![(":from", from.clone())]),
            Self::AtMost(to) => (" AND #sk <= :to", vec![(":to", to.clone())]),
        }
    }
}
