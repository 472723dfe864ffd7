//! What a table is being filled from, and what it can be restored from.

use super::backup::BackupId;
use super::import::ImportId;
use super::stream::StreamId;
use super::table::TableId;
use crate::stream::Sequence;
use serde::{Deserialize, Serialize};

/// What a table is being filled from. Nobody reads or writes its items meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TableOrigin {
    Backup {
        id: BackupId,
        /// The end of the backup's ARN.
        label: String,
        /// The name of the backup's table.
        table: String,
        /// When the backup was made, in milliseconds since 1970.
        created: u64,
    },
    Table {
        id: TableId,
        name: String,
        log: StreamId,
        /// The table is restored as it was at this time, in milliseconds since 1970.
        time: u64,
        /// Records from here on are younger than the request, whatever their time is.
        end: Sequence,
    },
    /// Objects in a bucket.
    Import(ImportId),
}

/// Point-in-time recovery of a table: a log of what its items were before each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Recovery {
    pub(crate) log: StreamId,
    /// Since when changes are in the log, in milliseconds since 1970.
    pub(crate) since: u64,
    /// How many days they stay there.
    pub(crate) days: u32,
}

const DAY_MILLIS: u64 = 24 * 60 * 60 * 1000;

impl Recovery {
    /// The earliest time to which the table can be restored at `now`.
    pub(crate) fn earliest(&self, now: u64) -> u64 {
        let period = u64::from(self.days) * DAY_MILLIS;
        self.since.max(now.saturating_sub(period))
    }
}

impl TableOrigin {
    /// The log that it reads.
    pub(crate) const fn log(&self) -> Option<StreamId> {
        match self {
            Self::Backup { .. } | Self::Import(_) => None,
            Self::Table { log, .. } => Some(*log),
        }
    }
}
