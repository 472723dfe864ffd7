//! fjall, used directly.
//!
//! It opens a copy of an engine's data: the same table files, and the keyspaces with the options that
//! the engine made them with, which fjall keeps with the data. Options of the database, which fjall does
//! not keep, are repeated here from the engine's `store/keyspaces.rs`.

use crate::dataset::INDEX_KEYS;
use crate::failure::Failure;
use crate::row_key::{self, RelationId};
use bytes::Bytes;
use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode, Readable, UserKey, UserValue};
use monotable_item::EncodedItem;
use std::path::Path;
use std::time::Duration;

/// As the engine has it: most bytes of all journals.
const JOURNALS_BYTES: u64 = 256 << 20;
/// As the engine has it: threads that flush and compact.
const WORKERS: usize = 4;

#[derive(Clone)]
pub(crate) struct RawStore {
    database: Database,
    items: Keyspace,
    indexes: Keyspace,
    table: RelationId,
    /// The ids of the two indexes, if the table has them.
    index_ids: Vec<RelationId>,
}

/// A row to write.
#[derive(Clone)]
pub(crate) struct Row {
    pub(crate) keyspace: Keyspace,
    pub(crate) key: Bytes,
    pub(crate) value: Bytes,
}

impl RawStore {
    pub(crate) fn open(path: &Path, cache_bytes: u64) -> Result<Self, Failure> {
        let database = Database::builder(path)
            .cache_size(cache_bytes)
            .max_journaling_size(JOURNALS_BYTES)
            .worker_threads(WORKERS)
            .open()?;
        let keyspace = |name| {
            if database.keyspace_exists(name) {
                Ok(database.keyspace(name, KeyspaceCreateOptions::default)?)
            } else {
                Err(Failure::from(format!("no keyspace {name}")))
            }
        };
        let (items, indexes) = (keyspace("items")?, keyspace("indexes")?);
        let snapshot = database.snapshot();
        let table = match relations(&snapshot, &items)?.as_slice() {
            [table] => *table,
            other => return Err(format!("{} tables instead of one", other.len()).into()),
        };
        Ok(Self {
            index_ids: relations(&snapshot, &indexes)?,
            table,
            items,
            indexes,
            database,
        })
    }

    pub(crate) const fn table(&self) -> RelationId {
        self.table
    }

    /// The value of an item's row.
    pub(crate) fn get(&self, key: &[u8]) -> Result<Option<UserValue>, Failure> {
        Ok(self.database.snapshot().get(&self.items, key)?)
    }

    /// The first rows of a range of items.
    pub(crate) fn range(
        &self,
        start: &[u8],
        end: &[u8],
        limit: usize,
    ) -> Result<Vec<(UserKey, UserValue)>, Failure> {
        let rows = self.database.snapshot().range(&self.items, start..end);
        let rows = rows.take(limit).map(fjall::Guard::into_inner);
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Reads every item; says how many there are.
    pub(crate) fn read_all(&self) -> Result<u64, Failure> {
        let mut items = 0;
        for row in self.database.snapshot().iter(&self.items) {
            row.into_inner()?;
            items += 1;
        }
        Ok(items)
    }

    /// The row of an item.
    pub(crate) fn row(&self, item: &EncodedItem) -> Result<Row, Failure> {
        Ok(Row {
            keyspace: self.items.clone(),
            key: row_key::item(self.table, item.view())?,
            value: item.clone().into_bytes(),
        })
    }

    /// The rows of an item and of its entries in both indexes.
    pub(crate) fn indexed_rows(&self, item: &EncodedItem) -> Result<[Row; 3], Failure> {
        let [first, second] = self.index_ids.as_slice() else {
            return Err("the table does not have two indexes".into());
        };
        let [first_keys, second_keys] = INDEX_KEYS;
        let entry = |id: RelationId, names: [&str; 2]| -> Result<Row, Failure> {
            Ok(Row {
                keyspace: self.indexes.clone(),
                key: row_key::entry(id, names, item.view())?,
                value: item.clone().into_bytes(),
            })
        };
        Ok([
            self.row(item)?,
            entry(*first, first_keys)?,
            entry(*second, second_keys)?,
        ])
    }

    pub(crate) const fn has_indexes(&self) -> bool {
        !self.index_ids.is_empty()
    }

    /// Whether the store holds this row with this value.
    pub(crate) fn holds(&self, row: &Row) -> Result<bool, Failure> {
        let found = self.database.snapshot().get(&row.keyspace, &row.key)?;
        Ok(found.is_some_and(|value| *value == *row.value))
    }

    /// Writes rows together.
    pub(crate) fn commit(
        &self,
        rows: impl ExactSizeIterator<Item = Row>,
        mode: PersistMode,
    ) -> Result<(), Failure> {
        let batch = fjall::OwnedWriteBatch::with_capacity(self.database.clone(), rows.len());
        let mut batch = batch.durability(Some(mode));
        for row in rows {
            batch.insert(&row.keyspace, row.key, row.value);
        }
        Ok(batch.commit()?)
    }

    /// Waits until everything is in table files and compaction has come to rest.
    pub(crate) fn settle(&self) -> Result<(), Failure> {
        self.items.rotate_memtable_and_wait()?;
        self.indexes.rotate_memtable_and_wait()?;
        while self.database.outstanding_flushes() > 0 || self.database.active_compactions() > 0 {
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    pub(crate) fn disk_bytes(&self) -> Result<u64, Failure> {
        Ok(self.database.disk_space()?)
    }
}

/// The ids that rows of a keyspace start with.
fn relations(snapshot: &fjall::Snapshot, keyspace: &Keyspace) -> Result<Vec<RelationId>, Failure> {
    let mut found = Vec::new();
    let mut from = RelationId::default();
    while let Some(row) = snapshot.range(keyspace, from..).next() {
        let key = row.key()?;
        let id = *key.first_chunk().ok_or("a row key without an id")?;
        found.push(id);
        match u32::from_be_bytes(id).checked_add(1) {
            Some(next) => from = next.to_be_bytes(),
            None => break,
        }
    }
    Ok(found)
}
