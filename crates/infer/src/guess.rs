//! The keys of a table that nothing describes.

use crate::sample::text;
use monotable_item::Item;
use monotable_sketch::{Index, Names, Projection, Reach, Table, name_index, name_table};
use std::collections::{BTreeMap, BTreeSet};

/// How attributes of keys end: of the partition key, and of the sort key beside it.
const ENDINGS: &[(&str, &str)] = &[
    ("pk", "sk"),
    ("hash", "range"),
    ("partitionkey", "sortkey"),
    ("partition", "sort"),
    ("hk", "rk"),
];

/// The table that items are of. `key` names the attributes of its primary key; without it they are those that every item has and
/// that are called as keys usually are. Other pairs of such attributes are indexes. None if no attribute looks like a key.
#[must_use]
pub fn guess_table(name: &str, items: &[Item], key: &[String]) -> Option<Table> {
    let known = name_table(name);
    let pairs = pairs(items);
    let (partition, sort) = match key {
        [] => primary(items, &pairs)?,
        [partition, rest @ ..] => (partition.clone(), rest.first().cloned()),
    };
    let mut names = Names::default();
    let indexes = pairs
        .into_iter()
        .filter(|(_, (hash, _))| *hash != partition);
    let indexes = indexes.map(|(stem, (hash, range))| Index {
        name: names.claim(&name_index(&stem)),
        stored: None,
        partition: vec![hash],
        sort: range.into_iter().collect(),
        projection: Projection::All,
        reach: Reach::Global,
        remarks: vec![
            "Found by the names of its attributes alone: the name of the index is made up."
                .to_owned(),
        ],
    });
    let indexes = indexes.collect();
    Some(Table {
        stored: (known != name).then(|| name.to_owned()),
        name: known,
        partition,
        sort,
        indexes,
        ..Table::default()
    })
}

/// Whether the name of an attribute says only that it is a key.
pub(crate) fn is_generic(name: &str) -> bool {
    let name = name.to_lowercase();
    let endings = ENDINGS
        .iter()
        .flat_map(|(partition, sort)| [partition, sort]);
    endings.chain([&"key"]).any(|ending| name.ends_with(ending))
}

/// A partition key and the sort key beside it.
type Pair = (String, Option<String>);

/// Attributes that are named as keys, by what stands before the ending.
fn pairs(items: &[Item]) -> BTreeMap<String, Pair> {
    let names: BTreeSet<&String> = items
        .iter()
        .flat_map(|item| item.iter().map(|(name, _)| name))
        .filter(|name| items.iter().any(|item| text(item, name).is_some()))
        .collect();
    let mut pairs = BTreeMap::new();
    for name in &names {
        let lower = name.to_lowercase();
        for (partition, sort) in ENDINGS {
            let Some(stem) = lower.strip_suffix(partition) else {
                continue;
            };
            let partner = names
                .iter()
                .find(|other| other.to_lowercase() == format!("{stem}{sort}"));
            let shown = name.get(..stem.len()).unwrap_or_default();
            let shown = shown.trim_end_matches(['_', '-', '.']);
            let is_key = stem.is_empty() || partner.is_some();
            if is_key {
                let pair = ((*name).clone(), partner.map(|name| (*name).clone()));
                pairs.entry(shown.to_owned()).or_insert(pair);
            }
        }
    }
    pairs
}

/// The pair that every item has.
fn primary(items: &[Item], pairs: &BTreeMap<String, Pair>) -> Option<Pair> {
    let is_everywhere = |name: &String| items.iter().all(|item| text(item, name).is_some());
    let mut candidates = pairs.values();
    let found = candidates
        .find(|(hash, range)| is_everywhere(hash) && range.as_ref().is_none_or(is_everywhere));
    found.cloned()
}
