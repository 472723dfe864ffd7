//! The rows of the meta space that hold the catalog.
//!
//! ```text
//! table/NAME    the definition of a table, JSON
//! stream/ID     the definition of a stream, JSON
//! stream-trim/ID   the sequence number before which a stream's records are gone, 8 bytes big-endian
//! backfill/ID   how far the items of a table were put into an added index: the key of the last item
//! backup/ID     the definition of a backup, JSON
//! export/ID     the definition of an export, JSON
//! import/ID     the definition of an import, JSON
//! bulk/ID       the definition of a bulk operation, JSON
//! restore/ID    how far a table was filled from a backup or another table (housekeeping/restoring.rs)
//! drop/ID       a dropped table whose rows are still to be removed, JSON
//! count/ID      how many rows a table and its indexes have, JSON; only while the store is closed
//! next-id       the next id of a table, an index or a stream, 4 bytes big-endian
//! ```

use super::{
    BackupDefinition, BackupId, BackupRows, BulkDefinition, BulkId, Catalog, ExportDefinition,
    ExportId, ImportDefinition, ImportId, Stream, StreamDefinition, StreamId, StreamProgress,
    Table, TableDefinition, TableId,
};
use crate::store::{Direction, KeyRange, Snapshot, Space, StoreFault};
use crate::stream::Sequence;
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Row keys of the catalog.
pub(crate) struct CatalogRows;

const TABLES: &[u8] = b"table/";
const STREAMS: &[u8] = b"stream/";
const TRIMS: &[u8] = b"stream-trim/";
const BACKFILLS: &[u8] = b"backfill/";
const BACKUPS: &[u8] = b"backup/";
const EXPORTS: &[u8] = b"export/";
const IMPORTS: &[u8] = b"import/";
const BULK: &[u8] = b"bulk/";
const RESTORES: &[u8] = b"restore/";
const DROPS: &[u8] = b"drop/";
const COUNTS: &[u8] = b"count/";

impl CatalogRows {
    pub(crate) const NEXT_ID: &'static [u8] = b"next-id";

    pub(crate) fn table(name: &str) -> Bytes {
        [TABLES, name.as_bytes()].concat().into()
    }

    pub(crate) fn stream(id: StreamId) -> Bytes {
        [STREAMS, &id.0.to_be_bytes()].concat().into()
    }

    /// Before which sequence number the records of a stream are gone.
    pub(crate) fn trim(id: StreamId) -> Bytes {
        [TRIMS, &id.0.to_be_bytes()].concat().into()
    }

    /// How far an index has got.
    pub(crate) fn backfill(id: super::IndexId) -> Bytes {
        [BACKFILLS, &id.0.to_be_bytes()].concat().into()
    }

    pub(crate) fn backup(id: BackupId) -> Bytes {
        [BACKUPS, &id.0.to_be_bytes()].concat().into()
    }

    pub(crate) fn export(id: ExportId) -> Bytes {
        [EXPORTS, &id.0.to_be_bytes()].concat().into()
    }

    pub(crate) fn import(id: ImportId) -> Bytes {
        [IMPORTS, &id.0.to_be_bytes()].concat().into()
    }

    pub(crate) fn bulk(id: BulkId) -> Bytes {
        [BULK, &id.0.to_be_bytes()].concat().into()
    }

    /// How far a table was filled.
    pub(crate) fn restore(id: TableId) -> Bytes {
        [RESTORES, &id.0.to_be_bytes()].concat().into()
    }

    pub(crate) fn dropped(id: TableId) -> Bytes {
        [DROPS, &id.0.to_be_bytes()].concat().into()
    }

    pub(crate) fn count(id: TableId) -> Bytes {
        [COUNTS, &id.0.to_be_bytes()].concat().into()
    }

    /// The rows of counts that a clean close left.
    pub(crate) fn counts() -> KeyRange {
        KeyRange::prefix(COUNTS)
    }

    /// The first id that no table, index or stream ever had.
    pub(crate) fn next_id(row: Option<&[u8]>) -> Result<u32, StoreFault> {
        let Some(value) = row else {
            return Ok(1);
        };
        let bytes = <[u8; 4]>::try_from(value).map_err(|_| StoreFault::Damaged {
            what: "the row next-id is not four bytes".into(),
        })?;
        Ok(u32::from_be_bytes(bytes))
    }

