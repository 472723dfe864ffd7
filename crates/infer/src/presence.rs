//! Which rows of an entity are in an index.

use crate::grouping::Group;
use crate::sample::{ReadSample, Row, text};
use monotable_item::AttributeValue;
use monotable_sketch::Template;
use std::collections::BTreeSet;

/// A predicate has no more words.
const MAX_WORDS: usize = 6;

/// What decides whether a row is in an index.
pub(crate) enum Presence {
    /// Having all that the key shows.
    Attributes,
    /// A predicate.
    When(String),
    /// Something that the sample does not show: so many rows are not in it.
    Unknown(usize),
}

/// Looks for what the rows that are not in an index have in common.
pub(crate) fn find(
    prepared: &ReadSample<'_>,
    group: &Group,
    attributes: &[&str],
    templates: &[&Template],
) -> Presence {
    let has_all =
        |row: &Row<'_>, names: &[&str]| names.iter().all(|name| row.item.get(name).is_some());
    let shown: Vec<&str> = templates
        .iter()
        .flat_map(|template| template.fields())
        .map(|field| field.attribute.as_str())
        .filter(|name| group.attributes.contains(*name))
        .collect();
    let (inside, outside): (Vec<&Row<'_>>, Vec<&Row<'_>>) = prepared
        .rows_of(group)
        .partition(|row| has_all(row, attributes));
    let left_out: Vec<&Row<'_>> = outside
        .into_iter()
        .filter(|row| has_all(row, &shown))
        .collect();
    if left_out.is_empty() {
        return Presence::Attributes;
    }
    let names = group
        .attributes
        .iter()
        .filter(|name| !prepared.key_attributes.contains(&name.as_str()));
    for name in names {
        if let Some(predicate) = separate(name, &inside, &left_out) {
            return Presence::When(predicate);
        }
    }
    Presence::Unknown(left_out.len())
}

/// A predicate that holds of the rows inside and of none outside.
fn separate(name: &str, inside: &[&Row<'_>], outside: &[&Row<'_>]) -> Option<String> {
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !is_name {
        return None;
    }
    let there = |rows: &[&Row<'_>]| {
        rows.iter()
            .filter(|row| row.item.get(name).is_some())
            .count()
    };
    if there(inside) == inside.len() && there(outside) == 0 {
        return Some(format!("attribute_exists({name})"));
    }
    if there(inside) == 0 && there(outside) == outside.len() {
        return Some(format!("attribute_not_exists({name})"));
    }
    let flags = |rows: &[&Row<'_>]| -> Option<BTreeSet<bool>> {
        let flags = rows.iter().map(|row| match row.item.get(name) {
            Some(AttributeValue::Bool(flag)) => Some(*flag),
            _ => None,
        });
        flags.collect()
    };
    if let (Some(inside), Some(outside)) = (flags(inside), flags(outside))
        && inside.is_disjoint(&outside)
    {
        return inside.first().map(|flag| format!("{name} = {flag}"));
    }
    let words = |rows: &[&Row<'_>]| -> Option<BTreeSet<String>> {
        let words = rows
            .iter()
            .map(|row| Some(text(row.item, name)?.to_owned()));
        words.collect()
    };
    let rows = inside.len();
    let (inside, outside) = (words(inside)?, words(outside)?);
    let is_sayable = |word: &String| !word.contains('\'') && word.len() <= 32;
    let is_few = inside.len() <= MAX_WORDS && inside.len() * 2 <= rows;
    if !inside.is_disjoint(&outside) || !is_few || !inside.iter().all(is_sayable) {
        return None;
    }
    let quoted: Vec<String> = inside.iter().map(|word| format!("'{word}'")).collect();
    match quoted.as_slice() {
        [one] => Some(format!("{name} = {one}")),
        several => Some(format!("{name} IN ({})", several.join(", "))),
    }
}
