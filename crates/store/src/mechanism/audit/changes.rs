//! What a write changes, as it may be shown.

use crate::mechanism::note;
use crate::record::Record;
use crate::scope::Scope;
use monotable_item::{AttributeValue, Item};
use std::collections::BTreeSet;

/// For each attribute that differs the old and the new value; none if nothing does.
pub(super) fn between(
    scope: &Scope,
    old: Option<&Record>,
    new: Option<&Record>,
) -> Option<AttributeValue> {
    let shown = |row: Option<&Record>| {
        row.map(|row| note::mask_row(scope, row))
            .unwrap_or_default()
    };
    let (before, after) = (shown(old), shown(new));
    let mut changes = Item::new();
    for name in differing(old, new) {
        let mut change = Item::new();
        for (end, row) in [("old", &before), ("new", &after)] {
            if let Some(value) = row.get(&name) {
                change.insert(end, value.clone());
            }
        }
        // A secret that is never shown does not show that it changed either.
        if !change.is_empty() {
            changes.insert(name, AttributeValue::M(change));
        }
    }
    (!changes.is_empty()).then_some(AttributeValue::M(changes))
}

/// The attributes that differ and are stored.
pub(super) fn names(scope: &Scope, old: Option<&Record>, new: Option<&Record>) -> BTreeSet<String> {
    let mut names = differing(old, new);
    if let Some(row) = old.or(new) {
        let entity = scope.entity(row.entity);
        names.retain(|name| {
            entity
                .attribute(name)
                .is_none_or(|attribute| !attribute.key_only)
        });
    }
    names
}

fn differing(old: Option<&Record>, new: Option<&Record>) -> BTreeSet<String> {
    let rows = [old, new].into_iter().flatten();
    let names = rows.flat_map(|row| row.values.iter().map(|(name, _)| name));
    let value =
        |row: Option<&Record>, name: &str| row.and_then(|row| row.values.get(name).cloned());
    names
        .filter(|name| value(old, name) != value(new, name))
        .cloned()
        .collect()
}
