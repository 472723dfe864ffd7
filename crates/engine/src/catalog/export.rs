//! An export as it is kept: one row of JSON in the meta space.
//!
//! Field names and meanings are part of the format on disk.

use super::definition::TableDefinition;
use monotable_api::{ExportType, ExportViewType, FilterSpecification, S3SseAlgorithm};
use serde::{Deserialize, Serialize};

/// Tells exports apart. Drawn from the same counter as ids of tables and indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ExportId(pub(crate) u32);

/// Everything that is known of an export. It outlives its table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ExportDefinition {
    pub(crate) id: ExportId,
    /// The end of its ARN: the time in milliseconds, and something that no other export has.
    pub(crate) label: String,
    pub(crate) request: ExportRequest,
    /// The TableId of AWS: a UUID.
    pub(crate) table_uuid: String,
    /// When it began, in milliseconds since 1970.
    pub(crate) started: u64,
    /// When it ended, in milliseconds since 1970.
    pub(crate) ended: Option<u64>,
    /// The table is written as it was at this time, in milliseconds since 1970.
    pub(crate) time: u64,
    pub(crate) state: ExportState,
    /// A table that nobody sees, for the items as they were. None once the export has ended.
    pub(crate) scratch: Option<TableDefinition>,
    /// The files that are written.
    pub(crate) files: Vec<ExportedFile>,
    /// The key of the last row that is in one of them.
    pub(crate) last: Option<Vec<u8>>,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ExportRequest {
    pub(crate) table: String,
    /// The time that was asked for.
    pub(crate) time: Option<u64>,
    pub(crate) token: Option<String>,
    pub(crate) bucket: String,
    pub(crate) owner: Option<String>,
    pub(crate) prefix: Option<String>,
    pub(crate) encryption: S3SseAlgorithm,
    pub(crate) encryption_key: Option<String>,
    pub(crate) export_type: Option<ExportType>,
    /// The period whose changes are written; the whole table without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) period: Option<RequestedPeriod>,
    /// Which items are written, and what of them; everything without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filter: Option<FilterSpecification>,
}

/// A period as it was asked for, in milliseconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RequestedPeriod {
    pub(crate) from: u64,
    pub(crate) to: Option<u64>,
    pub(crate) view: ExportViewType,
}

/// How far an export is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ExportState {
    /// The items as they were are being worked out.
    Copying,
    /// They are being written into files.
    Writing,
    Completed,
    Failed(TransferFailure),
}

/// Why an export or an import was given up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TransferFailure {
    pub(crate) code: String,
    pub(crate) message: String,
}

/// A file with items.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ExportedFile {
    /// Its key in the bucket.
    pub(crate) key: String,
    pub(crate) items: u64,
    /// How large they are.
    pub(crate) bytes: u64,
    /// The MD5 of the file.
    pub(crate) digest: [u8; 16],
}

impl ExportDefinition {
    pub(crate) const fn is_in_progress(&self) -> bool {
        matches!(self.state, ExportState::Copying | ExportState::Writing)
    }

    /// The key of a file of the export.
    pub(crate) fn key(&self, file: &str) -> String {
        format!("{}{}/{file}", self.folder(), self.label)
    }

    /// The key of a file with items. Exports of changes have one folder for all of theirs.
    pub(crate) fn data_key(&self, file: &str) -> String {
        match self.request.period {
            None => self.key(&format!("data/{file}")),
            Some(_) => format!("{}data/{file}", self.folder()),
        }
    }

    fn folder(&self) -> String {
        let prefix = self.request.prefix.as_deref().unwrap_or_default();
        let prefix = prefix.trim_matches('/');
        let separator = if prefix.is_empty() { "" } else { "/" };
        format!("{prefix}{separator}AWSDynamoDB/")
    }

    /// The end of the period whose changes are written, in milliseconds since 1970: changes at it are not.
    pub(crate) const fn period_end(&self) -> u64 {
        self.time.saturating_add(1)
    }
}
