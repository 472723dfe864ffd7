//! The rows of partitions, page by page.

use super::{Omitted, StoredRow, afterwards, visible};
use crate::allowed::Allowed;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::pattern::Parameters;
use crate::pattern::{Condition, sort_key_order};
use crate::reader::{Reader, answered};
use crate::request::{Outgoing, RangeQuery};
use crate::scope::Scope;
use monotable_api::{QueryOutput, Response};
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::KeyPlace;
use monotable_model::plan::ReadPlan;
use std::cmp::Ordering;

/// The most requests that are sent at once.
const TOGETHER: usize = 64;

/// How much is wanted, and from where.
#[derive(Clone, Debug, Default)]
pub(super) struct PageRequest {
    /// The most rows; all if none.
    pub(super) most: Option<usize>,
    /// The key behind which to begin. Its partition is in it.
    pub(super) after: Option<Item>,
    pub(super) descending: bool,
    pub(super) consistent: bool,
    /// The attributes that are read; all if there are none.
    pub(super) projection: Vec<String>,
}

/// Rows, and the key behind which more may be.
pub(super) struct Fetched {
    pub(super) rows: Vec<Allowed<StoredRow>>,
    pub(super) more: Option<Item>,
}

/// A partition to be read.
#[derive(Clone, Debug)]
pub(super) struct PartitionRead {
    pub(super) condition: Condition,
    /// The key behind which to begin.
    pub(super) after: Option<Item>,
    /// Rows up to a sort key were given out before.
    pub(super) passed: Option<Passed>,
}

/// How far the pages before have come.
#[derive(Clone, Debug)]
pub(super) struct Passed {
    /// The sort key of their last row.
    pub(super) key: Vec<AttributeValue>,
    /// Whether rows of this partition with that very sort key were given out, too.
    pub(super) with_equals: bool,
}

impl PartitionRead {
    /// A partition from its beginning.
    pub(super) const fn whole(condition: Condition) -> Self {
        Self {
            condition,
            after: None,
            passed: None,
        }
    }
}

/// What a partition had: as many rows as were wanted, or all up to its end.
pub(super) struct Part {
    pub(super) rows: Vec<Allowed<StoredRow>>,
    pub(super) ended: bool,
}

/// A partition while it is read.
struct PartitionReader<'a> {
    asked: &'a PartitionRead,
    query: RangeQuery,
    part: Part,
}

/// Reads partitions side by side, each until there are enough rows or no more. What is left out does not count, so a
/// page is as long as was asked for unless nothing follows it.
pub(super) async fn side_by_side(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    given: &Parameters,
    asked: &[PartitionRead],
    portion: &PageRequest,
    omitted: &mut Omitted,
) -> Result<Vec<Part>, Interrupt> {
    let mut readers: Vec<PartitionReader<'_>> = asked
        .iter()
        .map(|asked| PartitionReader::new(asked, portion))
        .collect();
    loop {
        let open = readers.iter_mut();
        let open = open.filter(|reader| !reader.part.ended && reader.missing(portion) != Some(0));
        let mut open: Vec<_> = open.take(TOGETHER).collect();
        if open.is_empty() {
            break;
        }
        let request = |partition: &&mut PartitionReader<'_>| partition.request(reader, portion);
        let answers = reader.steps.send(&open, request).await;
        for (partition, answer) in open.iter_mut().zip(answers) {
            let Response::Query(output) = answered(answer)? else {
                return Err(Error::integrity("a query was answered by something else").into());
            };
            partition.take(reader, plan, given, output, omitted).await?;
        }
    }
    Ok(readers.into_iter().map(|reader| reader.part).collect())
}

impl<'a> PartitionReader<'a> {
    fn new(asked: &'a PartitionRead, portion: &PageRequest) -> Self {
        let condition = &asked.condition;
        let query = RangeQuery::new(condition.partition.clone(), condition.sort.clone());
        Self {
            asked,
            query: RangeQuery {
                leading: condition.leading.clone(),
                consistent: portion.consistent,
                descending: portion.descending,
                projection: portion.projection.clone(),
                after: asked.after.as_ref().map(EncodedItem::from),
                ..query
            },
            part: Part {
                rows: Vec::new(),
                ended: false,
            },
        }
    }

    fn missing(&self, portion: &PageRequest) -> Option<usize> {
        let most = portion.most?;
        Some(most.saturating_sub(self.part.rows.len()))
    }

    fn request(&self, scope: &Scope, portion: &PageRequest) -> Outgoing<'static> {
        let query = RangeQuery {
            limit: self.missing(portion),
            ..self.query.clone()
        };
        query.request(scope.model())
    }

    async fn take(
        &mut self,
        reader: &Reader<'_>,
        plan: &ReadPlan,
        given: &Parameters,
        output: QueryOutput,
        omitted: &mut Omitted,
    ) -> Result<(), Interrupt> {
        let condition = &self.asked.condition;
        let items = output.items.unwrap_or_default();
        let table = condition.partition.table();
        let index = match condition.partition.place() {
            KeyPlace::Primary => None,
            KeyPlace::Index(position) => Some(position),
        };
        let items = reader.whole(table, index, items).await?;
        // What was found last is what is expected next.
        let mut expected = None;
        let found = items.into_iter().filter_map(|item| {
            let Some(record) = reader.decode_expected(table, expected, item.view()) else {
                omitted.note_unknown(reader, plan, table, item);
                return None;
            };
            expected = Some(record.entity);
            Some(StoredRow { record, item })
        });
        let new = found.filter(|found| !self.is_passed(reader, found));
        let kept = afterwards::keep(reader, &plan.keep, given, new.collect());
        let kept = visible::see_alive(reader, kept, omitted).await?;
        self.part.rows.extend(kept);
        match output.last_evaluated_key {
            Some(last) => self.query.after = Some(last),
            None => self.part.ended = true,
        }
        Ok(())
    }

    fn is_passed(&self, scope: &Scope, found: &StoredRow) -> bool {
        self.asked.passed.as_ref().is_some_and(|passed| {
            let own = sort_key(scope, &self.asked.condition, &found.item);
            match sort_key_order(&own, &passed.key) {
                Ordering::Equal => passed.with_equals,
                Ordering::Less => !self.query.descending,
                Ordering::Greater => self.query.descending,
            }
        })
    }
}

/// The sort key of an item where it was read: a value for each attribute of it.
pub(super) fn sort_key(
    scope: &Scope,
    condition: &Condition,
    item: &EncodedItem,
) -> Vec<AttributeValue> {
    let names = condition.partition.sort_attributes(scope.model());
    let values = names.map_while(|name| item.view().get(name));
    values.map(|value| value.to_value()).collect()
}

/// The key of an item in the table and in the index that is read.
pub(super) fn key_of(scope: &Scope, condition: &Condition, item: &EncodedItem) -> Item {
    let table = scope.model().table(condition.partition.table());
    let mut key = Item::new();
    for place in [KeyPlace::Primary, condition.partition.place()] {
        let names = table.partition_attributes(place);
        for name in names.chain(table.sort_attributes(place)) {
            if let Some(value) = item.view().get(&name.value) {
                key.insert(name.value.as_str(), value.to_value());
            }
        }
    }
    key
}
