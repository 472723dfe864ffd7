//! Query.

use super::Execute;
use super::paged::{self, Relation};
use crate::engine::Core;
use crate::keys::KeyWriter;
use crate::page::{PagePlan, Shape, beyond};
use crate::step::Step;
use crate::store::{Direction, KeyRange, after_prefix};
use crate::{schema, wording};
use monotable_api::{Error, FilterParameter, KeyAttribute, Query, QueryInput, QueryOutput};
use monotable_expr::{Condition, KeyCondition, SortCondition};
use monotable_item::limits::PAGE_BYTES;
use monotable_item::{EncodedItem, EncodedValue, ItemView, ValueView};
use std::sync::Arc;

impl Execute for Query {
    fn start(core: &Arc<Core>, input: QueryInput) -> Result<Step<QueryOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let table = catalog.table(valid.table.as_str())?;
        let relation = Relation::find(table, valid.index.as_ref(), valid.consistent)?;
        let partition = Partition::resolve(relation, &valid.key_condition)?;
        if let Some(start) = &valid.start {
            partition.check_start(relation, start.view())?;
        }
        check_filter(relation, valid.filter.as_ref(), valid.filter_parameter)?;
        let direction = if valid.forward {
            Direction::Forwards
        } else {
            Direction::Backwards
        };
        let (shape, fetch) = relation.shape(valid.selection, valid.filter.as_ref())?;
        let plan = PagePlan {
            table: Arc::clone(table),
            index: relation.index.map(|(place, _)| place),
            range: partition.range_from(relation, valid.start.as_ref(), direction)?,
            direction,
            limit: valid.limit.map(Into::into),
            filter: valid.filter,
            shape,
            fetch,
            room: PAGE_BYTES,
        };
        // There is no page after the only item.
        let is_whole = finds_one_item(relation);
        let request = paged::Request {
            table: valid.table,
            consistent: valid.consistent,
            capacity: valid.capacity,
        };
        paged::read(core, plan, move |plan, page| QueryOutput {
            consumed_capacity: paged::capacity(plan, &page, &request),
            items: (!matches!(plan.shape, Shape::Nothing)).then_some(page.items),
            count: page.count,
            scanned_count: page.scanned,
            last_evaluated_key: page.last_key.filter(|_| !is_whole),
        })
    }
}

/// The rows that a condition on the key names.
pub(super) fn key_range(
    relation: Relation<'_>,
    condition: &KeyCondition,
) -> Result<KeyRange, Error> {
    Partition::resolve(relation, condition).map(|partition| partition.range)
}

/// A filter may not look at the key: that is what the key condition is for.
pub(super) fn check_filter(
    relation: Relation<'_>,
    filter: Option<&Condition>,
    parameter: FilterParameter,
) -> Result<(), Error> {
    let Some(filter) = filter else {
        return Ok(());
    };
    let mut keys = relation.key().attributes();
    match keys.find(|key| filter.attributes().any(|name| name == key.name)) {
        Some(key) => Err(wording::filter_on_key(&key.name, parameter)),
        None => Ok(()),
    }
}

/// The rows that a key condition names.
struct Partition {
    hash: Vec<EncodedValue>,
    sort: SortCondition,
    /// The rows with that partition key that the sort condition names.
    range: KeyRange,
}

impl Partition {
    fn resolve(relation: Relation<'_>, condition: &KeyCondition) -> Result<Self, Error> {
        let key = relation.key();
        let names = |keys: &[KeyAttribute]| -> Vec<String> {
            keys.iter().map(|key| key.name.clone()).collect()
        };
        let (hash_names, range_names) = (names(&key.hash), names(&key.range));
        let hash_names: Vec<&str> = hash_names.iter().map(String::as_str).collect();
        let range_names: Vec<&str> = range_names.iter().map(String::as_str).collect();
        let condition = condition
            .resolve(&hash_names, &range_names)
            .map_err(Error::validation)?;
        check_types(key.hash.iter().zip(&condition.hash))?;
        check_types(key.range.iter().zip(&condition.leading))?;
        if let Some(last) = key.range.get(condition.leading.len()) {
            check_types(
                operands(&condition.range)
                    .into_iter()
                    .map(|value| (last, value)),
            )?;
        }
        let writer = || {
            let hash = condition.hash.iter().map(|value| Some(value.view()));
            let mut key = KeyWriter::partition(relation.id(), hash)?;
            condition
                .leading
                .iter()
                .try_for_each(|value| key.push(value.view()))?;
            Some(key)
        };
        Ok(Self {
            range: sort_range(writer, &condition.range)
                .ok_or_else(wording::condition_type_mismatch)?,
            hash: condition.hash,
            sort: condition.range,
        })
    }

