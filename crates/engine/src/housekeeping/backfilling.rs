//! Fills indexes that were added to a table, and removes the entries of those that go.
//!
//! From the moment that an index is added, every write keeps its entries. What is left to do are the items from before,
//! slice by slice. The entries of a slice are worked out on a snapshot; the committer takes those of items that
//! were not written since, and works out the others anew. How far it has come is written with the slice, so that a crash
//! only means that the next slice is done later.

use super::Due;
use crate::catalog::{AddedIndex, CatalogRows, Index, RelationId, Table, TableDefinition, to_row};
use crate::commit::{Committer, Group, Published, ReadRows};
use crate::index;
use crate::store::{Direction, KeyRange, Space, StoreFault, after_key};
use bytes::Bytes;
use monotable_item::EncodedItem;
use std::sync::Arc;

/// Items or entries of one commit, and how many bytes of them end it early.
const PIECE: usize = 1000;
const PIECE_BYTES: usize = 2 * 1024 * 1024;
/// Commits of one step: other work of the background waits meanwhile.
const MOST_PIECES: usize = 16;

/// Goes on with every index that is being filled or removed.
pub(super) fn round(published: &Published, committer: &Committer) -> Result<Due, StoreFault> {
    let mut due = Due::Later;
    for table in published.catalog.load_full().tables() {
        let Some(index) = table.changing_index() else {
            continue;
        };
        let mut is_done = false;
        for _ in 0..MOST_PIECES {
            is_done = match index.added {
                Some(AddedIndex::Deleting) => remove_piece(published, committer, table, index)?,
                _ => fill_piece(published, committer, table, index)?,
            };
            if is_done {
                break;
            }
        }
        if !is_done {
            due = Due::Now;
        }
    }
    Ok(due)
}

/// Puts the next items into the index; whether it has all of them.
fn fill_piece(
    published: &Published,
    committer: &Committer,
    table: &Arc<Table>,
    index: &Index,
) -> Result<bool, StoreFault> {
    // The number first: the snapshot then holds that group or more.
    let since = published.group();
    let snapshot = published.snapshot();
    let mut range = KeyRange::prefix(&RelationId::from(table.id).to_bytes());
    let last = snapshot.get(Space::Meta, &CatalogRows::backfill(index.id))?;
    if let Some(last) = last {
        range.start = after_key(&last);
    }
    let mut piece = Vec::new();
    let mut bytes = 0;
    for row in snapshot
        .range(Space::Items, range, Direction::Forwards)
        .take(PIECE)
    {
        let (key, value) = row?;
        bytes += value.len();
        let entry = index::entry(table, index, &EncodedItem::from_stored(value));
        piece.push((key, entry));
        if bytes >= PIECE_BYTES {
            break;
        }
    }
    let is_done = piece.is_empty();
    let (name, id) = (table.name().to_owned(), index.id);
    let fill = move |group: &mut Group<'_>| {
        let Some((table, place)) = find(group, &name, id, AddedIndex::Creating) else {
            return Ok(());
        };
        let Some((last, _)) = piece.last() else {
            let mut definition = table.definition.clone();
            if let Some(index) = definition.indexes.get_mut(place) {
                index.added = Some(AddedIndex::Active);
            }
            group.write(Space::Meta, CatalogRows::backfill(id), None);
            return redefine(group, &table, definition);
        };
        group.write(Space::Meta, CatalogRows::backfill(id), Some(last.clone()));
        let Some(index) = table.indexes.get(place) else {
            return Ok(());
        };
        for (key, entry) in piece {
            let entry = if group.is_unchanged(Space::Items, &key, since) {
                entry
            } else {
                let item = group.read(Space::Items, &key)?;
                let item = item.map(EncodedItem::from_stored);
                item.and_then(|item| index::entry(&table, index, &item))
            };
            if let Some((key, value)) = entry {
                group.write(Space::Indexes, key, Some(value));
            }
        }
        Ok(())
    };
    committer.submit(fill).wait()?;
    Ok(is_done)
}

/// Removes the next entries of an index; whether it is gone.
fn remove_piece(
    published: &Published,
    committer: &Committer,
    table: &Arc<Table>,
    index: &Index,
) -> Result<bool, StoreFault> {
    let range = KeyRange::prefix(&RelationId::from(index.id).to_bytes());
    let snapshot = published.snapshot();
    let rows = snapshot.range(Space::Indexes, range, Direction::Forwards);
    let keys: Result<Vec<Bytes>, StoreFault> = rows.take(PIECE).map(|row| Ok(row?.0)).collect();
    let keys = keys?;
    let is_done = keys.is_empty();
    let (name, id) = (table.name().to_owned(), index.id);
    let remove = move |group: &mut Group<'_>| {
        let Some((table, place)) = find(group, &name, id, AddedIndex::Deleting) else {
            return Ok(());
        };
        if keys.is_empty() {
            let mut definition = table.definition.clone();
            definition.indexes.remove(place);
            return redefine(group, &table, definition);
        }
        for key in keys {
            group.write(Space::Indexes, key, None);
        }
        Ok(())
    };
    committer.submit(remove).wait()?;
    Ok(is_done)
}

/// The table as it is when a piece is committed, and the place of the index in it, if both are still as they were.
fn find(
    group: &Group<'_>,
    table: &str,
    index: crate::catalog::IndexId,
    state: AddedIndex,
) -> Option<(Arc<Table>, usize)> {
    let table = Arc::clone(group.catalog().get(table)?);
    let is_it = |known: &Index| known.id == index && known.added == Some(state);
    let place = table.indexes.iter().position(is_it)?;
    Some((table, place))
}

fn redefine(
    group: &mut Group<'_>,
    table: &Table,
    definition: TableDefinition,
) -> Result<(), StoreFault> {
    let row = CatalogRows::table(&definition.name);
    group.write(Space::Meta, row, Some(to_row(&definition)?));
    // The entries are counted with the next count of the table.
    table.counts.note_write(group.number);
    let catalog = group.catalog().with(table.redefined(definition));
    group.set_catalog(catalog);
    Ok(())
}
