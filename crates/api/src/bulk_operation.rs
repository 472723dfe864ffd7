//! Bulk operations as AWS describes them: what puts many items of a bucket into a table that is there.

use crate::Timestamp;
use crate::choice::{Chosen, choices};
use crate::export_description::S3SseAlgorithm;
use crate::import_description::InputCompressionType;
use crate::structure::structure;
use std::collections::BTreeMap;

choices! {
    /// How far a bulk operation is.
    pub enum BulkOperationStatus {
        /// It goes on.
        InProgress = "IN_PROGRESS",
        /// Everything was read, and nothing was wrong with it.
        Completed = "COMPLETED",
        /// Everything was read, and something could not be taken.
        CompletedWithErrors = "COMPLETED_WITH_ERRORS",
        /// It is being given up because somebody asked for that.
        Cancelling = "CANCELLING",
        /// It was given up because somebody asked for that.
        Cancelled = "CANCELLED",
        /// It was given up.
        Failed = "FAILED",
    }

    /// How items are written in the bucket.
    pub enum BulkOperationInputFormat {
        /// As DynamoDB's JSON, one item a line.
        DynamodbJson = "DYNAMODB_JSON",
        /// As Amazon Ion.
        Ion = "ION",
    }

    /// What is reported of single items.
    pub enum OutputTypeEnum {
        /// What could not be read, and what the table cannot take.
        Error = "ERROR",
        /// Items whose condition did not hold.
        ConditionCheckFailure = "CONDITION_CHECK_FAILURE",
    }

    /// How fast a bulk operation is at AWS.
    pub enum BulkOperationPerformanceTier {
        /// As fast as most need it.
        Standard = "STANDARD",
        /// Faster.
        Accelerated = "ACCELERATED",
    }
}

structure! {
    /// Where the items of a bulk operation come from.
    pub struct InputS3Configuration {
        /// The account that owns the bucket.
        s3_bucket_owner: String,
        /// The bucket.
        s3_bucket: String,
        /// What the keys of its objects begin with.
        s3_key_prefix: String,
        /// How items are written.
        input_format: Chosen<BulkOperationInputFormat>,
        /// How the objects are compressed.
        input_compression_type: Chosen<InputCompressionType>,
    }

    /// Where a bulk operation reports what it could not put.
    pub struct OutputS3Configuration {
        /// The account that owns the bucket.
        s3_bucket_owner: String,
        /// The bucket.
        s3_bucket: String,
        /// What the keys of the reports begin with.
        s3_key_prefix: String,
        /// Who encrypts them. A folder is as encrypted as its disk.
        s3_sse_algorithm: Chosen<S3SseAlgorithm>,
        /// With which key.
        s3_sse_kms_key_id: String,
        /// What is reported.
        output_type: Vec<Chosen<OutputTypeEnum>>,
    }

    /// A bulk operation.
    pub struct BulkOperationDescription {
        /// Its ARN.
        bulk_operation_arn: String,
        /// How far it is.
        bulk_operation_status: BulkOperationStatus,
        /// The table that it puts items into.
        table_details: Vec<BulkOperationTableDetail>,
        /// The token of the request.
        client_token: String,
        /// Where the items come from.
        input_s3_configuration: InputS3Configuration,
        /// Where it reports what it could not put.
        output_s3_configuration: OutputS3Configuration,
        /// When it began.
        start_time: Timestamp,
        /// When it ended.
        end_time: Timestamp,
        /// How many items were read, whatever became of them.
        processed_item_count: u64,
        /// How large the objects are that were read.
        processed_input_bytes: u64,
        /// How large all objects are.
        total_input_bytes: u64,
        /// How large the items and entries of indexes are that were written.
        bulk_operation_usage: Vec<BulkOperationUsage>,
        /// How many items could not be read, or not be taken by the table.
        failed_item_count: u64,
        /// Why it was given up, in a word.
        failure_code: String,
        /// Why it was given up.
        failure_message: String,
        /// How fast it may be.
        max_write_request_units: i64,
        /// How fast it is at AWS.
        performance_tier: BulkOperationPerformanceTier,
    }

    /// A table of a bulk operation.
    pub struct BulkOperationTableDetail {
        /// Its name or ARN.
        table_name: String,
        /// Its id.
        table_id: String,
    }

    /// How much a bulk operation has written to a table.
    pub struct BulkOperationUsage {
        /// The name or ARN of the table.
        table_name: String,
        /// All bytes but those of vector indexes.
        bulk_put_bytes: u64,
        /// Those of the table itself.
        table: BulkOperationBytes,
        /// Those of each local secondary index.
        local_secondary_indexes: BTreeMap<String, BulkOperationBytes>,
        /// Those of each global secondary index.
        global_secondary_indexes: BTreeMap<String, BulkOperationBytes>,
        /// Those of each vector index.
        vector_indexes: BTreeMap<String, BulkOperationVectorBytes>,
    }

    /// Bytes of a table or an index.
    pub struct BulkOperationBytes {
        /// How many.
        bulk_put_bytes: u64,
    }

    /// Bytes of a vector index.
    pub struct BulkOperationVectorBytes {
        /// How many.
        bulk_put_vector_bytes: u64,
    }

    /// A bulk operation in a list.
    pub struct BulkOperationSummary {
        /// Its ARN.
        bulk_operation_arn: String,
        /// How far it is.
        bulk_operation_status: BulkOperationStatus,
        /// When it began.
        start_time: Timestamp,
        /// When it ended.
        end_time: Timestamp,
    }
}
