//! The DynamoDB API: every operation's request, answer and checks, its JSON, and its errors.
//!
//! Layout:
//! - one file per operation, `put_item.rs` and so on: the request and the answer as they are on the
//!   wire ([`PutItemInput`], [`PutItemOutput`]), and what a request is once everything has been
//!   checked that can be judged without the table ([`ValidPutItem`], from
//!   [`PutItemInput::validate`]);
//! - [`Operation`], [`Request`], [`Response`]: all operations, from one table (`operation/table.rs`);
//! - [`Dynamo`]: what carries out requests, with [`DynamoExt`] for a method per operation;
//! - [`Error`]: DynamoDB's exceptions, a closed enum;
//! - `legacy`: the parameters from before expressions, which become what expressions become;
//! - `statement`: PartiQL statements of a request; `monotable_expr::partiql` parses them;
//! - `constraint.rs`, `echo.rs` and `wording.rs`: what AWS says about requests it refuses;
//! - the rest: structures that several operations share, named after what they are.
//!
//! Every member of a request may be absent, as on the wire; constructors and builder methods fill in
//! the usual ones. Items are read straight into their stored encoding and written straight from it.
//!
//! ```
//! use monotable_api::{OperationName, PutItemInput, Request};
//! use monotable_item::Item;
//!
//! // As a Rust program makes it:
//! let request = PutItemInput::new("Music", Item::new().with("pk", "SONG#1").with("Year", 1984))
//!     .condition("attribute_not_exists(pk) OR #y < :year")
//!     .name("#y", "Year")
//!     .value(":year", 1984);
//!
//! // As it comes over the wire:
//! let body = Request::from(request.clone()).encode()?;
//! assert_eq!(Request::decode(OperationName::PutItem, &body)?, Request::PutItem(request.clone()));
//!
//! // As the engine gets it:
//! let valid = request.validate()?;
//! assert_eq!(valid.table.as_str(), "Music");
//! assert!(valid.condition.is_some());
//!
//! // And as AWS refuses it:
//! let refused = PutItemInput::default().validate().unwrap_err();
//! assert_eq!(refused.code(), "ValidationException");
//! assert_eq!(
//!     refused.message(),
//!     "2 validation errors detected: \
//!      Value null at 'tableName' failed to satisfy constraint: Member must not be null; \
//!      Value null at 'item' failed to satisfy constraint: Member must not be null",
//! );
//! # Ok::<(), monotable_api::Error>(())
//! ```

mod backup_arn;
mod backup_description;
mod batch_execute_statement;
mod batch_get_item;
mod batch_write_item;
mod billing;
mod bounded;
mod bucket;
mod bulk_operation;
mod cancel_bulk_operation;
mod capacity;
mod choice;
mod constraint;
mod continuous_backups;
mod contributor_insights;
mod create_backup;
mod create_table;
mod delete_backup;
mod delete_item;
mod delete_resource_policy;
mod delete_table;
mod describe_backup;
mod describe_bulk_operation;
mod describe_continuous_backups;
mod describe_contributor_insights;
mod describe_endpoints;
mod describe_export;
mod describe_global_table;
mod describe_global_table_settings;
mod describe_import;
mod describe_kinesis_streaming_destination;
mod describe_limits;
mod describe_stream;
mod describe_table;
mod describe_table_replica_auto_scaling;
mod describe_time_to_live;
mod dynamo;
mod echo;
mod encryption;
mod error;
mod execute_statement;
mod execute_transaction;
mod export_description;
mod export_table_to_point_in_time;
mod expression_values;
mod expressions;
mod filter_specification;
mod get_item;
mod get_records;
mod get_resource_policy;
mod get_shard_iterator;
mod import_description;
mod import_table;
mod incremental_export;
mod index_projection;
mod index_update;
mod item_collection;
mod item_rules;
mod json_writer;
mod key_schema;
mod legacy;
mod list_backups;
mod list_bulk_operations;
mod list_contributor_insights;
mod list_exports;
mod list_global_tables;
mod list_imports;
mod list_streams;
mod list_tables;
mod list_tags_of_resource;
mod operation;
mod policy_resource;
mod put_item;
mod put_resource_policy;
mod query;
mod refused;
mod resource_arn;
mod restore_overrides;
mod restore_table_from_backup;
mod restore_table_to_point_in_time;
mod returns;
mod scan;
mod search_vectors;
mod secondary_index;
mod select;
mod start_bulk_put_items;
mod start_key;
mod statement;
mod stream;
mod stream_arn;
mod stream_description;
mod stream_record;
mod structure;
mod table_description;
mod table_name;
mod table_reference;
mod tag;
mod tag_resource;
mod timestamp;
mod transact_get_items;
mod transact_write_items;
mod transfer_arn;
mod untag_resource;
mod update_continuous_backups;
mod update_contributor_insights;
mod update_item;
mod update_table;
mod update_time_to_live;
mod vector_index;
mod wording;

