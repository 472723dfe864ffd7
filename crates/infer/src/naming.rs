//! What entities are called: after their discriminator, or after the words of their keys.

use crate::Label;
use crate::discriminator::Discriminators;
use crate::grouping::Group;
use crate::sample::ReadSample;
use crate::shape::Slot;
use monotable_sketch::{Names, name_entity};
use std::collections::BTreeMap;

/// One label for each group.
pub(crate) fn name(
    prepared: &ReadSample<'_>,
    groups: &[Group],
    known: &Discriminators,
    names: &mut Names,
) -> Vec<Label> {
    let wanted: Vec<String> = groups
        .iter()
        .enumerate()
        .map(
            |(position, group)| match known.get(&position).and_then(|is| is.last()) {
                Some((_, value)) => name_entity(value),
                None => name_by_key(prepared, group, Words::Sort),
            },
        )
        .collect();
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for name in &wanted {
        *counts.entry(name).or_default() += 1;
    }
    let labels = groups.iter().enumerate().zip(&wanted);
    labels
        .map(|((position, group), name)| {
            let is = known.get(&position).cloned().unwrap_or_default();
            let is_shared = counts.get(name).is_some_and(|count| *count > 1);
            let wanted = match (is_shared, is.last()) {
                (false, _) => name.clone(),
                (true, Some(_)) => format!("{name}{}", distinctive(group)),
                (true, None) => name_by_key(prepared, group, Words::All),
            };
            Label {
                name: names.claim(&wanted),
                is,
            }
        })
        .collect()
}

/// Which words of a key are taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    /// Those of the sort key, and of the partition key but for its first; of the partition key alone if the sort key has none.
    Sort,
    /// Those of both.
    All,
}

fn name_by_key(prepared: &ReadSample<'_>, group: &Group, words: Words) -> String {
    let partition = literals(group.partition());
    let sort = group.sort().map(literals).unwrap_or_default();
    let name = match words {
        // What stands inside of a partition key says what the partition is of: `U#{}#PLAN#{}`.
        Words::Sort if !sort.is_empty() && partition != sort => {
            let inner = partition.into_iter().skip(1);
            inner.chain(sort).collect()
        }
        Words::Sort => partition,
        Words::All if partition == sort => partition,
        Words::All => partition.into_iter().chain(sort).collect(),
    };
    if name.is_empty() {
        name_entity(&prepared.table.name)
    } else {
        name_entity(&name.join("_"))
    }
}

/// The last word of a key that all rows of a group have.
fn distinctive(group: &Group) -> String {
    let words = literals(&group.slots);
    words
        .last()
        .map(|word| name_entity(word))
        .unwrap_or_default()
}

fn literals(slots: &[Slot]) -> Vec<String> {
    let words = slots.iter().filter_map(|slot| match slot {
        Slot::Literal(word) => Some(word.clone()),
        Slot::Text(_) | Slot::Value => None,
    });
    words
        .filter(|word| word.chars().any(|c| c.is_ascii_alphabetic()))
        .collect()
}
