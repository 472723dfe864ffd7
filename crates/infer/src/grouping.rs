//! Items whose primary keys have one shape.

use crate::are_alike;
use crate::sample::{ReadSample, Row};
use crate::shape::{self, Slot};
use crate::word::{Word, is_shouted};
use std::collections::{BTreeMap, BTreeSet};

/// Between partition key and sort key.
const DIVIDER: &str = "\u{0}";
/// Words that differ in so many groups, of few items each, are values, also where a key begins.
const MANY: usize = 5;

/// Items of one entity.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The shape of partition key and sort key, with a divider between them.
    pub(crate) slots: Vec<Slot>,
    /// Positions of rows.
    pub(crate) rows: Vec<usize>,
    /// The names of all attributes that any of the rows has.
    pub(crate) attributes: BTreeSet<String>,
}

impl Group {
    /// The shape of the partition key.
    pub(crate) fn partition(&self) -> &[Slot] {
        self.slots.split(is_divider).next().unwrap_or_default()
    }

    /// The shape of the sort key.
    pub(crate) fn sort(&self) -> Option<&[Slot]> {
        self.slots.split(is_divider).nth(1)
    }
}

fn is_divider(slot: &Slot) -> bool {
    matches!(slot, Slot::Text(text) if text == DIVIDER)
}

/// The groups, in the order of their shapes.
pub(crate) fn group(prepared: &ReadSample<'_>) -> Vec<Group> {
    let mut found: BTreeMap<Vec<Slot>, Group> = BTreeMap::new();
    for (position, row) in prepared.rows.iter().enumerate() {
        let Some(words) = primary_words(prepared, position) else {
            continue;
        };
        let mut slots = Vec::new();
        let names = std::iter::once(&prepared.table.partition).chain(&prepared.table.sort);
        for (name, words) in names.zip(words) {
            if !slots.is_empty() {
                slots.push(Slot::Text(DIVIDER.to_owned()));
            }
            slots.extend(shape::of(name, words));
        }
        let group = found.entry(slots.clone()).or_insert_with(|| Group {
            slots,
            rows: Vec::new(),
            attributes: BTreeSet::new(),
        });
        group.rows.push(position);
        group
            .attributes
            .extend(row.item.iter().map(|(name, _)| name.clone()));
    }
    merge(prepared, found.into_values().collect())
}

/// The words of partition key and sort key; none if one of them is absent or no text.
fn primary_words<'p>(prepared: &'p ReadSample<'_>, row: usize) -> Option<Vec<&'p [Word]>> {
    let table = prepared.table;
    let names = std::iter::once(&table.partition).chain(&table.sort);
    names.map(|name| prepared.words(row, name)).collect()
}

/// Joins groups that differ in one word which turns out to be a value.
fn merge(prepared: &ReadSample<'_>, mut groups: Vec<Group>) -> Vec<Group> {
    loop {
        let count = groups.len();
        let width = groups.iter().map(|group| group.slots.len()).max();
        for position in 0..width.unwrap_or_default() {
            groups = merge_at(prepared, groups, position);
        }
        if groups.len() == count {
            return groups;
        }
    }
}

fn merge_at(prepared: &ReadSample<'_>, groups: Vec<Group>, position: usize) -> Vec<Group> {
    let mut buckets: BTreeMap<Vec<Slot>, Vec<Group>> = BTreeMap::new();
    for group in groups {
        let key = opened(&group.slots, position);
        buckets.entry(key).or_default().push(group);
    }
    let mut merged = Vec::new();
    for (slots, bucket) in buckets {
        if bucket.len() < 2 || !is_value(prepared, &bucket, position) {
            merged.extend(bucket);
            continue;
        }
        let mut rows: Vec<usize> = Vec::new();
        let mut attributes = BTreeSet::new();
        for group in bucket {
            rows.extend(group.rows);
            attributes.extend(group.attributes);
        }
        rows.sort_unstable();
        merged.push(Group {
            slots,
            rows,
            attributes,
        });
    }
    merged.sort_by(|one, other| one.slots.cmp(&other.slots));
    merged
}

