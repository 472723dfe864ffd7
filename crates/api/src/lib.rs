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

mod batch_get_item;
mod batch_write_item;
mod billing;
mod capacity;
mod choice;
mod constraint;
mod create_table;
mod delete_item;
mod delete_table;
mod describe_endpoints;
mod describe_limits;
mod describe_table;
mod describe_time_to_live;
mod dynamo;
mod echo;
mod encryption;
mod error;
mod expression_values;
mod expressions;
mod get_item;
mod index_projection;
mod index_update;
mod item_collection;
mod item_rules;
mod key_schema;
mod legacy;
mod list_tables;
mod operation;
mod put_item;
mod query;
mod refused;
mod returns;
mod scan;
mod secondary_index;
mod select;
mod start_key;
mod stream;
mod structure;
mod table_description;
mod table_name;
mod tag;
mod timestamp;
mod transact_get_items;
mod transact_write_items;
mod update_item;
mod update_table;
mod update_time_to_live;
mod wording;

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
pub use capacity::{Capacity, ConsumedCapacity};
pub use choice::{Choice, Chosen};
pub use create_table::{CreateTableInput, CreateTableOutput, ValidCreateTable};
pub use delete_item::{DeleteItemInput, DeleteItemOutput, ValidDeleteItem};
pub use delete_table::{DeleteTableInput, DeleteTableOutput, ValidDeleteTable};
pub use describe_endpoints::{
    DescribeEndpointsInput, DescribeEndpointsOutput, Endpoint, ValidDescribeEndpoints,
};
pub use describe_limits::{DescribeLimitsInput, DescribeLimitsOutput, ValidDescribeLimits};
pub use describe_table::{DescribeTableInput, DescribeTableOutput, ValidDescribeTable};
pub use describe_time_to_live::{
    DescribeTimeToLiveInput, DescribeTimeToLiveOutput, TimeToLiveDescription, TimeToLiveStatus,
    ValidDescribeTimeToLive,
};
pub use dynamo::{BoxFuture, Dynamo};
pub use encryption::{SseDescription, SseSpecification, SseStatus, SseType};
pub use error::{CancellationCode, CancellationReason, Error};
pub use expression_values::ExpressionValues;
pub use expressions::ExpressionNames;
pub use get_item::{GetItemInput, GetItemOutput, ValidGetItem};
pub use index_projection::{IndexProjection, ProjectedAttributes, ProjectionType};
pub use index_update::{
    DeleteGlobalSecondaryIndexAction, GlobalSecondaryIndexUpdate, IndexUpdate,
    UpdateGlobalSecondaryIndexAction,
};
pub use item_collection::ItemCollectionMetrics;
pub use key_schema::{
    AttributeDefinition, KeyAttribute, KeyRole, KeySchemaElement, ScalarAttributeType,
    ValidKeySchema,
};
pub use legacy::{
    AttributeAction, AttributeCondition, AttributeConditions, AttributeUpdates,
    AttributeValueUpdate, ComparisonOperator, ConditionalOperator, ExpectedAttributeValue,
    ExpectedAttributes,
};
pub use list_tables::{ListTablesInput, ListTablesOutput, ValidListTables};
pub use operation::*;
pub use put_item::{PutItemInput, PutItemOutput, ValidPutItem};
pub use query::{FilterParameter, QueryInput, QueryOutput, ValidQuery};
pub use refused::RefusedParameter;
pub use returns::{
    ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValue,
    ReturnValuesOnConditionCheckFailure,
};
pub use scan::{ScanInput, ScanOutput, ScanSegment, ValidScan};
pub use secondary_index::{
    GlobalSecondaryIndex, LocalSecondaryIndex, ValidGlobalIndex, ValidLocalIndex,
};
pub use select::{Select, Selection};
pub use stream::{StreamChange, StreamSpecification, StreamViewType};
pub use table_description::{
    GlobalSecondaryIndexDescription, IndexStatus, IndexWarmThroughputDescription,
    LocalSecondaryIndexDescription, RestoreSummary, TableClass, TableClassSummary,
    TableDescription, TableStatus, TableWarmThroughputDescription,
};
pub use table_name::{IndexName, TableName};
pub use tag::Tag;
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
pub use update_item::{UpdateItemInput, UpdateItemOutput, ValidUpdateItem};
pub use update_table::{UpdateTableInput, UpdateTableOutput, ValidUpdateTable};
pub use update_time_to_live::{
    TimeToLiveSpecification, UpdateTimeToLiveInput, UpdateTimeToLiveOutput, ValidUpdateTimeToLive,
};
