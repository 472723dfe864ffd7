//! Prefixes of tenants: the same keys with something before them.

use crate::sample::{Sample, is_prefix, text};
use monotable_sketch::Tenant;
use std::collections::{BTreeMap, BTreeSet};

/// What may stand between the id of a tenant and a key.
const SEPARATORS: &[&str] = &["/", "|", "::"];
/// Fewer rows show nothing.
const MIN_ROWS: usize = 8;

/// Finds prefixes: of the items that have one, nine of ten begin, behind it, as items without prefix or with another one do,
/// and the partition keys of indexes have the same prefix.
pub(crate) fn find(samples: &[Sample]) -> Option<Tenant> {
    let separator = SEPARATORS
        .iter()
        .find(|separator| is_used(samples, separator))?;
    let bare = samples.iter().any(|sample| {
        sample.items.iter().any(|item| {
            let key = text(item, &sample.table.partition);
            key.is_some_and(|key| !key.starts_with("monotable#") && split(key, separator).is_none())
        })
    });
    Some(Tenant {
        name: "tenantId".to_owned(),
        separator: (*separator).to_owned(),
        bare,
    })
}

fn split<'t>(key: &'t str, separator: &str) -> Option<(&'t str, &'t str)> {
    let (prefix, rest) = key.split_once(separator)?;
    (is_prefix(prefix) && !rest.is_empty()).then_some((prefix, rest))
}

fn is_used(samples: &[Sample], separator: &str) -> bool {
    let mut beginnings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut prefixed: Vec<(String, String)> = Vec::new();
    for sample in samples {
        for item in &sample.items {
            let Some(key) = text(item, &sample.table.partition) else {
                continue;
            };
            let (prefix, rest) = split(key, separator).unwrap_or(("", key));
            let beginning = beginning(rest);
            beginnings
                .entry(beginning.clone())
                .or_default()
                .insert(prefix.to_owned());
            if !prefix.is_empty() {
                prefixed.push((prefix.to_owned(), beginning));
                let agrees = sample.table.indexes.iter().all(|index| {
                    let names = index.partition.first();
                    let key = names.and_then(|name| text(item, name));
                    key.is_none_or(|key| {
                        split(key, separator).is_some_and(|(own, _)| own == prefix)
                    })
                });
                if !agrees {
                    return false;
                }
            }
        }
    }
    let shared = prefixed.iter().filter(|(_, beginning)| {
        beginnings
            .get(beginning)
            .is_some_and(|prefixes| prefixes.len() > 1)
    });
    prefixed.len() >= MIN_ROWS && shared.count() * 10 >= prefixed.len() * 9
}

/// The first word of a key.
fn beginning(key: &str) -> String {
    let end = key.find(|c: char| !c.is_alphanumeric() && c != '_');
    key.get(..end.unwrap_or(key.len()))
        .unwrap_or(key)
        .to_owned()
}