pub use backup_arn::BackupArn;
pub use backup_description::{
    BackupDescription, BackupDetails, BackupStatus, BackupSummary, BackupType,
    GlobalSecondaryIndexInfo, LocalSecondaryIndexInfo, SourceTableDetails,
    SourceTableFeatureDetails,
};
pub use batch_execute_statement::{
    BatchExecuteStatementInput, BatchExecuteStatementOutput, BatchStatement, BatchStatementError,
    BatchStatementErrorCode, BatchStatementRequest, BatchStatementResponse,
    ValidBatchExecuteStatement,
};
pub use batch_get_item::{
    BatchGetItemInput, BatchGetItemOutput, BatchGetTable, KeysAndAttributes, ValidBatchGetItem,
};
pub use batch_write_item::{
    BatchWrite, BatchWriteItemInput, BatchWriteItemOutput, BatchWriteTable, DeleteRequest,
    PutRequest, ValidBatchWriteItem, WriteRequest,
};
pub use billing::{
    Billing, BillingMode, BillingModeSummary, OnDemandThroughput, ProvisionedThroughput,
    ProvisionedThroughputDescription, Throughput, WarmThroughput,
};
pub use bucket::S3BucketSource;
pub use bulk_operation::{
    BulkOperationBytes, BulkOperationDescription, BulkOperationInputFormat,
    BulkOperationPerformanceTier, BulkOperationStatus, BulkOperationSummary,
    BulkOperationTableDetail, BulkOperationUsage, BulkOperationVectorBytes, InputS3Configuration,
    OutputS3Configuration, OutputTypeEnum,
};
pub use cancel_bulk_operation::{
    CancelBulkOperationInput, CancelBulkOperationOutput, ValidCancelBulkOperation,
};
pub use capacity::{Capacity, ConsumedCapacity, VectorCapacity};
pub use choice::{Choice, Chosen};
pub use continuous_backups::{
    ContinuousBackupsDescription, ContinuousBackupsStatus, PointInTimeRecoveryDescription,
    PointInTimeRecoveryStatus,
};
pub use contributor_insights::{
    ContributorInsightsAction, ContributorInsightsMode, ContributorInsightsStatus,
};
pub use create_backup::{CreateBackupInput, CreateBackupOutput, ValidCreateBackup};
pub use create_table::{CreateTableInput, CreateTableOutput, ValidCreateTable};
pub use delete_backup::{DeleteBackupInput, DeleteBackupOutput, ValidDeleteBackup};
pub use delete_item::{DeleteItemInput, DeleteItemOutput, ValidDeleteItem};
pub use delete_resource_policy::{
    DeleteResourcePolicyInput, DeleteResourcePolicyOutput, ValidDeleteResourcePolicy,
};
pub use delete_table::{DeleteTableInput, DeleteTableOutput, ValidDeleteTable};
pub use describe_backup::{DescribeBackupInput, DescribeBackupOutput, ValidDescribeBackup};
pub use describe_bulk_operation::{
    DescribeBulkOperationInput, DescribeBulkOperationOutput, ValidDescribeBulkOperation,
};
pub use describe_continuous_backups::{
    DescribeContinuousBackupsInput, DescribeContinuousBackupsOutput, ValidDescribeContinuousBackups,
};
pub use describe_contributor_insights::{
    DescribeContributorInsightsInput, DescribeContributorInsightsOutput, FailureException,
    ValidDescribeContributorInsights,
};
pub use describe_endpoints::{
    DescribeEndpointsInput, DescribeEndpointsOutput, Endpoint, ValidDescribeEndpoints,
};
pub use describe_export::{DescribeExportInput, DescribeExportOutput, ValidDescribeExport};
pub use describe_global_table::{
    DescribeGlobalTableInput, DescribeGlobalTableOutput, ValidDescribeGlobalTable,
};
pub use describe_global_table_settings::{
    DescribeGlobalTableSettingsInput, DescribeGlobalTableSettingsOutput,
    ValidDescribeGlobalTableSettings,
};
pub use describe_import::{DescribeImportInput, DescribeImportOutput, ValidDescribeImport};
pub use describe_kinesis_streaming_destination::{
    DescribeKinesisStreamingDestinationInput, DescribeKinesisStreamingDestinationOutput,
    KinesisDataStreamDestination, ValidDescribeKinesisStreamingDestination,
};
pub use describe_limits::{DescribeLimitsInput, DescribeLimitsOutput, ValidDescribeLimits};
pub use describe_stream::{
    DescribeStreamInput, DescribeStreamOutput, ShardFilter, ShardFilterType, ValidDescribeStream,
};
pub use describe_table::{DescribeTableInput, DescribeTableOutput, ValidDescribeTable};
pub use describe_table_replica_auto_scaling::{
    DescribeTableReplicaAutoScalingInput, DescribeTableReplicaAutoScalingOutput,
    ValidDescribeTableReplicaAutoScaling,
};
pub use describe_time_to_live::{
    DescribeTimeToLiveInput, DescribeTimeToLiveOutput, TimeToLiveDescription, TimeToLiveStatus,
    ValidDescribeTimeToLive,
};
pub use dynamo::{BoxFuture, Dynamo};
pub use encryption::{SseDescription, SseSpecification, SseStatus, SseType};
pub use error::{CancellationCode, CancellationReason, Error};
pub use execute_statement::{ExecuteStatementInput, ExecuteStatementOutput, ValidExecuteStatement};
pub use execute_transaction::{
    ExecuteTransactionInput, ExecuteTransactionOutput, ParameterizedStatement,
    ValidExecuteTransaction,
};
pub use export_description::{
    ExportDescription, ExportFormat, ExportStatus, ExportSummary, ExportType, S3SseAlgorithm,
};
pub use export_table_to_point_in_time::{
    ExportTableToPointInTimeInput, ExportTableToPointInTimeOutput, ValidExportTableToPointInTime,
};
pub use expression_values::ExpressionValues;
pub use expressions::ExpressionNames;
pub use filter_specification::{FilterSpecification, ValidFilterSpecification};
pub use get_item::{GetItemInput, GetItemOutput, ValidGetItem};
pub use get_records::{GetRecordsInput, GetRecordsOutput, ValidGetRecords};
pub use get_resource_policy::{
    GetResourcePolicyInput, GetResourcePolicyOutput, ValidGetResourcePolicy,
};
pub use get_shard_iterator::{
    GetShardIteratorInput, GetShardIteratorOutput, ShardIteratorType, ShardPosition,
    ValidGetShardIterator,
};
pub use import_description::{
    CsvOptions, ImportStatus, ImportSummary, ImportTableDescription, InputCompressionType,
    InputFormat, InputFormatOptions, TableCreationParameters,
};
pub use import_table::{ImportFormat, ImportTableInput, ImportTableOutput, ValidImportTable};
pub use incremental_export::{ExportPeriod, ExportViewType, IncrementalExportSpecification};
pub use index_projection::{IndexProjection, ProjectedAttributes, ProjectionType};
pub use index_update::{
    DeleteGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate, IndexUpdate,
    UpdateGlobalSecondaryIndexAction,
};
pub use item_collection::ItemCollectionMetrics;
pub use json_writer::JsonText;
pub use key_schema::{
    AttributeDefinition, KeyAttribute, KeyRole, KeySchemaElement, ScalarAttributeType,
    ValidKeySchema,
};
pub use legacy::{
    AttributeAction, AttributeCondition, AttributeConditions, AttributeUpdates,
    AttributeValueUpdate, ComparisonOperator, ConditionalOperator, ExpectedAttributeValue,
    ExpectedAttributes,
};
pub use list_backups::{BackupTypeFilter, ListBackupsInput, ListBackupsOutput, ValidListBackups};
pub use list_bulk_operations::{
    ListBulkOperationsInput, ListBulkOperationsOutput, ValidListBulkOperations,
};
pub use list_contributor_insights::{
    ContributorInsightsSummary, ListContributorInsightsInput, ListContributorInsightsOutput,
    ValidListContributorInsights,
};
pub use list_exports::{ListExportsInput, ListExportsOutput, ValidListExports};
pub use list_global_tables::{
    GlobalTable, ListGlobalTablesInput, ListGlobalTablesOutput, Replica, ValidListGlobalTables,
};
pub use list_imports::{ListImportsInput, ListImportsOutput, ValidListImports};
pub use list_streams::{ListStreamsInput, ListStreamsOutput, ValidListStreams};
pub use list_tables::{ListTablesInput, ListTablesOutput, ValidListTables};
pub use list_tags_of_resource::{
    ListTagsOfResourceInput, ListTagsOfResourceOutput, ValidListTagsOfResource,
};
pub use operation::*;
pub use policy_resource::PolicyResource;
pub use put_item::{PutItemInput, PutItemOutput, ValidPutItem};
pub use put_resource_policy::{
    ExpectedRevision, PutResourcePolicyInput, PutResourcePolicyOutput, ValidPutResourcePolicy,
};
pub use query::{FilterParameter, QueryInput, QueryOutput, ValidQuery};
pub use refused::RefusedParameter;
pub use resource_arn::ResourceArn;
pub use restore_overrides::{RestoredIndex, ValidRestoreOverrides};
pub use restore_table_from_backup::{
    RestoreTableFromBackupInput, RestoreTableFromBackupOutput, ValidRestoreTableFromBackup,
};
pub use restore_table_to_point_in_time::{
    RestorePoint, RestoreTableToPointInTimeInput, RestoreTableToPointInTimeOutput,
    ValidRestoreTableToPointInTime,
};
pub use returns::{
    ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValue,
    ReturnValuesOnConditionCheckFailure,
};
pub use scan::{ScanInput, ScanOutput, ScanSegment, ValidScan};
pub use search_vectors::{
    SearchEquality, SearchResultItem, SearchVectorsInput, SearchVectorsOutput, ValidSearchVectors,
};
pub use secondary_index::{
    GlobalSecondaryIndex, LocalSecondaryIndex, ValidGlobalIndex, ValidLocalIndex,
};
pub use select::{Select, Selection};
pub use start_bulk_put_items::{
    StartBulkPutItemsInput, StartBulkPutItemsOutput, ValidStartBulkPutItems,
};
pub use statement::PreparedStatement;
pub use stream::{StreamChange, StreamSpecification, StreamViewType};
pub use stream_arn::StreamArn;
pub use stream_description::{SequenceNumberRange, Shard, Stream, StreamDescription, StreamStatus};
pub use stream_record::{Identity, OperationType, Record, StreamRecord};
pub use table_description::{
    GlobalSecondaryIndexDescription, IndexStatus, IndexWarmThroughputDescription,
    LocalSecondaryIndexDescription, RestoreSummary, TableClass, TableClassSummary,
    TableDescription, TableStatus, TableWarmThroughputDescription,
};
pub use table_name::{IndexName, TableName};
pub use table_reference::{TableMember, TableReference, TableReferences};
pub use tag::Tag;
pub use tag_resource::{TagResourceInput, TagResourceOutput, ValidTagResource};
pub use timestamp::Timestamp;
pub use transact_get_items::{
    Get, ItemResponse, TransactGet, TransactGetItem, TransactGetItemsInput, TransactGetItemsOutput,
    ValidTransactGetItems,
};
pub use transact_write_items::{
    TransactAction, TransactConditionCheck, TransactDelete, TransactPut, TransactUpdate,
    TransactWrite, TransactWriteItem, TransactWriteItemsInput, TransactWriteItemsOutput,
    ValidTransactWriteItems,
};
pub use transfer_arn::TransferArn;
pub use untag_resource::{UntagResourceInput, UntagResourceOutput, ValidUntagResource};
pub use update_continuous_backups::{
    PointInTimeRecoverySpecification, RecoveryChange, UpdateContinuousBackupsInput,
    UpdateContinuousBackupsOutput, ValidUpdateContinuousBackups,
};
pub use update_contributor_insights::{
    UpdateContributorInsightsInput, UpdateContributorInsightsOutput, ValidUpdateContributorInsights,
};
pub use update_item::{UpdateItemInput, UpdateItemOutput, ValidUpdateItem};
pub use update_table::{UpdateTableInput, UpdateTableOutput, ValidUpdateTable};
pub use update_time_to_live::{
    TimeToLiveSpecification, UpdateTimeToLiveInput, UpdateTimeToLiveOutput, ValidUpdateTimeToLive,
};
pub use vector_index::{
    DeleteVectorIndexAction, SearchSchemaElement, SearchSchemaElementType, ValidVectorIndex,
    VectorAttributeDefinition, VectorDistanceFunction, VectorIndex, VectorIndexChange,
    VectorIndexDescription, VectorIndexUpdate,
};
