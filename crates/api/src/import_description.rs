//! Imports as AWS describes them.

use crate::Timestamp;
use crate::billing::{BillingMode, OnDemandThroughput, ProvisionedThroughput};
use crate::bucket::S3BucketSource;
use crate::choice::{Chosen, choices};
use crate::encryption::SseSpecification;
use crate::key_schema::{AttributeDefinition, KeySchemaElement};
use crate::secondary_index::GlobalSecondaryIndex;
use crate::structure::structure;
use crate::vector_index::VectorIndex;

choices! {
    /// How far an import is.
    pub enum ImportStatus {
        /// It goes on.
        InProgress = "IN_PROGRESS",
        /// Every item is in the table.
        Completed = "COMPLETED",
        /// It is being given up.
        Cancelling = "CANCELLING",
        /// It was given up.
        Cancelled = "CANCELLED",
        /// It was given up, or some items could not be taken.
        Failed = "FAILED",
    }

    /// How items are written in the bucket.
    pub enum InputFormat {
        /// As DynamoDB's JSON, one item a line.
        DynamodbJson = "DYNAMODB_JSON",
        /// As Amazon Ion.
        Ion = "ION",
        /// As values with a delimiter between them, one item a line.
        Csv = "CSV",
    }

    /// How the objects in the bucket are compressed.
    pub enum InputCompressionType {
        /// With zstd.
        Zstd = "ZSTD",
        /// Not at all.
        None = "NONE",
        /// With gzip.
        Gzip = "GZIP",
    }
}

structure! {
    /// More about the format.
    pub struct InputFormatOptions {
        /// About CSV.
        csv: CsvOptions,
    }

    /// How CSV is written.
    pub struct CsvOptions {
        /// What stands between two values; a comma without.
        delimiter: String,
        /// The attributes of each line; the first line of each object names them without.
        #[serde(default, deserialize_with = "crate::bounded::list")]
        header_list: Vec<String>,
    }

    /// The table that an import makes.
    pub struct TableCreationParameters {
        /// Its name.
        table_name: String,
        /// The types of all key attributes.
        attribute_definitions: Vec<AttributeDefinition>,
        /// Its key.
        key_schema: Vec<KeySchemaElement>,
        /// How it is paid for.
        billing_mode: Chosen<BillingMode>,
        /// Its units per second.
        provisioned_throughput: ProvisionedThroughput,
        /// The most it may use when it is paid by use.
        on_demand_throughput: OnDemandThroughput,
        /// How it is encrypted.
        #[serde(rename = "SSESpecification")]
        sse_specification: SseSpecification,
        /// Its global secondary indexes.
        global_secondary_indexes: Vec<GlobalSecondaryIndex>,
        /// Its vector indexes.
        vector_indexes: Vec<VectorIndex>,
    }

    /// An import.
    pub struct ImportTableDescription {
        /// Its ARN.
        import_arn: String,
        /// How far it is.
        import_status: ImportStatus,
        /// The ARN of its table.
        table_arn: String,
        /// The id of its table.
        table_id: String,
        /// The token of the request.
        client_token: String,
        /// Where it comes from.
        s3_bucket_source: S3BucketSource,
        /// How many items could not be taken.
        error_count: u64,
        /// Where AWS says why.
        cloud_watch_log_group_arn: String,
        /// How items are written.
        input_format: InputFormat,
        /// More about the format.
        input_format_options: InputFormatOptions,
        /// How the objects are compressed.
        input_compression_type: InputCompressionType,
        /// The table that it makes.
        table_creation_parameters: TableCreationParameters,
        /// When it began.
        start_time: Timestamp,
        /// When it ended.
        end_time: Timestamp,
        /// How many bytes were read, unpacked.
        processed_size_bytes: u64,
        /// How many items were read.
        processed_item_count: u64,
        /// How many of them were taken.
        imported_item_count: u64,
        /// Why it was given up, in a word.
        failure_code: String,
        /// Why it was given up.
        failure_message: String,
    }

    /// An import in a list.
    pub struct ImportSummary {
        /// Its ARN.
        import_arn: String,
        /// How far it is.
        import_status: ImportStatus,
        /// The ARN of its table.
        table_arn: String,
        /// Where it comes from.
        s3_bucket_source: S3BucketSource,
        /// Where AWS says why items could not be taken.
        cloud_watch_log_group_arn: String,
        /// How items are written.
        input_format: InputFormat,
        /// When it began.
        start_time: Timestamp,
        /// When it ended.
        end_time: Timestamp,
    }
}
