//! Requests that read a partition, or a part of one.

use super::read::{projection_names, projection_text};
use super::{Outgoing, Touched};
use crate::address::{KeyValue, Partition, PartitionRange};
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
    /// The values of the first attributes of a sort key of several; `sort` is about the next.
    pub(crate) leading: Vec<KeyValue>,
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
            leading: Vec::new(),
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
            leading: range.leading,
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
    pub(crate) fn request(&self, model: &Model) -> Outgoing<'static> {
        let table = model.table(self.partition.table());
        let mut input = QueryInput::new(table.physical.clone(), String::new());
        let mut text = String::new();
        let mut equal = |input: QueryInput, name: &str, attribute: &str, value: &KeyValue| {
            let and = if text.is_empty() { "" } else { " AND " };
            text.push_str(&format!("{and}#{name} = :{name}"));
            let input = input.name(format!("#{name}"), attribute);
            input.value(&format!(":{name}"), value.to_value())
        };
        for (position, (attribute, value)) in self.partition.values(model).enumerate() {
            input = equal(input, &numbered("pk", position), attribute, value);
        }
        let mut sort = self.partition.sort_attributes(model);
        for (position, value) in self.leading.iter().enumerate() {
            if let Some(attribute) = sort.next() {
                input = equal(input, &numbered("sk", position), attribute, value);
            }
        }
        if let Some(attribute) = sort.next() {
            let name = numbered("sk", self.leading.len());
            let (condition, values) = self.sort.render(&name);
            if !values.is_empty() {
                input = input.name(format!("#{name}"), attribute);
            }
            text.push_str(&condition);
            for (name, value) in values {
                input = input.value(&name, value);
            }
        }
        input.key_condition_expression = Some(text);
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
        let touches = Touched::Partition(self.partition.clone());
        Outgoing::new(Request::Query(input), touches)
    }
}

/// The placeholder of an attribute of a key: `pk`, and of several attributes `pk2`, `pk3`.
fn numbered(part: &str, position: usize) -> String {
    match position {
        0 => part.to_owned(),
        _ => format!("{part}{}", position + 1),
    }
}

impl SortCondition {
    /// What stands behind the condition on the partition key, and its values. `name` is the placeholder of the attribute.
    fn render(&self, name: &str) -> (String, Vec<(String, AttributeValue)>) {
        let from = |value: &AttributeValue| (":from".to_owned(), value.clone());
        let to = |value: &AttributeValue| (":to".to_owned(), value.clone());
        match self {
            Self::Any => (String::new(), Vec::new()),
            Self::Is(value) => (
                format!(" AND #{name} = :{name}"),
                vec![(format!(":{name}"), value.clone())],
            ),
            Self::Begins(prefix) => (
                format!(" AND begins_with(#{name}, :{name})"),
                vec![(format!(":{name}"), prefix.as_str().into())],
            ),
            Self::Between(first, last) => (
                format!(" AND #{name} BETWEEN :from AND :to"),
                vec![from(first), to(last)],
            ),
            Self::AtLeast(first) => (format!(" AND #{name} >= :from"), vec![from(first)]),
            Self::AtMost(last) => (format!(" AND #{name} <= :to"), vec![to(last)]),
        }
    }
}
