//! Whether rows stand in the space that they belong to.
//!
//! Nothing in a table file says to which keyspace it belongs. Its keys do, together with the catalog: each begins with the id of a table, an
//! index, a stream or a backup, and ids are never reused. So exchanged files or folders of keyspaces are noticed before anything is
//! read from them.

use crate::catalog::{Catalog, RelationId};
use crate::store::{DamagedFile, Space, Store, StoreFault, TableRange};
use std::collections::BTreeMap;
use std::path::Path;

/// In which space the rows of each table, index, stream and backup are. Those of dropped ones are not known.
pub(crate) struct RowPlaces {
    spaces: BTreeMap<[u8; 4], Space>,
}

impl RowPlaces {
    pub(crate) fn new(catalog: &Catalog) -> Self {
        let mut spaces = BTreeMap::new();
        let mut add = |id: RelationId, space| {
            spaces.insert(id.to_bytes(), space);
        };
        for table in catalog.tables() {
            add(table.id.into(), Space::Items);
            for index in &table.indexes {
                add(index.id.into(), Space::Indexes);
            }
            if let Some(log) = table.recovery_log() {
                add(log.into(), Space::Indexes);
            }
        }
        for stream in catalog.streams() {
            add(stream.definition.id.into(), Space::Indexes);
        }
        for backup in catalog.backups() {
            let (space, relation) = backup.place();
            add(relation, space);
        }
        Self { spaces }
    }

    /// Where a row belongs that stands in this space, if it is known and elsewhere.
    pub(crate) fn find_other(&self, space: Space, key: &[u8]) -> Option<Space> {
        if Space::Meta.admits(key) {
            return (space != Space::Meta).then_some(Space::Meta);
        }
        let known = self.spaces.get(key.first_chunk::<4>()?);
        known.copied().filter(|known| *known != space)
    }

    /// Where a table file belongs, if it is known and elsewhere.
    pub(crate) fn find_other_of(&self, table: &TableRange) -> Option<Space> {
        let first = self.find_other(table.space, &table.first);
        first.or_else(|| self.find_other(table.space, &table.last))
    }
}

/// Fails if a table file of the store has rows of another space.
pub(crate) fn check(store: &Store, path: &Path, catalog: &Catalog) -> Result<(), StoreFault> {
    let places = RowPlaces::new(catalog);
    for table in store.table_ranges() {
        if let Some(belongs) = places.find_other_of(&table) {
            let what = format!(
                "its rows are rows of `{}`, and not of `{}`: this file, or the whole folder of its keyspace, was exchanged with one of {}; \
                 put both back in their places",
                belongs.name(),
                table.space.name(),
                path.join("data/keyspaces")
                    .join(belongs.keyspace().to_string())
                    .display(),
            );
            return Err(StoreFault::DamagedFile(DamagedFile {
                store: path.into(),
                path: table.path,
                what,
            }));
        }
    }
    Ok(())
}
