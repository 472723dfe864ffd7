//! Rows of several partitions as one list: days in turn, shards side by side.
//!
//! A page goes on behind the key of the last row of the one before. The key says which partition it is in: of days those
//! before it are done, of shards each goes on at the same sort key.

use super::by_instant::{InstantRead, mixed_spellings};
use super::fetch::{
    Fetched, PageRequest, Part, PartitionRead, Passed, key_of, side_by_side, sort_key,
};
use super::{Omitted, StoredRow};
use crate::allowed::Allowed;
use crate::interrupt::Interrupt;
use crate::pattern::Parameters;
use crate::pattern::Spread;
use crate::pattern::{Condition, Conditions, sort_key_order};
use crate::reader::Reader;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use monotable_model::plan::ReadPlan;
use std::cmp::Ordering;

/// The most partitions that are asked at once where one might have been enough.
const AHEAD: usize = 16;

/// Reads as much of the partitions as is wanted.
pub(super) async fn fetch(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    given: &Parameters,
    conditions: Conditions,
    portion: &PageRequest,
    omitted: &mut Omitted,
) -> Result<Fetched, Interrupt> {
    if let Some(spellings) = mixed_spellings(reader, plan, &conditions).await? {
        let read = InstantRead {
            reader,
            plan,
            given,
            spellings,
            portion,
        };
        return Box::pin(read.fetch(conditions, omitted)).await;
    }
    let Conditions { spread, each } = conditions;
    match spread {
        Spread::InTurn => in_turn(reader, plan, given, each, portion, omitted).await,
        Spread::Merged => merged(reader, plan, given, each, portion, omitted).await,
    }
}

/// One partition after the other. Empty ones are passed faster and faster: more of the next are asked together.
async fn in_turn(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    given: &Parameters,
    each: Vec<Condition>,
    portion: &PageRequest,
    omitted: &mut Omitted,
) -> Result<Fetched, Interrupt> {
    let asked = from_day(reader, each, portion);
    let mut rows: Vec<Allowed<StoredRow>> = Vec::new();
    let mut together = if portion.most.is_none() { AHEAD } else { 1 };
    let mut rest = asked.as_slice();
    while !rest.is_empty() {
        let missing = portion.most.map(|most| most.saturating_sub(rows.len()));
        let wanted = PageRequest {
            most: missing,
            ..portion.clone()
        };
        let (group, behind) = rest.split_at_checked(together).unwrap_or((rest, &[]));
        let parts = side_by_side(reader, plan, given, group, &wanted, omitted).await?;
        let nothing = parts.iter().all(|part| part.rows.is_empty());
        let full = append(&mut rows, parts, missing);
        rest = behind;
        if let Some(Full { rest_of_group }) = full {
            let more = rest_of_group || !rest.is_empty();
            return Ok(page(reader, &asked, rows, more));
        }
        together = match (portion.most, nothing) {
            (None, _) => AHEAD,
            (Some(_), true) => (together * 2).min(AHEAD),
            (Some(_), false) => 1,
        };
    }
    Ok(Fetched { rows, more: None })
}

/// A page has all its rows.
struct Full {
    /// The partitions that were asked have more, or may have.
    rest_of_group: bool,
}

/// Adds rows of partitions until there are enough.
fn append(
    rows: &mut Vec<Allowed<StoredRow>>,
    parts: Vec<Part>,
    missing: Option<usize>,
) -> Option<Full> {
    let mut room = missing.unwrap_or(usize::MAX);
    let mut full: Option<Full> = None;
    for part in parts {
        match &mut full {
            Some(Full { rest_of_group }) => *rest_of_group |= !part.rows.is_empty(),
            None => {
                let cut = part.rows.len() > room;
                let before = rows.len();
                rows.extend(part.rows.into_iter().take(room));
                room = room.saturating_sub(rows.len() - before);
                full = (room == 0).then_some(Full {
                    rest_of_group: cut || !part.ended,
                });
            }
        }
    }
    full
}

