//! A bulk operation as it is kept: one row of JSON in the meta space.
//!
//! Field names and meanings are part of the format on disk.

use super::export::TransferFailure;
use super::table::TableId;
use monotable_api::{
    BulkOperationPerformanceTier, InputCompressionType, InputS3Configuration,
    OutputS3Configuration, OutputTypeEnum,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Tells bulk operations apart. Drawn from the same counter as ids of tables and indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct BulkId(pub(crate) u32);

/// Everything that is known of a bulk operation. It outlives its table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BulkDefinition {
    pub(crate) id: BulkId,
    /// The end of its ARN: the time in milliseconds, and something that no other operation has.
    pub(crate) label: String,
    pub(crate) request: BulkRequest,
    pub(crate) table_id: TableId,
    /// The TableId of AWS: a UUID.
    pub(crate) table_uuid: String,
    /// When it began, in milliseconds since 1970.
    pub(crate) started: u64,
    /// When it ended, in milliseconds since 1970.
    pub(crate) ended: Option<u64>,
    pub(crate) state: BulkState,
    /// The objects that are still to be read, the next one last; none before they were listed.
    pub(crate) rest: Option<Vec<BulkObject>>,
    /// How many records of the next one were carried out.
    pub(crate) records: u64,
    pub(crate) counts: BulkCounts,
    /// Lines of reports that are in no file yet. They are kept here with what the records did, so that a crash loses none.
    pub(crate) pending: Vec<ReportLine>,
    /// The keys of the reports that were written.
    pub(crate) reports: Vec<String>,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct BulkRequest {
    /// The name of the table.
    pub(crate) table: String,
    pub(crate) token: Option<String>,
    pub(crate) input: InputS3Configuration,
    pub(crate) bucket: String,
    pub(crate) compression: InputCompressionType,
    pub(crate) output: OutputS3Configuration,
    pub(crate) output_bucket: String,
    pub(crate) output_types: Vec<OutputTypeEnum>,
    pub(crate) most_units: Option<i64>,
    pub(crate) tier: BulkOperationPerformanceTier,
}

/// How far a bulk operation is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BulkState {
    InProgress,
    Cancelling,
    /// Everything was read.
    Completed,
    Cancelled(TransferFailure),
    Failed(TransferFailure),
}

/// An object with items.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BulkObject {
    pub(crate) key: String,
    /// How large it is, as it stands in the bucket.
    pub(crate) bytes: u64,
}

/// What was read and written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BulkCounts {
    /// Records that were read, whatever became of them.
    pub(crate) processed: u64,
    /// Records that could not be read, or that the table cannot take.
    pub(crate) failed: u64,
    /// How large the objects are that were read to their ends.
    pub(crate) input_bytes: u64,
    /// How large all objects are; none before they were listed.
    pub(crate) total_bytes: Option<u64>,
    /// How large the items are that were written.
    pub(crate) table_bytes: u64,
    /// How large their entries are, by the name of the index.
    pub(crate) index_bytes: BTreeMap<String, u64>,
}

/// A line of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ReportLine {
    pub(crate) kind: OutputTypeEnum,
    /// The line, as JSON.
    pub(crate) text: String,
}

impl BulkDefinition {
    pub(crate) const fn is_in_progress(&self) -> bool {
        matches!(self.state, BulkState::InProgress | BulkState::Cancelling)
    }

    /// The key of a file of the operation.
    pub(crate) fn key(&self, file: &str) -> String {
        let prefix = self.request.output.s3_key_prefix.as_deref();
        let prefix = prefix.unwrap_or_default().trim_matches('/');
        let separator = if prefix.is_empty() { "" } else { "/" };
        format!("{prefix}{separator}AWSDynamoDB/{}/{file}", self.label)
    }
}