    pub(crate) fn load(snapshot: &Snapshot) -> Result<Catalog, StoreFault> {
        let tables = read_all::<TableDefinition>(snapshot, TABLES)?;
        let streams = read_all::<StreamDefinition>(snapshot, STREAMS)?.into_iter();
        let streams = streams.map(|definition| {
            let trimmed = snapshot.get(Space::Meta, &Self::trim(definition.id))?;
            let number = trimmed.and_then(|row| Some(u64::from_be_bytes(*row.first_chunk()?)));
            let trimmed = Sequence::from_number(number.unwrap_or_default());
            Ok(Stream::new(definition, StreamProgress::trimmed_to(trimmed)))
        });
        let streams: Result<Vec<Stream>, StoreFault> = streams.collect();
        let backups = read_all::<BackupDefinition>(snapshot, BACKUPS)?;
        let tables = tables.into_iter().map(Table::new);
        let catalog = Catalog::new(tables, streams?, backups);
        let exports = read_all::<ExportDefinition>(snapshot, EXPORTS)?;
        let imports = read_all::<ImportDefinition>(snapshot, IMPORTS)?;
        let bulk = read_all::<BulkDefinition>(snapshot, BULK)?;
        Ok(catalog.with_transfers(exports, imports, bulk))
    }

    /// The definition of a table in this state of the store.
    pub(crate) fn read_table(
        snapshot: &Snapshot,
        name: &str,
    ) -> Result<Option<TableDefinition>, StoreFault> {
        let row = snapshot.get(Space::Meta, &Self::table(name))?;
        let read = |row: Bytes| {
            serde_json::from_slice(&row).map_err(|error| StoreFault::Damaged {
                what: format!("the row of table {name}: {error}"),
            })
        };
        row.map(read).transpose()
    }

    pub(crate) fn drops(snapshot: &Snapshot) -> Result<Vec<DropJob>, StoreFault> {
        read_all(snapshot, DROPS)
    }
}

/// A dropped table: its rows go in the background, also after a restart.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct DropJob {
    pub(crate) table: TableId,
    pub(crate) indexes: Vec<super::IndexId>,
}

impl DropJob {
    /// The rows of a log that nothing is restored from any more.
    pub(crate) fn of_log(log: StreamId) -> Self {
        Self::of_entries(log.0)
    }

    /// The rows of a backup.
    pub(crate) fn of_backup(backup: &BackupDefinition) -> Self {
        match backup.rows {
            BackupRows::Copied => Self::of_entries(backup.id.0),
            BackupRows::Kept => Self {
                table: backup.dropped_id(),
                indexes: Vec::new(),
            },
        }
    }

    /// The items of a table that nobody sees.
    pub(crate) const fn of_scratch(table: TableId) -> Self {
        Self {
            table,
            indexes: Vec::new(),
        }
    }

    /// Rows in the space of indexes. Ids are drawn from one counter, so no table has this one.
    fn of_entries(id: u32) -> Self {
        Self {
            table: TableId(id),
            indexes: vec![super::IndexId(id)],
        }
    }
}

fn read_all<T: DeserializeOwned>(snapshot: &Snapshot, prefix: &[u8]) -> Result<Vec<T>, StoreFault> {
    let rows = snapshot.range(Space::Meta, KeyRange::prefix(prefix), Direction::Forwards);
    rows.map(|row| {
        let (key, value) = row?;
        serde_json::from_slice(&value).map_err(|error| StoreFault::Damaged {
            what: format!("the row {}: {error}", String::from_utf8_lossy(&key)),
        })
    })
    .collect()
}

/// A catalog row's value. These structures always have JSON.
pub(crate) fn to_row<T: Serialize>(value: &T) -> Result<Bytes, StoreFault> {
    serde_json::to_vec(value)
        .map(Bytes::from)
        .map_err(|error| StoreFault::Damaged {
            what: format!("a definition has no JSON: {error}"),
        })
}
