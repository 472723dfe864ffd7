//! A backup as it is kept: one row of JSON in the meta space.
//!
//! Field names and meanings are part of the format on disk.

use super::definition::TableDefinition;
use super::table::{RelationId, TableId};
use crate::store::Space;
use monotable_api::BackupType;
use serde::{Deserialize, Serialize};

/// The number that the rows of a backup start with. Drawn from the same counter as ids of tables and indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct BackupId(pub(crate) u32);

impl From<BackupId> for RelationId {
    fn from(id: BackupId) -> Self {
        Self::new(id.0)
    }
}

/// Everything that is known of a backup. It outlives its table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BackupDefinition {
    pub(crate) id: BackupId,
    /// The end of its ARN: the time in milliseconds, and something that no other backup has.
    pub(crate) label: String,
    pub(crate) name: String,
    pub(crate) kind: BackupType,
    /// Milliseconds since 1970.
    pub(crate) created: u64,
    /// When it goes by itself, in milliseconds since 1970.
    pub(crate) expires: Option<u64>,
    pub(crate) state: BackupState,
    /// How many items it has, once it is whole.
    pub(crate) items: u64,
    /// How large they are.
    pub(crate) bytes: u64,
    pub(crate) rows: BackupRows,
    /// The table as it was.
    pub(crate) table: TableDefinition,
}

/// How far a backup is. One that is not whole when a store is opened was begun by a process that has ended, and goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BackupState {
    Creating,
    Available,
}

/// Where the items of a backup are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BackupRows {
    /// Copies, in the space of indexes, under the backup's own id.
    Copied,
    /// The rows of the deleted table itself: nobody else has them any more.
    Kept,
}

impl BackupDefinition {
    /// Where its rows are.
    pub(crate) fn place(&self) -> (Space, RelationId) {
        match self.rows {
            BackupRows::Copied => (Space::Indexes, self.id.into()),
            BackupRows::Kept => (Space::Items, self.table.id.into()),
        }
    }

    /// The id under which its rows are removed.
    pub(crate) const fn dropped_id(&self) -> TableId {
        match self.rows {
            BackupRows::Copied => TableId(self.id.0),
            BackupRows::Kept => self.table.id,
        }
    }
}
