//! The rows of the meta space that hold the catalog.
//!
//! ```text
//! table/NAME    the definition of a table, JSON
//! drop/ID       a dropped table whose rows are still to be removed, JSON
//! count/ID      how many rows a table and its indexes have, JSON; only while the store is closed
//! next-id       the next table or index id, 4 bytes big-endian
//! ```

use super::{Catalog, Table, TableDefinition, TableId};
use crate::store::{Direction, KeyRange, Snapshot, Space, StoreFault};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Row keys of the catalog.
pub(crate) struct CatalogRows;

const TABLES: &[u8] = b"table/";
const DROPS: &[u8] = b"drop/";
const COUNTS: &[u8] = b"count/";

impl CatalogRows {
    pub(crate) const NEXT_ID: &'static [u8] = b"next-id";

    pub(crate) fn table(name: &str) -> Bytes {
        [TABLES, name.as_bytes()].concat().into()
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

    /// The first id that no table or index ever had.
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
        Ok(Catalog::with_tables(tables.into_iter().map(Table::new)))
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
