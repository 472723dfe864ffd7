//! Attributes by whose value one sees which entity a row is of.

use crate::grouping::Group;
use crate::sample::{ReadSample, text};
use std::collections::{BTreeMap, BTreeSet};

/// Names that tools and people give to such attributes.
const USUAL: &[&str] = &[
    "__edb_e__",
    "_type",
    "_entity",
    "_et",
    "entity",
    "entitytype",
    "_recordtype",
    "recordtype",
    "type",
    "kind",
    "itemtype",
    "model",
    "et",
    "_kind",
    "doctype",
    "objecttype",
    "_model",
    "entityname",
];

/// The discriminators of each group, by the position of the group.
pub(crate) type Discriminators = BTreeMap<usize, Vec<(String, String)>>;

/// Finds the attribute that tells most rows apart, and for groups that it leaves together a second one.
pub(crate) fn find(prepared: &ReadSample<'_>, groups: &[Group]) -> Discriminators {
    let mut found = Discriminators::new();
    let all: Vec<usize> = (0..groups.len()).collect();
    let Some(first) = best(prepared, groups, &all, Need::Most) else {
        return found;
    };
    let mut together: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (position, group) in groups.iter().enumerate() {
        if let Some(value) = constant(prepared, group, &first) {
            together.entry(value.clone()).or_default().push(position);
            found
                .entry(position)
                .or_default()
                .push((first.clone(), value));
        }
    }
    for positions in together
        .into_values()
        .filter(|positions| positions.len() > 1)
    {
        let Some(second) = best(prepared, groups, &positions, Need::All) else {
            continue;
        };
        for position in positions {
            let group = groups.get(position);
            let value = group.and_then(|group| constant(prepared, group, &second));
            if let Some(value) = value {
                found
                    .entry(position)
                    .or_default()
                    .push((second.clone(), value));
            }
        }
    }
    found
}

/// How many rows must have a discriminator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Most,
    /// All of them, with another value in each group.
    All,
}

fn best(
    prepared: &ReadSample<'_>,
    groups: &[Group],
    positions: &[usize],
    need: Need,
) -> Option<String> {
    let chosen: Vec<&Group> = positions.iter().filter_map(|at| groups.get(*at)).collect();
    let names: BTreeSet<&String> = chosen.iter().flat_map(|group| &group.attributes).collect();
    let names = names
        .into_iter()
        .filter(|name| !prepared.key_attributes.contains(&name.as_str()));
    let scored = names.filter_map(|name| {
        let score = score(prepared, &chosen, name, need)?;
        Some((score, name.clone()))
    });
    // The greatest score, and of equal ones the first name.
    let mut scored: Vec<(usize, String)> = scored.collect();
    scored.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    scored.into_iter().next().map(|(_, name)| name)
}

fn score(prepared: &ReadSample<'_>, groups: &[&Group], name: &str, need: Need) -> Option<usize> {
    let (mut told, mut rows, mut mixed) = (0, 0, 0);
    let mut values: BTreeSet<String> = BTreeSet::new();
    for group in groups {
        rows += group.rows.len();
        if !group.attributes.contains(name) {
            continue;
        }
        match constant(prepared, group, name) {
            Some(value) => {
                told += group.rows.len();
                values.insert(value);
            }
            None => mixed += group.rows.len(),
        }
    }
    let usual = USUAL.contains(&name.to_lowercase().as_str());
    let is_enough = match need {
        Need::Most if usual => told * 2 >= rows && mixed * 20 <= told && !values.is_empty(),
        Need::Most => {
            told * 10 >= rows * 9 && mixed == 0 && values.len() * 2 >= groups.len().max(2)
        }
        Need::All => told == rows && values.len() == groups.len(),
    };
    let bonus = if usual { rows } else { 0 };
    is_enough.then_some(told + bonus + values.len())
}

/// The one value that all rows of a group have.
fn constant(prepared: &ReadSample<'_>, group: &Group, name: &str) -> Option<String> {
    let mut rows = prepared.rows_of(group);
    let first = text(rows.next()?.item, name)?;
    let is_word = !first.is_empty() && first.len() <= 64 && !first.contains('/');
    let same = rows.all(|row| text(row.item, name) == Some(first));
    (is_word && same).then(|| first.to_owned())
}
