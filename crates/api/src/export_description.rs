//! Exports as AWS describes them.

use crate::Timestamp;
use crate::choice::choices;
use crate::filter_specification::FilterSpecification;
use crate::incremental_export::IncrementalExportSpecification;
use crate::structure::structure;

choices! {
    /// How far an export is.
    pub enum ExportStatus {
        /// It goes on.
        InProgress = "IN_PROGRESS",
        /// Everything is in the bucket.
        Completed = "COMPLETED",
        /// It was given up.
        Failed = "FAILED",
    }

    /// How items are written.
    pub enum ExportFormat {
        /// As DynamoDB's JSON, one item a line.
        DynamodbJson = "DYNAMODB_JSON",
        /// As Amazon Ion.
        Ion = "ION",
    }

    /// What is written.
    pub enum ExportType {
        /// A table as it was.
        FullExport = "FULL_EXPORT",
        /// What has changed since a time.
        IncrementalExport = "INCREMENTAL_EXPORT",
    }

    /// Who encrypts what is in the bucket.
    pub enum S3SseAlgorithm {
        /// S3.
        Aes256 = "AES256",
        /// The key management service.
        Kms = "KMS",
    }
}

structure! {
    /// An export.
    pub struct ExportDescription {
        /// Its ARN.
        export_arn: String,
        /// How far it is.
        export_status: ExportStatus,
        /// When it began.
        start_time: Timestamp,
        /// When it ended.
        end_time: Timestamp,
        /// The key of its summary.
        export_manifest: String,
        /// The ARN of its table.
        table_arn: String,
        /// The id of its table.
        table_id: String,
        /// The table is written as it was at this time.
        export_time: Timestamp,
        /// The token of the request.
        client_token: String,
        /// The bucket.
        s3_bucket: String,
        /// The account that owns the bucket.
        s3_bucket_owner: String,
        /// What the keys of its objects begin with.
        s3_prefix: String,
        /// Who encrypts them.
        s3_sse_algorithm: S3SseAlgorithm,
        /// With which key.
        s3_sse_kms_key_id: String,
        /// Why it was given up, in a word.
        failure_code: String,
        /// Why it was given up.
        failure_message: String,
        /// How items are written.
        export_format: ExportFormat,
        /// How large the items are.
        billed_size_bytes: u64,
        /// How many items there are.
        item_count: u64,
        /// What is written.
        export_type: ExportType,
        /// Which changes are written.
        incremental_export_specification: IncrementalExportSpecification,
        /// Which items are written, and what of them.
        filter_specification: FilterSpecification,
    }

    /// An export in a list.
    pub struct ExportSummary {
        /// Its ARN.
        export_arn: String,
        /// How far it is.
        export_status: ExportStatus,
        /// What is written.
        export_type: ExportType,
    }
}
