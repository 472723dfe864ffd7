//! What an item's change does to the entries of the indexes.

use crate::catalog::{Index, Table};
use crate::store::Space;
use crate::{keys, schema};
use bytes::Bytes;
use monotable_item::{EncodedItem, ItemBuilder, ItemView};

/// Appends the changes of all index entries when `old` becomes `new`.
pub(crate) fn entry_changes(
    table: &Table,
    old: Option<&EncodedItem>,
    new: Option<&EncodedItem>,
    changes: &mut Vec<(Space, Bytes, Option<Bytes>)>,
) {
    for index in table.indexes.iter().filter(|index| index.is_kept()) {
        let before = old.and_then(|item| entry(table, index, item));
        let after = new.and_then(|item| entry(table, index, item));
        if before == after {
            continue;
        }
        let removed = before.filter(|(key, _)| after.as_ref().is_none_or(|(new, _)| new != key));
        if let Some((key, _)) = removed {
            changes.push((Space::Indexes, key, None));
        }
        if let Some((key, value)) = after {
            changes.push((Space::Indexes, key, Some(value)));
        }
    }
}

/// The entry of an item in an index: its row key and the projected item; none if the item lacks a key
/// of the index or its vector, or has one that the index cannot take.
pub(crate) fn entry(table: &Table, index: &Index, item: &EncodedItem) -> Option<(Bytes, Bytes)> {
    // Items were held against the indexes of their time. One that was added later may meet others.
    if index.added.is_some() && !schema::fits_index(index, item.view()) {
        return None;
    }
    if let Some(vector) = &index.vector {
        item.view().get(&vector.attribute)?;
    }
    let key = keys::entry_key(table, index, item.view())?;
    Some((key, project(index, item).into_bytes()))
}

/// The attributes of an item that an index holds.
pub(crate) fn project(index: &Index, item: &EncodedItem) -> EncodedItem {
    match &index.attributes {
        // The same bytes: nothing is copied.
        None => item.clone(),
        Some(names) => pick(names, item.view()),
    }
}

/// These attributes of an item; INVARIANT: `names` are in order.
pub(crate) fn pick(names: &[String], item: ItemView<'_>) -> EncodedItem {
    let mut builder = ItemBuilder::new();
    for name in names {
        if let Some(value) = item.get(name) {
            builder.push(name, value);
        }
    }
    builder.finish()
}
