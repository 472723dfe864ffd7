//! The rows of partitions, page by page.

use super::condition::{Condition, Sort, attributes, key_order};
use super::{Omitted, StoredRow, afterwards, visible};
use crate::allowed::Allowed;
use crate::draft::Expression;
use crate::error::Error;
use crate::interrupt::Interrupt;
use crate::read::parameters::Parameters;
use crate::reader::{Reader, answered};
use crate::scope::Scope;
use monotable_api::{QueryInput, QueryOutput, Request, Response};
use monotable_item::{AttributeValue, EncodedItem, Item};
use monotable_model::model::{Access, KeyPlace};
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
    /// Rows with this sort key were given out before.
    pub(super) passed: Option<AttributeValue>,
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
    input: QueryInput,
    part: Part,
}

/// Reads partitions side by side, each until there are enough rows or no more. What is left out does not count, so a
/// page is as long as was asked for unless nothing follows it.
pub(super) async fn side_by_side(
    reader: &Reader<'_>,
    access: &Access,
    given: &Parameters,
    asked: &[PartitionRead],
    portion: &PageRequest,
    omitted: &mut Omitted,
) -> Result<Vec<Part>, Interrupt> {
    let mut readers: Vec<PartitionReader<'_>> = asked
        .iter()
        .map(|asked| PartitionReader::new(reader, asked, portion))
        .collect();
    loop {
        let open = readers.iter_mut();
        let open = open.filter(|reader| !reader.part.ended && reader.missing(portion) != Some(0));
        let mut open: Vec<_> = open.take(TOGETHER).collect();
        if open.is_empty() {
            break;
        }
        let requests = open.iter().map(|reader| reader.request(portion)).collect();
        let answers = reader.steps.send(requests).await;
        for (partition, answer) in open.iter_mut().zip(answers) {
            let Response::Query(output) = answered(answer)? else {
                return Err(Error::integrity("a query was answered by something else").into());
            };
            partition
                .take(reader, access, given, output, omitted)
                .await?;
        }
    }
    Ok(readers.into_iter().map(|reader| reader.part).collect())
}

impl<'a> PartitionReader<'a> {
    fn new(scope: &Scope, asked: &'a PartitionRead, portion: &PageRequest) -> Self {
        Self {
            asked,
            input: request(scope, asked, portion),
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

    fn request(&self, portion: &PageRequest) -> Request {
        let mut input = self.input.clone();
        input.limit = self
            .missing(portion)
            .and_then(|missing| i64::try_from(missing).ok());
        Request::Query(input)
    }

    async fn take(
        &mut self,
        reader: &Reader<'_>,
        access: &Access,
        given: &Parameters,
        output: QueryOutput,
        omitted: &mut Omitted,
    ) -> Result<(), Interrupt> {
        let condition = &self.asked.condition;
        let items = output.items.unwrap_or_default();
        let index = match condition.place {
            KeyPlace::Primary => None,
            KeyPlace::Index(position) => Some(position),
        };
        let items = reader.whole(condition.table, index, items).await?;
        let found = items.into_iter().filter_map(|item| {
            let Some(record) = reader.decode_view(condition.table, item.view()) else {
                omitted.note_unknown(reader, access, condition.table, item);
                return None;
            };
            Some(StoredRow { record, item })
        });
        let new = found.filter(|found| !self.is_passed(reader, found));
        let kept = afterwards::kept(reader, access, given, new.collect());
        let kept = visible::see_alive(reader, kept, omitted).await?;
        self.part.rows.extend(kept);
        match output.last_evaluated_key {
            Some(last) => self.input.exclusive_start_key = Some(last.into()),
            None => self.part.ended = true,
        }
        Ok(())
    }

    fn is_passed(&self, scope: &Scope, found: &StoredRow) -> bool {
        let own = || sort_key(scope, &self.asked.condition, &found.item);
        self.asked.passed.as_ref().is_some_and(|passed| {
            own().is_some_and(|own| key_order(Some(&own), Some(passed)) == Ordering::Equal)
        })
    }
}

/// The sort key of an item where it was read.
pub(super) fn sort_key(
    scope: &Scope,
    condition: &Condition,
    item: &EncodedItem,
) -> Option<AttributeValue> {
    let table = scope.model().table(condition.table);
    let (_, range) = attributes(table, condition.place);
    Some(item.view().get(range?)?.to_value())
}

/// The key of an item in the table and in the index that is read.
pub(super) fn key_of(scope: &Scope, condition: &Condition, item: &EncodedItem) -> Item {
    let table = scope.model().table(condition.table);
    let own = attributes(table, KeyPlace::Primary);
    let index = attributes(table, condition.place);
    let names = [Some(own.0), own.1, Some(index.0), index.1];
    let mut key = Item::new();
    for name in names.into_iter().flatten() {
        if let Some(value) = item.view().get(name) {
            key.insert(name, value.to_value());
        }
    }
    key
}

fn request(scope: &Scope, asked: &PartitionRead, portion: &PageRequest) -> QueryInput {
    let condition = &asked.condition;
    let table = scope.model().table(condition.table);
    let (hash, range) = attributes(table, condition.place);
    let mut expression = Expression::default();
    let mut text = format!(
        "{} = {}",
        expression.name(hash),
        expression.value(condition.hash.clone())
    );
    if let Some(range) = range {
        let mut sort = |shape: &dyn Fn(&str, &[String]) -> String, values: Vec<_>| {
            let name = expression.name(range);
            let values: Vec<_> = values
                .into_iter()
                .map(|value| expression.value(value))
                .collect();
            text.push_str(" AND ");
            text.push_str(&shape(&name, &values));
        };
        let joined = |values: &[String]| values.join(" AND ");
        match &condition.sort {
            Sort::Any => {}
            Sort::Is(value) => sort(
                &|name, v| format!("{name} = {}", joined(v)),
                vec![value.clone()],
            ),
            Sort::Begins(prefix) => sort(
                &|name, v| format!("begins_with({name}, {})", joined(v)),
                vec![prefix.as_str().into()],
            ),
            Sort::Between(from, to) => sort(
                &|name, v| format!("{name} BETWEEN {}", joined(v)),
                vec![from.clone(), to.clone()],
            ),
            Sort::AtLeast(from) => {
                sort(
                    &|name, v| format!("{name} >= {}", joined(v)),
                    vec![from.clone()],
                );
            }
            Sort::AtMost(to) => sort(
                &|name, v| format!("{name} <= {}", joined(v)),
                vec![to.clone()],
            ),
        }
    }
    let mut input = QueryInput::new(table.physical.clone(), text);
    input.expression_attribute_names = Some(expression.names);
    input.expression_attribute_values = Some(expression.values.into());
    if let KeyPlace::Index(position) = condition.place {
        input.index_name = table
            .indexes
            .get(position)
            .map(|index| index.physical.clone());
    } else if portion.consistent {
        input = input.consistent();
    }
    if portion.descending {
        input = input.backward();
    }
    if let Some(after) = &asked.after {
        input = input.start_after(after.clone());
    }
    input
}
