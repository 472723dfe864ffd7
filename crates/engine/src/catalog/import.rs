//! An import as it is kept: one row of JSON in the meta space.
//!
//! Field names and meanings are part of the format on disk.

use super::export::TransferFailure;
use super::table::TableId;
use monotable_api::{
    InputCompressionType, InputFormat, InputFormatOptions, S3BucketSource, TableCreationParameters,
};
use serde::{Deserialize, Serialize};

/// Tells imports apart. Drawn from the same counter as ids of tables and indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ImportId(pub(crate) u32);

/// Everything that is known of an import. It outlives its table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ImportDefinition {
    pub(crate) id: ImportId,
    /// The end of its ARN: the time in milliseconds, and something that no other import has.
    pub(crate) label: String,
    pub(crate) request: ImportRequest,
    /// The name of its table.
    pub(crate) table: String,
    pub(crate) table_id: TableId,
    /// The TableId of AWS: a UUID.
    pub(crate) table_uuid: String,
    /// When it began, in milliseconds since 1970.
    pub(crate) started: u64,
    /// When it ended, in milliseconds since 1970.
    pub(crate) ended: Option<u64>,
    pub(crate) state: ImportState,
    /// The keys of the objects that are still to be read, the next one last; none before they were listed.
    pub(crate) rest: Option<Vec<String>>,
    /// How many records of the next one were read.
    pub(crate) records: u64,
    pub(crate) counts: ImportCounts,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ImportRequest {
    pub(crate) token: Option<String>,
    pub(crate) source: S3BucketSource,
    pub(crate) format: InputFormat,
    pub(crate) options: Option<InputFormatOptions>,
    pub(crate) compression: InputCompressionType,
    pub(crate) parameters: TableCreationParameters,
}

/// How far an import is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ImportState {
    InProgress,
    Completed,
    Failed(TransferFailure),
}

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ImportCounts {
    /// Items that were read.
    pub(crate) processed: u64,
    /// Items that were taken.
    pub(crate) imported: u64,
    /// Items that could not be taken.
    pub(crate) errors: u64,
    /// Bytes that were read, unpacked.
    pub(crate) bytes: u64,
}
