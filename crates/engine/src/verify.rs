//! Reads everything and says what is not as it must be.

use crate::catalog::{
    AddedIndex, BackupDefinition, BackupRows, BackupState, Catalog, CatalogRows, Index, RelationId,
    ShardDefinition, Stream, Table,
};
use crate::store::{Direction, KeyRange, Snapshot, Space, StoreFault};
use crate::stream::{Sequence, StoredRecord};
use crate::{index, keys};
use bytes::Bytes;
use monotable_item::EncodedItem;
use std::collections::BTreeSet;

/// Most problems that are listed one by one.
const MOST_PROBLEMS: usize = 100;

/// What [`crate::Engine::verify`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// Items read.
    pub items: u64,
    /// Index entries read.
    pub entries: u64,
    /// Records of streams read.
    pub records: u64,
    /// What is wrong: empty for a sound store. At most 100 are listed.
    pub problems: Vec<String>,
    /// How many problems there are in all.
    pub problem_count: u64,
}

impl Verification {
    fn report(&mut self, problem: String) {
        self.problem_count += 1;
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

/// Checks all rows of a snapshot against each other.
pub(crate) fn verify(snapshot: &Snapshot) -> Result<Verification, StoreFault> {
    let mut found = Verification::default();
    let catalog = CatalogRows::load(snapshot)?;
    for table in catalog.tables() {
        verify_table(snapshot, table, &mut found)?;
    }
    for stream in catalog.streams() {
        verify_stream(snapshot, stream, &mut found)?;
    }
    for backup in catalog.backups() {
        verify_backup(snapshot, backup, &mut found)?;
    }
    verify_relations(snapshot, &catalog, &mut found)?;
    Ok(found)
}

fn verify_table(
    snapshot: &Snapshot,
    table: &Table,
    found: &mut Verification,
) -> Result<(), StoreFault> {
    let mut expected = vec![0u64; table.indexes.len()];
    let rows = KeyRange::prefix(&RelationId::from(table.id).to_bytes());
    for row in snapshot.range(Space::Items, rows, Direction::Forwards) {
        let (key, value) = row?;
        found.items += 1;
        let name = || format!("table {}, row {}", table.name(), hex(&key));
        // A look-up reads other blocks than a walk: filters.
        if snapshot.get(Space::Items, &key)?.as_ref() != Some(&value) {
            found.report(format!("{}: not found by its key", name()));
        }
        let item = EncodedItem::from_stored(value);
        if !item.is_well_formed() {
            found.report(format!("{}: not a stored item", name()));
            continue;
        }
        if keys::item_key(table, item.view()).is_none_or(|expected| expected.0 != key) {
            found.report(format!("{}: the item has another key", name()));
        }
        for (index, expected) in table.indexes.iter().zip(&mut expected) {
            if let Some(entry) = index::entry(table, index, &item).filter(|_| index.is_kept()) {
                *expected += verify_entry(snapshot, index, &entry, found, name)?;
            }
        }
    }
    let kept = table.indexes.iter().zip(expected);
    for (index, expected) in kept.filter(|(index, _)| index.is_kept()) {
        verify_index(snapshot, table, index, expected, found)?;
    }
    Ok(())
}

/// How many entries there should be: one, or none if the index is still being filled and has not got there.
fn verify_entry(
    snapshot: &Snapshot,
    index: &Index,
    (key, value): &(Bytes, Bytes),
    found: &mut Verification,
    name: impl Fn() -> String,
) -> Result<u64, StoreFault> {
    match snapshot.get(Space::Indexes, key)? {
        None if index.added == Some(AddedIndex::Creating) => return Ok(0),
        None => found.report(format!("{}: no entry in index {}", name(), index.name)),
        Some(actual) if actual != *value => {
            found.report(format!("{}: another entry in index {}", name(), index.name));
        }
        Some(_) => {}
    }
    Ok(1)
}

/// Every expected entry is there: if there are no more of them, there are no others.
fn verify_index(
    snapshot: &Snapshot,
    table: &Table,
    index: &Index,
    expected: u64,
    found: &mut Verification,
) -> Result<(), StoreFault> {
    let rows = KeyRange::prefix(&RelationId::from(index.id).to_bytes());
    let mut entries = 0;
    for row in snapshot.range(Space::Indexes, rows, Direction::Forwards) {
        row?;
        entries += 1;
    }
    found.entries += entries;
    if entries != expected {
        found.report(format!(
            "table {}, index {}: {entries} entries where the items make {expected}",
            table.name(),
            index.name
        ));
    }
    Ok(())
}

/// Records must be whole and stand in a shard.
fn verify_stream(
    snapshot: &Snapshot,
    stream: &Stream,
    found: &mut Verification,
) -> Result<(), StoreFault> {
    let definition = &stream.definition;
    let rows = KeyRange::prefix(&RelationId::from(definition.id).to_bytes());
    for row in snapshot.range(Space::Indexes, rows, Direction::Forwards) {
        let (key, value) = row?;
        found.records += 1;
        let name = || format!("stream of table {}, row {}", definition.table, hex(&key));
        let record = StoredRecord::read(&value, &stream.key_names);
        let is_whole = |record: &StoredRecord| {
            record.is_well_formed() && record.key.view().len() == stream.key_names.len()
        };
        if !record.as_ref().is_some_and(is_whole) {
            found.report(format!("{}: not a record", name()));
        }
        let in_shard = |shard: &ShardDefinition, sequence: Sequence| {
            shard.first < sequence && shard.last.is_none_or(|last| sequence < last)
        };
        let sequence = Sequence::of_row_key(&key);
        let mut shards = definition.shards.iter();
        if !sequence.is_some_and(|sequence| shards.any(|shard| in_shard(shard, sequence))) {
            found.report(format!("{}: in no shard", name()));
        }
    }
    Ok(())
}

/// A whole backup has all its items. That of a deleted table was not counted anew.
fn verify_backup(
    snapshot: &Snapshot,
    backup: &BackupDefinition,
    found: &mut Verification,
) -> Result<(), StoreFault> {
    let (space, relation) = backup.place();
    let rows = KeyRange::prefix(&relation.to_bytes());
    let name = format!("backup {} of table {}", backup.label, backup.table.name);
    let mut items = 0;
    for row in snapshot.range(space, rows, Direction::Forwards) {
        let (key, value) = row?;
        items += 1;
        if !EncodedItem::from_stored(value).is_well_formed() {
            found.report(format!("{name}, row {}: not a stored item", hex(&key)));
        }
    }
    let is_counted = backup.state == BackupState::Available && backup.rows == BackupRows::Copied;
    if is_counted && items != backup.items {
        found.report(format!(
            "{name}: {items} items where there were {}",
            backup.items
        ));
    }
    Ok(())
}

/// Rows must belong to a table, an index, a stream or a dropped one, and so be reachable.
fn verify_relations(
    snapshot: &Snapshot,
    catalog: &Catalog,
    found: &mut Verification,
) -> Result<(), StoreFault> {
    let mut known: BTreeSet<[u8; 4]> = BTreeSet::new();
    for table in catalog.tables() {
        known.insert(RelationId::from(table.id).to_bytes());
        known.extend(
            table
                .indexes
                .iter()
                .map(|index| RelationId::from(index.id).to_bytes()),
        );
    }
    for stream in catalog.streams() {
        known.insert(RelationId::from(stream.definition.id).to_bytes());
    }
    for backup in catalog.backups() {
        known.insert(backup.place().1.to_bytes());
    }
    let scratches = catalog
        .exports()
        .filter_map(|export| export.scratch.as_ref());
    known.extend(scratches.map(|scratch| RelationId::from(scratch.id).to_bytes()));
    let logs = catalog.tables().filter_map(|table| table.recovery_log());
    known.extend(logs.map(|log| RelationId::from(log).to_bytes()));
    for job in CatalogRows::drops(snapshot)? {
        known.insert(RelationId::from(job.table).to_bytes());
        known.extend(
            job.indexes
                .iter()
                .map(|id| RelationId::from(*id).to_bytes()),
        );
    }
    for space in [Space::Items, Space::Indexes] {
        // One look-up per relation, not per row: from a relation found, on to what comes after it.
        let mut start = Bytes::new();
        loop {
            let range = KeyRange {
                start: start.clone(),
                end: None,
            };
            let Some(row) = snapshot.range(space, range, Direction::Forwards).next() else {
                break;
            };
            let (key, _) = row?;
            let relation = key.first_chunk::<4>().copied().unwrap_or_default();
            if !known.contains(&relation) {
                found.report(format!(
                    "space {}: rows of no table: {}",
                    space.name(),
                    hex(&key)
                ));
            }
            match crate::store::after_prefix(&relation) {
                Some(next) => start = next,
                None => break,
            }
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