/// A shape with its word at a position, and the same word elsewhere, as a value.
fn opened(slots: &[Slot], position: usize) -> Vec<Slot> {
    let word = slots.get(position).cloned();
    let is_word = |slot: &Slot| matches!(slot, Slot::Literal(_)) && Some(slot) == word.as_ref();
    let open = |slot: &Slot| {
        if is_word(slot) {
            Slot::Value
        } else {
            slot.clone()
        }
    };
    slots.iter().map(open).collect()
}

/// Whether what differs between groups is a value.
fn is_value(prepared: &ReadSample<'_>, bucket: &[Group], position: usize) -> bool {
    let alike = bucket
        .iter()
        .zip(bucket.iter().skip(1))
        .all(|(one, other)| are_alike(one, other));
    if !alike {
        return false;
    }
    let words = bucket
        .iter()
        .filter_map(|group| match group.slots.get(position) {
            Some(Slot::Literal(word)) => Some(word.as_str()),
            _ => None,
        });
    let shouts = words.clone().any(is_shouted);
    let is_first = bucket
        .first()
        .is_some_and(|group| begins(&group.slots, position));
    let standing = if is_first {
        Standing::First
    } else {
        Standing::Later
    };
    let explained = is_explained(prepared, bucket, position, standing);
    let rows: usize = bucket.iter().map(|group| group.rows.len()).sum();
    let scattered = bucket.len() >= MANY && rows <= bucket.len() * 3;
    explained || (!shouts && (!is_first || scattered))
}

/// Where a word stands in its key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    First,
    Later,
}

/// Whether a key begins at a position.
fn begins(slots: &[Slot], position: usize) -> bool {
    let before = position.checked_sub(1).and_then(|before| slots.get(before));
    before.is_none_or(is_divider)
}

/// Whether one attribute shows the word in all rows. One that tells entities apart explains nothing where a key begins.
fn is_explained(
    prepared: &ReadSample<'_>,
    bucket: &[Group],
    position: usize,
    standing: Standing,
) -> bool {
    let rows = bucket.iter().flat_map(|group| &group.rows);
    let mut shared: Option<BTreeSet<&str>> = None;
    for row in rows {
        let Some(Word::Value { sources, .. }) = word_at(prepared, *row, position) else {
            return false;
        };
        let names: BTreeSet<&str> = sources
            .iter()
            .map(|source| source.attribute.as_str())
            .filter(|name| standing == Standing::Later || !tells_entities(name))
            .collect();
        shared = Some(match shared {
            Some(shared) => shared.intersection(&names).copied().collect(),
            None => names,
        });
    }
    shared.is_some_and(|shared| !shared.is_empty())
}

/// Whether the name of an attribute says that it tells entities apart.
fn tells_entities(name: &str) -> bool {
    let name = name.to_lowercase();
    ["type", "entity", "kind", "model", "edb"]
        .iter()
        .any(|word| name.contains(word))
}

fn word_at<'p>(prepared: &'p ReadSample<'_>, row: usize, position: usize) -> Option<&'p Word> {
    let words = primary_words(prepared, row)?;
    let mut rest = position;
    for part in words {
        match rest.checked_sub(part.len()) {
            None => return part.get(rest),
            // The divider has a place of its own.
            Some(behind) => rest = behind.checked_sub(1)?,
        }
    }
    None
}

/// The values of an attribute in the rows of a group.
pub(crate) fn values<'g>(
    rows: impl Iterator<Item = &'g Row<'g>>,
    name: &str,
) -> Vec<&'g monotable_item::AttributeValue> {
    let values = rows.filter_map(|row| row.item.get(name));
    values
        .filter(|value| !matches!(value, monotable_item::AttributeValue::Null))
        .collect()
}
