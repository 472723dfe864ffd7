//! Rows in the order of their instants, in a store whose rows other programs may have written.
//!
//! The times in keys may be spelled in several ways there, and keys are ordered by their texts. All spellings of one second
//! stand together: rows are read by whole seconds, put in order, and given out from behind the row that the page before
//! ended with.

use super::fetch::{Fetched, PageRequest, Part, PartitionRead, key_of, side_by_side, sort_key};
use super::{Omitted, StoredRow};
use crate::address::KeyValue;
use crate::allowed::Allowed;
use crate::interrupt::Interrupt;
use crate::pattern::{Condition, Conditions, Parameters, Spread, TimeSpelling};
use crate::pattern::{order_text, second_of, value_text};
use crate::reader::Reader;
use crate::request::SortCondition;
use crate::scope::Scope;
use crate::store_item::is_adopted;
use monotable_item::{AttributeValue, Item};
use monotable_model::model::EntityId;
use monotable_model::plan::{LAST, ReadPlan};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// How the entities that a pattern returns spell times in the keys that it reads, for each attribute of the sort key.
pub(super) type Spellings = BTreeMap<EntityId, Vec<Option<TimeSpelling>>>;

/// The spellings that the rows of a pattern must be told apart by; none if all are as the model writes them.
pub(super) async fn mixed_spellings(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    conditions: &Conditions,
) -> Result<Option<Spellings>, Interrupt> {
    let Some(first) = conditions.each.first() else {
        return Ok(None);
    };
    let place = first.partition.place();
    let returned = plan.keep.entities.iter();
    let spellings: Spellings = returned
        .map(|id| (*id, TimeSpelling::of_key(reader.entity(*id), place)))
        .filter(|(_, spellings)| spellings.iter().any(Option::is_some))
        .collect();
    if spellings.is_empty() || is_adopted(reader).await? {
        return Ok(None);
    }
    Ok(Some(spellings))
}

/// A row with what its place in the order follows from.
struct Ranked {
    rank: Rank,
    row: Allowed<StoredRow>,
}

/// The place of a row in the order: of days their order comes first, of shards the instant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    day: usize,
    instant: Vec<KeyValue>,
    shard: usize,
    /// Its sort key: a value for each attribute.
    sort: Vec<KeyValue>,
    /// Its own key where an index is read.
    key: Vec<String>,
}

/// What is read, and how.
pub(super) struct InstantRead<'a> {
    pub(super) reader: &'a Reader<'a>,
    pub(super) plan: &'a ReadPlan,
    pub(super) given: &'a Parameters,
    pub(super) spellings: Spellings,
    pub(super) portion: &'a PageRequest,
}