    fn check_start(&self, relation: Relation<'_>, start: ItemView<'_>) -> Result<(), Error> {
        if finds_one_item(relation) {
            return Err(wording::start_key_of_single_item());
        }
        let missing = relation
            .start_key()
            .iter()
            .any(|name| start.get(name).is_none());
        if missing || start.len() != relation.start_key().len() {
            return Err(wording::start_key_invalid());
        }
        schema::check_key_values(relation.key().attributes(), start)?;
        schema::check_key_values(relation.table.key.attributes(), start)
            .map_err(|error| wording::start_key_invalid_because(&error))?;
        let same_partition = relation
            .key()
            .hash
            .iter()
            .zip(&self.hash)
            .all(|(key, value)| start.get(&key.name) == Some(value.view()));
        let key = relation
            .row_key(start)
            .ok_or_else(wording::start_key_invalid)?;
        match (&self.sort, same_partition) {
            (SortCondition::Any, false) => Err(wording::start_key_outside_query()),
            (SortCondition::Any, true) => Ok(()),
            (_, true) if !self.range.contains(&key) => Err(wording::start_key_outside_range()),
            (_, true) => Ok(()),
            (_, false) => Err(wording::start_key_outside_query()),
        }
    }

    fn range_from(
        &self,
        relation: Relation<'_>,
        start: Option<&EncodedItem>,
        direction: Direction,
    ) -> Result<KeyRange, Error> {
        let Some(start) = start else {
            return Ok(self.range.clone());
        };
        let key = relation
            .row_key(start.view())
            .ok_or_else(wording::start_key_invalid)?;
        Ok(beyond(self.range.clone(), &key, direction))
    }
}

/// Whether a query can find one item at most: that of a table without sort key.
pub(super) fn finds_one_item(relation: Relation<'_>) -> bool {
    relation.index.is_none() && relation.table.key.range.is_empty()
}

/// Checks that values have the types of the key attributes that they are compared with.
fn check_types<'a>(
    pairs: impl Iterator<Item = (&'a KeyAttribute, &'a EncodedValue)>,
) -> Result<(), Error> {
    for (key, value) in pairs {
        if !schema::has_type(key, value.view()) {
            return Err(wording::condition_type_mismatch());
        }
        schema::check_not_empty(value.view(), |kind| wording::empty_key(&key.name, kind))?;
    }
    Ok(())
}

fn operands(sort: &SortCondition) -> Vec<&EncodedValue> {
    match sort {
        SortCondition::Any => vec![],
        SortCondition::Equal(value)
        | SortCondition::Less(value)
        | SortCondition::LessOrEqual(value)
        | SortCondition::Greater(value)
        | SortCondition::GreaterOrEqual(value)
        | SortCondition::BeginsWith(value) => vec![value],
        SortCondition::Between(low, high) => vec![low, high],
    }
}

/// The part of a partition that a sort condition names; none if a value cannot be a key.
fn sort_range(writer: impl Fn() -> Option<KeyWriter>, sort: &SortCondition) -> Option<KeyRange> {
    let all = KeyRange::prefix(writer()?.as_bytes());
    let at = |value: &EncodedValue| {
        let mut key = writer()?;
        key.push(value.view())?;
        Some(key.finish())
    };
    let after = |value: &EncodedValue| at(value).map(|key| after_prefix(&key));
    let (start, end) = match sort {
        SortCondition::Any => (all.start, all.end),
        SortCondition::Equal(value) => (at(value)?, after(value)?),
        SortCondition::Less(value) => (all.start, Some(at(value)?)),
        SortCondition::LessOrEqual(value) => (all.start, after(value)?),
        // No key has a component of nothing but FF, so that something always comes after it.
        SortCondition::Greater(value) => (after(value)??, all.end),
        SortCondition::GreaterOrEqual(value) => (at(value)?, all.end),
        SortCondition::Between(low, high) => (at(low)?, after(high)?),
        SortCondition::BeginsWith(value) => {
            let mut key = writer()?;
            match value.view() {
                ValueView::S(text) => key.push_prefix(text.as_bytes()),
                ValueView::B(bytes) => key.push_prefix(bytes),
                _ => return None,
            }
            let range = KeyRange::prefix(key.as_bytes());
            (range.start, range.end)
        }
    };
    Some(KeyRange { start, end })
}
