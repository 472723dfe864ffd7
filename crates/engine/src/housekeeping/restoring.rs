//! Fills tables that are restored, from a backup or from another table.
//!
//! Rows are copied first, in pieces, with their entries in the indexes. What is copied from a table is its
//! present state, as it is when its turn comes; then what the log says of later changes is undone, from the youngest
//! record back to the wanted time. How far it has come is written with each piece, so that a crash only means that the
//! rest follows later.

use super::Due;
use super::copying::under;
use crate::catalog::{CatalogRows, RelationId, StreamId, Table, TableOrigin, to_row};
use crate::commit::{Committer, Group, Published};
use crate::store::{Direction, KeyRange, Snapshot, Space, StoreFault, after_key};
use crate::stream::{Sequence, SequenceRange, StoredRecord};
use crate::{index, keys};
use bytes::Bytes;
use monotable_item::EncodedItem;
use std::collections::HashMap;
use std::sync::Arc;

/// Items or records of one commit, and how many bytes of them end it early.
const PIECE: usize = 1000;
const PIECE_BYTES: usize = 2 * 1024 * 1024;
/// Commits of one step: other work of the background waits meanwhile.
const MOST_PIECES: usize = 16;

pub(super) type RowChange = (Space, Bytes, Option<Bytes>);

/// How far a table is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Rows up to this one of the source were copied.
    Copying(Option<Bytes>),
    /// Records from this one on were undone.
    Undoing(Option<Sequence>),
}

const COPYING: u8 = 0;
const UNDOING: u8 = 1;

impl Progress {
    fn read(row: Option<&Bytes>) -> Self {
        let Some((kind, rest)) = row.and_then(|row| Some((*row.first()?, row.slice(1..)))) else {
            return Self::Copying(None);
        };
        match kind {
            UNDOING => {
                let number = rest.first_chunk().map(|number| u64::from_be_bytes(*number));
                Self::Undoing(number.map(Sequence::from_number))
            }
            _ => Self::Copying(Some(rest)),
        }
    }

    pub(super) fn to_row(&self) -> Bytes {
        match self {
            Self::Copying(last) => {
                let last = last.as_deref().unwrap_or_default();
                [&[COPYING][..], last].concat().into()
            }
            Self::Undoing(None) => Bytes::from_static(&[UNDOING]),
            Self::Undoing(Some(last)) => [&[UNDOING][..], &last.number().to_be_bytes()]
                .concat()
                .into(),
        }
    }
}

/// What a piece does to a table.
pub(super) struct Piece {
    pub(super) changes: Vec<RowChange>,
    /// Where the next piece goes on; none once the table is whole.
    pub(super) next: Option<Progress>,
}