/// The partitions that are still to be read, in the order asked for; the first begins where the page before ended.
fn from_day(scope: &Scope, mut each: Vec<Condition>, portion: &PageRequest) -> Vec<PartitionRead> {
    if portion.descending {
        each.reverse();
    }
    let Some(after) = &portion.after else {
        return each.into_iter().map(PartitionRead::whole).collect();
    };
    let mut asked: Vec<PartitionRead> = each
        .into_iter()
        .skip_while(|condition| !stands_in(scope, condition, after))
        .map(PartitionRead::whole)
        .collect();
    if let Some(first) = asked.first_mut() {
        first.after = Some(after.clone());
    }
    asked
}

/// All partitions at once, by sort key; rows with the same one in the order of their partitions.
async fn merged(
    reader: &Reader<'_>,
    plan: &ReadPlan,
    given: &Parameters,
    each: Vec<Condition>,
    portion: &PageRequest,
    omitted: &mut Omitted,
) -> Result<Fetched, Interrupt> {
    let asked = from_sort_key(reader, each, portion);
    let parts = side_by_side(reader, plan, given, &asked, portion, omitted).await?;
    let ended = parts.iter().all(|part| part.ended);
    let mut keyed: Vec<(Vec<AttributeValue>, Allowed<StoredRow>)> = Vec::new();
    for (asked, part) in asked.iter().zip(parts) {
        let rows = part.rows.into_iter();
        keyed.extend(rows.map(|found| (sort_key(reader, &asked.condition, &found.item), found)));
    }
    // The sort is stable: what agrees stays in the order of the partitions.
    keyed.sort_by(|(left, _), (right, _)| {
        let order = sort_key_order(left, right);
        in_direction(order, portion.descending)
    });
    let most = portion.most.unwrap_or(usize::MAX);
    let more = keyed.len() > most || !ended;
    let rows = keyed.into_iter().take(most).map(|(_, found)| found);
    Ok(page(reader, &asked, rows.collect(), more))
}

const fn in_direction(order: Ordering, descending: bool) -> Ordering {
    if descending { order.reverse() } else { order }
}

/// Each partition from where the page before ended. In the partition of its last row that is behind its key; in the
/// others at its sort key, which those before have been asked for and those behind have not.
fn from_sort_key(scope: &Scope, each: Vec<Condition>, portion: &PageRequest) -> Vec<PartitionRead> {
    let Some(after) = &portion.after else {
        return each.into_iter().map(PartitionRead::whole).collect();
    };
    let last = each
        .iter()
        .position(|condition| stands_in(scope, condition, after));
    let mut asked = Vec::new();
    for (position, condition) in each.into_iter().enumerate() {
        let at = sort_values(scope, &condition, after);
        let order = last.map(|last| position.cmp(&last));
        match (order, at.is_empty()) {
            (Some(Ordering::Equal), _) => asked.push(PartitionRead {
                after: Some(after.clone()),
                ..PartitionRead::whole(condition)
            }),
            (_, false) => asked.push(PartitionRead {
                passed: Some(Passed {
                    key: at,
                    with_equals: order == Some(Ordering::Less),
                }),
                ..PartitionRead::whole(condition.continue_at(scope, after, portion.descending))
            }),
            // Without sort keys partitions come in turn.
            (Some(Ordering::Less), true) => {}
            (_, true) => asked.push(PartitionRead::whole(condition)),
        }
    }
    asked
}

/// Whether a key is one of a partition.
fn stands_in(scope: &Scope, condition: &Condition, key: &Item) -> bool {
    condition.partition.holds(scope.model(), key)
}

/// The sort key in the key of an item: a value for each attribute.
fn sort_values(scope: &Scope, condition: &Condition, key: &Item) -> Vec<AttributeValue> {
    let names = condition.partition.sort_attributes(scope.model());
    names.map_while(|name| key.get(name)).cloned().collect()
}

/// Rows, and the key of the last if more may follow.
fn page(
    scope: &Scope,
    asked: &[PartitionRead],
    rows: Vec<Allowed<StoredRow>>,
    more: bool,
) -> Fetched {
    let condition = asked.first().map(|asked| &asked.condition);
    let last = rows.last().filter(|_| more);
    let more = condition
        .zip(last)
        .map(|(condition, last)| key_of(scope, condition, &last.item));
    Fetched { rows, more }
}