impl InstantRead<'_> {
    /// Reads as much of the partitions as is wanted.
    pub(super) async fn fetch(
        &self,
        conditions: Conditions,
        omitted: &mut Omitted,
    ) -> Result<Fetched, Interrupt> {
        let Conditions { spread, each } = conditions;
        let mut asked: Vec<_> = each.into_iter().enumerate().collect();
        if self.portion.descending {
            asked.reverse();
        }
        let last = self.last_given_out(spread, &asked);
        let most = self.portion.most.unwrap_or(usize::MAX);
        let mut rows: Vec<Ranked> = Vec::new();
        let mut is_cut = false;
        for (position, condition) in &asked {
            let is_done = last.as_ref().is_some_and(|last| {
                spread == Spread::InTurn && self.directed(position.cmp(&last.day)).is_lt()
            });
            if is_done {
                continue;
            }
            if spread == Spread::InTurn && rows.len() >= most {
                is_cut = true;
                break;
            }
            let place = (spread, *position);
            let (found, ended) = self
                .partition(place, condition, last.as_ref(), omitted)
                .await?;
            rows.extend(found);
            is_cut |= !ended;
        }
        rows.sort_by(|left, right| self.directed(left.rank.cmp(&right.rank)));
        is_cut |= rows.len() > most;
        rows.truncate(most);
        let condition = asked.first().map(|(_, condition)| condition);
        let more = condition
            .zip(rows.last().filter(|_| is_cut))
            .map(|(condition, last)| key_of(self.reader, condition, &last.row.item));
        let rows = rows.into_iter().map(|ranked| ranked.row).collect();
        Ok(Fetched { rows, more })
    }

    /// The next rows of one partition, all of whose seconds are whole, and whether there are no more.
    async fn partition(
        &self,
        (spread, position): (Spread, usize),
        condition: &Condition,
        last: Option<&Rank>,
        omitted: &mut Omitted,
    ) -> Result<(Vec<Ranked>, bool), Interrupt> {
        let begun = last.filter(|last| spread == Spread::Merged || last.day == position);
        let read = PartitionRead::whole(self.read_from(condition, begun));
        let mut wanted = self.portion.most;
        loop {
            let mut left_out = Omitted::default();
            let portion = PageRequest {
                most: wanted.map(|most| most.saturating_mul(2).saturating_add(1)),
                after: None,
                ..self.portion.clone()
            };
            let asked = std::slice::from_ref(&read);
            let parts = side_by_side(
                self.reader,
                self.plan,
                self.given,
                asked,
                &portion,
                &mut left_out,
            )
            .await?;
            let Some(Part { rows, ended }) = parts.into_iter().next() else {
                return Ok((Vec::new(), true));
            };
            let rows = self.ranked((spread, position), condition, rows);
            let rows = if ended { rows } else { whole_seconds(rows) };
            let next = rows.into_iter().filter(|ranked| {
                last.is_none_or(|last| self.directed(ranked.rank.cmp(last)).is_gt())
            });
            let next: Vec<_> = next.collect();
            let is_enough = self.portion.most.is_none_or(|most| next.len() >= most);
            if ended || is_enough {
                omitted.add(left_out);
                return Ok((next, ended));
            }
            wanted = wanted.map(|wanted| wanted.saturating_mul(2));
        }
    }

    /// What is still to be read: whole seconds, from that of the last row on. Behind the first attribute with a time nothing
    /// is asked, because its value may have several texts.
    fn read_from(&self, condition: &Condition, last: Option<&Rank>) -> Condition {
        let timed = |spellings: &Vec<Option<TimeSpelling>>| {
            let mut spellings = spellings.iter();
            spellings.position(Option::is_some)
        };
        let first = self.spellings.values().filter_map(timed).min();
        let mut whole = condition.clone();
        if let Some(value) = first.and_then(|first| whole.leading.get(first)) {
            whole.sort = SortCondition::Is(value.to_value());
            whole.leading.truncate(first.unwrap_or_default());
        }
        whole.sort = whole.sort.on_whole_seconds();
        let at = last.and_then(|last| last.sort.get(whole.leading.len()));
        let at = match at {
            Some(KeyValue::S(text)) => {
                let second = second_of(text).unwrap_or(text);
                let behind = if self.portion.descending {
                    LAST.to_string()
                } else {
                    String::new()
                };
                AttributeValue::S(format!("{second}{behind}"))
            }
            Some(number) => number.to_value(),
            None => return whole,
        };
        whole.sort = whole.sort.continue_at(&at, self.portion.descending);
        whole
    }

    /// The rows that are asked for, with their places in the order.
    fn ranked(
        &self,
        place: (Spread, usize),
        condition: &Condition,
        rows: Vec<Allowed<StoredRow>>,
    ) -> Vec<Ranked> {
        let leading = condition.leading.iter();
        let leading = leading.map(|value| SortCondition::Is(value.to_value()));
        let wanted: Vec<_> = leading.chain([condition.sort.clone()]).collect();
        let asked = rows.into_iter().filter(|row| {
            let spellings = self.spellings.get(&row.record.entity);
            let spelling = |position: usize| spellings?.get(position).copied().flatten();
            let key = sort_key(self.reader, condition, &row.item);
            let mut pairs = wanted.iter().zip(&key).enumerate();
            pairs.all(|(position, (wanted, value))| {
                wanted.holds_of_instants(value, spelling(position))
            })
        });
        let ranked = asked.map(|row| {
            let key = key_of(self.reader, condition, &row.item);
            let rank = rank(self.reader, place, condition, &key);
            Ranked { rank, row }
        });
        ranked.collect()
    }

    /// The place of the row that the page before ended with.
    fn last_given_out(&self, spread: Spread, asked: &[(usize, Condition)]) -> Option<Rank> {
        let after = self.portion.after.as_ref()?;
        let model = self.reader.model();
        let (position, condition) = asked
            .iter()
            .find(|(_, condition)| condition.partition.holds(model, after))?;
        Some(rank(self.reader, (spread, *position), condition, after))
    }

    const fn directed(&self, order: Ordering) -> Ordering {
        if self.portion.descending {
            order.reverse()
        } else {
            order
        }
    }
}

fn rank(
    scope: &Scope,
    (spread, position): (Spread, usize),
    condition: &Condition,
    key: &Item,
) -> Rank {
    let names = condition.partition.sort_attributes(scope.model());
    let sort = names.filter_map(|name| key.get(name).and_then(KeyValue::of_value));
    let sort: Vec<_> = sort.collect();
    let instant = |value: &KeyValue| match value {
        KeyValue::S(text) => KeyValue::S(order_text(text)),
        number @ KeyValue::N(_) => number.clone(),
    };
    let own = key.iter().map(|(_, value)| value_text(value));
    let (day, shard) = match spread {
        Spread::InTurn => (position, 0),
        Spread::Merged => (0, position),
    };
    Rank {
        day,
        instant: sort.iter().map(instant).collect(),
        shard,
        sort,
        key: own.collect(),
    }
}

/// Without the rows of the last second, of which more may follow.
fn whole_seconds(mut rows: Vec<Ranked>) -> Vec<Ranked> {
    // Behind the second nothing tells rows apart: what other attributes have is sorted inside each spelling.
    let second = |ranked: &Ranked| {
        let mut second = Vec::new();
        for value in &ranked.rank.sort {
            match value {
                KeyValue::S(text) if second_of(text).is_some() => {
                    second.extend(second_of(text).map(|text| KeyValue::S(text.to_owned())));
                    return second;
                }
                value => second.push(value.clone()),
            }
        }
        second
    };
    if let Some(last) = rows.last().map(second) {
        rows.retain(|ranked| second(ranked) != last);
    }
    rows
}