/// Goes on with every table that is being restored.
pub(super) fn round(published: &Published, committer: &Committer) -> Result<Due, StoreFault> {
    let mut due = Due::Later;
    for table in published.catalog.load_full().tables() {
        let Some(origin) = &table.definition.origin else {
            continue;
        };
        // Those that are imported are filled elsewhere.
        if matches!(origin, TableOrigin::Import(_)) {
            continue;
        }
        let mut is_done = false;
        for _ in 0..MOST_PIECES {
            is_done = fill_piece(published, committer, table, origin)?;
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

/// What the next piece does to a table.
pub(super) fn next_piece(
    published: &Published,
    table: &Table,
    origin: &TableOrigin,
) -> Result<Piece, StoreFault> {
    let snapshot = published.snapshot();
    let row = snapshot.get(Space::Meta, &CatalogRows::restore(table.id))?;
    match (Progress::read(row.as_ref()), origin) {
        (Progress::Copying(last), TableOrigin::Backup { id, .. }) => {
            let Some(backup) = published.catalog.load().backup(*id).cloned() else {
                return Err(StoreFault::Damaged {
                    what: format!("the backup of table {} is gone", table.name()),
                });
            };
            copy_piece(&snapshot, table, backup.place(), last, None)
        }
        (Progress::Copying(last), TableOrigin::Table { id, .. }) => {
            let place = (Space::Items, (*id).into());
            let then = Some(Progress::Undoing(None));
            copy_piece(&snapshot, table, place, last, then)
        }
        (Progress::Undoing(last), TableOrigin::Table { log, time, end, .. }) => {
            undo_piece(&snapshot, table, *log, last, (*time, *end))
        }
        (Progress::Undoing(_), TableOrigin::Backup { .. }) | (_, TableOrigin::Import(_)) => {
            Ok(Piece {
                changes: Vec::new(),
                next: None,
            })
        }
    }
}

/// Does the next piece; whether the table is whole.
fn fill_piece(
    published: &Published,
    committer: &Committer,
    table: &Arc<Table>,
    origin: &TableOrigin,
) -> Result<bool, StoreFault> {
    let piece = next_piece(published, table, origin)?;
    let is_done = piece.next.is_none();
    let (name, id) = (table.name().to_owned(), table.id);
    let write = move |group: &mut Group<'_>| {
        let table = group.catalog().get(&name).map(Arc::clone);
        let Some(table) = table.filter(|table| table.id == id) else {
            return Ok(());
        };
        for (space, key, value) in piece.changes {
            group.write(space, key, value);
        }
        table.counts.note_write(group.number);
        let progress = piece.next.as_ref().map(Progress::to_row);
        group.write(Space::Meta, CatalogRows::restore(id), progress);
        match piece.next {
            Some(_) => Ok(()),
            None => finish(group, &table),
        }
    };
    committer.submit(write).wait()?;
    Ok(is_done)
}

/// Lets the table be used.
pub(super) fn finish(group: &mut Group<'_>, table: &Table) -> Result<(), StoreFault> {
    let mut definition = table.definition.clone();
    definition.origin = None;
    let row = CatalogRows::table(&definition.name);
    group.write(Space::Meta, row, Some(to_row(&definition)?));
    let catalog = group.catalog().with(table.redefined(definition));
    group.set_catalog(catalog);
    Ok(())
}

/// The next rows of the source, as items and entries of the table; `then` follows when there are no more.
fn copy_piece(
    snapshot: &Snapshot,
    table: &Table,
    (space, relation): (Space, RelationId),
    last: Option<Bytes>,
    then: Option<Progress>,
) -> Result<Piece, StoreFault> {
    let mut range = KeyRange::prefix(&relation.to_bytes());
    if let Some(last) = &last {
        range.start = after_key(last);
    }
    let mut changes = Vec::new();
    let mut bytes = 0;
    let mut next = then;
    for row in snapshot
        .range(space, range, Direction::Forwards)
        .take(PIECE)
    {
        let (key, value) = row?;
        bytes += value.len();
        let item = EncodedItem::from_stored(value.clone());
        changes.push((Space::Items, under(table.id.into(), &key), Some(value)));
        index::entry_changes(table, None, Some(&item), &mut changes);
        next = Some(Progress::Copying(Some(key)));
        if bytes >= PIECE_BYTES {
            break;
        }
    }
    Ok(Piece { changes, next })
}

/// Undoes the next records, the youngest first, that are younger than `time` or from `end` on.
fn undo_piece(
    snapshot: &Snapshot,
    table: &Table,
    log: StreamId,
    last: Option<Sequence>,
    (time, end): (u64, Sequence),
) -> Result<Piece, StoreFault> {
    let behind = last.unwrap_or(Sequence::from_number(u64::MAX));
    let range = SequenceRange {
        start: Sequence::from_number(0),
        end: behind,
    };
    let rows = range.rows(log);
    // Of several records of an item the oldest one counts, which comes last.
    let mut undone: HashMap<Bytes, Option<EncodedItem>> = HashMap::new();
    let mut bytes = 0;
    let mut next = None;
    for row in snapshot
        .range(Space::Indexes, rows, Direction::Backwards)
        .take(PIECE)
    {
        let (key, value) = row?;
        let damaged = || StoreFault::Damaged {
            what: format!("a record of the changes before table {}", table.name()),
        };
        let sequence = Sequence::of_row_key(&key).ok_or_else(damaged)?;
        let record = StoredRecord::read(&value, &table.start_key).ok_or_else(damaged)?;
        // What came before is a state that the table had, even if the clock was set back since.
        if record.time <= time && sequence < end {
            next = None;
            break;
        }
        let item = keys::item_key(table, record.key.view()).ok_or_else(damaged)?;
        undone.insert(item.0, record.old);
        next = Some(Progress::Undoing(Some(sequence)));
        bytes += value.len();
        if bytes >= PIECE_BYTES {
            break;
        }
    }
    let mut changes = Vec::new();
    for (key, old) in undone {
        // Nobody else writes to the table.
        let now = snapshot.get(Space::Items, &key)?;
        let now = now.map(EncodedItem::from_stored);
        index::entry_changes(table, now.as_ref(), old.as_ref(), &mut changes);
        changes.push((Space::Items, key, old.map(EncodedItem::into_bytes)));
    }
    Ok(Piece { changes, next })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_read_as_it_was_written() {
        for progress in [
            Progress::Copying(Some(Bytes::from_static(b"key"))),
            Progress::Undoing(None),
            Progress::Undoing(Some(Sequence::new(7, 3))),
        ] {
            assert_eq!(Progress::read(Some(&progress.to_row())), progress);
        }
        assert_eq!(Progress::read(None), Progress::Copying(None));
    }
}
