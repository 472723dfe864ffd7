//! The table of operations. A new operation is one line here and one file beside `put_item.rs`.

use super::Operation;
use super::decode::decode;
use crate::dynamo::Dynamo;
use crate::json_writer::{JsonText, write_json};
use crate::{
    BatchExecuteStatementInput, BatchExecuteStatementOutput, BatchGetItemInput, BatchGetItemOutput,
    BatchWriteItemInput, BatchWriteItemOutput, CancelBulkOperationInput, CancelBulkOperationOutput,
    CreateBackupInput, CreateBackupOutput, CreateTableInput, CreateTableOutput, DeleteBackupInput,
    DeleteBackupOutput, DeleteItemInput, DeleteItemOutput, DeleteResourcePolicyInput,
    DeleteResourcePolicyOutput, DeleteTableInput, DeleteTableOutput, DescribeBackupInput,
    DescribeBackupOutput, DescribeBulkOperationInput, DescribeBulkOperationOutput,
    DescribeContinuousBackupsInput, DescribeContinuousBackupsOutput,
    DescribeContributorInsightsInput, DescribeContributorInsightsOutput, DescribeEndpointsInput,
    DescribeEndpointsOutput, DescribeExportInput, DescribeExportOutput, DescribeGlobalTableInput,
    DescribeGlobalTableOutput, DescribeGlobalTableSettingsInput, DescribeGlobalTableSettingsOutput,
    DescribeImportInput, DescribeImportOutput, DescribeKinesisStreamingDestinationInput,
    DescribeKinesisStreamingDestinationOutput, DescribeLimitsInput, DescribeLimitsOutput,
    DescribeStreamInput, DescribeStreamOutput, DescribeTableInput, DescribeTableOutput,
    DescribeTableReplicaAutoScalingInput, DescribeTableReplicaAutoScalingOutput,
    DescribeTimeToLiveInput, DescribeTimeToLiveOutput, Error, ExecuteStatementInput,
    ExecuteStatementOutput, ExecuteTransactionInput, ExecuteTransactionOutput,
    ExportTableToPointInTimeInput, ExportTableToPointInTimeOutput, GetItemInput, GetItemOutput,
    GetRecordsInput, GetRecordsOutput, GetResourcePolicyInput, GetResourcePolicyOutput,
    GetShardIteratorInput, GetShardIteratorOutput, ImportTableInput, ImportTableOutput,
    ListBackupsInput, ListBackupsOutput, ListBulkOperationsInput, ListBulkOperationsOutput,
    ListContributorInsightsInput, ListContributorInsightsOutput, ListExportsInput,
    ListExportsOutput, ListGlobalTablesInput, ListGlobalTablesOutput, ListImportsInput,
    ListImportsOutput, ListStreamsInput, ListStreamsOutput, ListTablesInput, ListTablesOutput,
    ListTagsOfResourceInput, ListTagsOfResourceOutput, PutItemInput, PutItemOutput,
    PutResourcePolicyInput, PutResourcePolicyOutput, QueryInput, QueryOutput,
    RestoreTableFromBackupInput, RestoreTableFromBackupOutput, RestoreTableToPointInTimeInput,
    RestoreTableToPointInTimeOutput, ScanInput, ScanOutput, SearchVectorsInput,
    SearchVectorsOutput, StartBulkPutItemsInput, StartBulkPutItemsOutput, TagResourceInput,
    TagResourceOutput, TransactGetItemsInput, TransactGetItemsOutput, TransactWriteItemsInput,
    TransactWriteItemsOutput, UntagResourceInput, UntagResourceOutput,
    UpdateContinuousBackupsInput, UpdateContinuousBackupsOutput, UpdateContributorInsightsInput,
    UpdateContributorInsightsOutput, UpdateItemInput, UpdateItemOutput, UpdateTableInput,
    UpdateTableOutput, UpdateTimeToLiveInput, UpdateTimeToLiveOutput, wording,
};
use monotable_item::limits::MAX_STRUCTURE_BYTES;
use monotable_item::read_within;
use std::fmt;
use std::io;

/// The version of the API that stands before the operation in `X-Amz-Target`.
const TARGET_PREFIX: &str = "DynamoDB_20120810.";
/// Streams are a service of their own, at the same address.
const STREAMS_PREFIX: &str = "DynamoDBStreams_20120810.";

/// Declares the operations and everything that is the same for each of them.
macro_rules! operations {
    ($( $(#[$meta:meta])* $operation:ident($input:ident) -> $output:ident, $method:ident; )*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug)]
            pub struct $operation;

            impl Operation for $operation {
                const NAME: OperationName = OperationName::$operation;
                type Input = $input;
                type Output = $output;
            }
        )*

        /// The name of an operation.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum OperationName { $( $(#[$meta])* $operation, )* }

        impl OperationName {
            /// All operations.
            pub const ALL: &'static [Self] = &[$( Self::$operation, )*];

            /// The name as AWS writes it.
            pub const fn as_str(self) -> &'static str {
                match self { $( Self::$operation => stringify!($operation), )* }
            }
        }

        /// A request of any operation.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Request { $( $(#[$meta])* $operation($input), )* }

        /// An answer of any operation.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Response { $( $(#[$meta])* $operation($output), )* }

        impl Request {
            /// The operation.
            pub const fn operation(&self) -> OperationName {
                match self { $( Self::$operation(_) => OperationName::$operation, )* }
            }

            /// Reads the body of a request.
            pub fn decode(operation: OperationName, body: &[u8]) -> Result<Self, Error> {
                read_within(MAX_STRUCTURE_BYTES, || match operation {
                    $( OperationName::$operation => decode(body).map(Self::$operation), )*
                })
            }

            /// Checks everything that can be judged without the tables, and keeps nothing of it.
            pub fn check(self) -> Result<(), Error> {
                match self { $( Self::$operation(input) => input.validate().map(drop), )* }
            }

            /// Writes the body of the request.
            pub fn write_json(&self, writer: impl io::Write) -> serde_json::Result<()> {
                match self {
                    $( Self::$operation(input) => serde_json::to_writer(writer, input), )*
                }
            }
        }

        impl Response {
            /// The operation.
            pub const fn operation(&self) -> OperationName {
                match self { $( Self::$operation(_) => OperationName::$operation, )* }
            }

            /// Reads the body of an answer.
            pub fn decode(operation: OperationName, body: &[u8]) -> Result<Self, Error> {
                match operation {
                    $( OperationName::$operation => decode(body).map(Self::$operation), )*
                }
            }

            /// Writes the body of the answer.
            pub fn write_json(&self, out: &mut JsonText) -> serde_json::Result<()> {
                match self {
                    $( Self::$operation(output) => write_json(out, output), )*
                }
            }
        }

        $(
            impl From<$input> for Request {
                fn from(input: $input) -> Self {
                    Self::$operation(input)
                }
            }

            impl From<$output> for Response {
                fn from(output: $output) -> Self {
                    Self::$operation(output)
                }
            }

            impl TryFrom<Response> for $output {
                type Error = Error;

                fn try_from(response: Response) -> Result<Self, Error> {
                    match response {
                        Response::$operation(output) => Ok(output),
                        other => Err(wrong_answer(OperationName::$operation, other.operation())),
                    }
                }
            }
        )*

        /// The operations as methods of anything that is a [`Dynamo`].
        pub trait DynamoExt: Dynamo {
            $(
                $(#[$meta])*
                fn $method(
                    &self,
                    input: $input,
                ) -> impl Future<Output = Result<$output, Error>> + Send {
                    let answer = self.call(Request::$operation(input));
                    async move { answer.await?.try_into() }
                }
            )*
        }

        impl<D: Dynamo + ?Sized> DynamoExt for D {}
    };
}

operations! {
    /// Carries out up to 25 PartiQL statements.
    BatchExecuteStatement(BatchExecuteStatementInput) -> BatchExecuteStatementOutput, batch_execute_statement;
    /// Reads up to a hundred items.
    BatchGetItem(BatchGetItemInput) -> BatchGetItemOutput, batch_get_item;
    /// Writes and removes up to 25 items.
    BatchWriteItem(BatchWriteItemInput) -> BatchWriteItemOutput, batch_write_item;
    /// Gives a bulk operation up.
    CancelBulkOperation(CancelBulkOperationInput) -> CancelBulkOperationOutput, cancel_bulk_operation;
    /// Keeps a table as it is.
    CreateBackup(CreateBackupInput) -> CreateBackupOutput, create_backup;
    /// Creates a table.
    CreateTable(CreateTableInput) -> CreateTableOutput, create_table;
    /// Removes a backup.
    DeleteBackup(DeleteBackupInput) -> DeleteBackupOutput, delete_backup;
    /// Removes an item.
    DeleteItem(DeleteItemInput) -> DeleteItemOutput, delete_item;
    /// Detaches the policy of a table.
    DeleteResourcePolicy(DeleteResourcePolicyInput) -> DeleteResourcePolicyOutput, delete_resource_policy;
    /// Removes a table.
    DeleteTable(DeleteTableInput) -> DeleteTableOutput, delete_table;
    /// Says whether there are contributor insights of a table.
    DescribeContributorInsights(DescribeContributorInsightsInput) -> DescribeContributorInsightsOutput, describe_contributor_insights;
    /// Says where the service is to be found.
    DescribeEndpoints(DescribeEndpointsInput) -> DescribeEndpointsOutput, describe_endpoints;
    /// Describes a table with replicas.
    DescribeGlobalTable(DescribeGlobalTableInput) -> DescribeGlobalTableOutput, describe_global_table;
    /// Describes the settings of replicas.
    DescribeGlobalTableSettings(DescribeGlobalTableSettingsInput) -> DescribeGlobalTableSettingsOutput, describe_global_table_settings;
    /// Says where changes of a table are copied to.
    DescribeKinesisStreamingDestination(DescribeKinesisStreamingDestinationInput) -> DescribeKinesisStreamingDestinationOutput, describe_kinesis_streaming_destination;
    /// Describes a backup.
    DescribeBackup(DescribeBackupInput) -> DescribeBackupOutput, describe_backup;
    /// Says how far a bulk operation is.
    DescribeBulkOperation(DescribeBulkOperationInput) -> DescribeBulkOperationOutput, describe_bulk_operation;
    /// Says to which points in time a table can be restored.
    DescribeContinuousBackups(DescribeContinuousBackupsInput) -> DescribeContinuousBackupsOutput, describe_continuous_backups;
    /// Says how far an export is.
    DescribeExport(DescribeExportInput) -> DescribeExportOutput, describe_export;
    /// Says how far an import is.
    DescribeImport(DescribeImportInput) -> DescribeImportOutput, describe_import;
    /// Says how many units an account may provision.
    DescribeLimits(DescribeLimitsInput) -> DescribeLimitsOutput, describe_limits;
    /// Describes a stream and its shards.
    DescribeStream(DescribeStreamInput) -> DescribeStreamOutput, describe_stream;
    /// Describes a table.
    DescribeTable(DescribeTableInput) -> DescribeTableOutput, describe_table;
    /// Says how replicas scale.
    DescribeTableReplicaAutoScaling(DescribeTableReplicaAutoScalingInput) -> DescribeTableReplicaAutoScalingOutput, describe_table_replica_auto_scaling;
    /// Says whether items of a table go by themselves.
    DescribeTimeToLive(DescribeTimeToLiveInput) -> DescribeTimeToLiveOutput, describe_time_to_live;
    /// Carries out a PartiQL statement.
    ExecuteStatement(ExecuteStatementInput) -> ExecuteStatementOutput, execute_statement;
    /// Carries out up to a hundred PartiQL statements, all or none.
    ExecuteTransaction(ExecuteTransactionInput) -> ExecuteTransactionOutput, execute_transaction;
    /// Writes a table as it was into a bucket.
    ExportTableToPointInTime(ExportTableToPointInTimeInput) -> ExportTableToPointInTimeOutput, export_table_to_point_in_time;
    /// Reads an item.
    GetItem(GetItemInput) -> GetItemOutput, get_item;
    /// Reads records of a shard of a stream.
    GetRecords(GetRecordsInput) -> GetRecordsOutput, get_records;
    /// Finds a place in a shard of a stream to read from.
    GetShardIterator(GetShardIteratorInput) -> GetShardIteratorOutput, get_shard_iterator;
    /// Makes a table of what is in a bucket.
    ImportTable(ImportTableInput) -> ImportTableOutput, import_table;
    /// Lists backups.
    ListBackups(ListBackupsInput) -> ListBackupsOutput, list_backups;
    /// Lists bulk operations.
    ListBulkOperations(ListBulkOperationsInput) -> ListBulkOperationsOutput, list_bulk_operations;
    /// Lists exports.
    ListExports(ListExportsInput) -> ListExportsOutput, list_exports;
    /// Lists imports.
    ListImports(ListImportsInput) -> ListImportsOutput, list_imports;
    /// Lists streams.
    ListStreams(ListStreamsInput) -> ListStreamsOutput, list_streams;
    /// Reads the policy of a table.
    GetResourcePolicy(GetResourcePolicyInput) -> GetResourcePolicyOutput, get_resource_policy;
    /// Lists contributor insights.
    ListContributorInsights(ListContributorInsightsInput) -> ListContributorInsightsOutput, list_contributor_insights;
    /// Lists tables with replicas.
    ListGlobalTables(ListGlobalTablesInput) -> ListGlobalTablesOutput, list_global_tables;
    /// Lists tables.
    ListTables(ListTablesInput) -> ListTablesOutput, list_tables;
    /// Lists the tags of a table.
    ListTagsOfResource(ListTagsOfResourceInput) -> ListTagsOfResourceOutput, list_tags_of_resource;
    /// Writes an item.
    PutItem(PutItemInput) -> PutItemOutput, put_item;
    /// Attaches a policy to a table.
    PutResourcePolicy(PutResourcePolicyInput) -> PutResourcePolicyOutput, put_resource_policy;
    /// Reads items of one partition.
    Query(QueryInput) -> QueryOutput, query;
    /// Makes a table of a backup.
    RestoreTableFromBackup(RestoreTableFromBackupInput) -> RestoreTableFromBackupOutput, restore_table_from_backup;
    /// Makes a table of what another one was.
    RestoreTableToPointInTime(RestoreTableToPointInTimeInput) -> RestoreTableToPointInTimeOutput, restore_table_to_point_in_time;
    /// Reads all items.
    Scan(ScanInput) -> ScanOutput, scan;
    /// Finds the items whose vectors are nearest to one.
    SearchVectors(SearchVectorsInput) -> SearchVectorsOutput, search_vectors;
    /// Puts what is in a bucket into a table.
    StartBulkPutItems(StartBulkPutItemsInput) -> StartBulkPutItemsOutput, start_bulk_put_items;
    /// Gives a table tags.
    TagResource(TagResourceInput) -> TagResourceOutput, tag_resource;
    /// Reads up to a hundred items at one point in time.
    TransactGetItems(TransactGetItemsInput) -> TransactGetItemsOutput, transact_get_items;
    /// Writes up to a hundred items, all or none.
    TransactWriteItems(TransactWriteItemsInput) -> TransactWriteItemsOutput, transact_write_items;
    /// Takes tags from a table.
    UntagResource(UntagResourceInput) -> UntagResourceOutput, untag_resource;
    /// Asks for contributor insights, or for none.
    UpdateContributorInsights(UpdateContributorInsightsInput) -> UpdateContributorInsightsOutput, update_contributor_insights;
    /// Says whether a table can be restored to any point of the last days.
    UpdateContinuousBackups(UpdateContinuousBackupsInput) -> UpdateContinuousBackupsOutput, update_continuous_backups;
    /// Changes an item.
    UpdateItem(UpdateItemInput) -> UpdateItemOutput, update_item;
    /// Changes a table.
    UpdateTable(UpdateTableInput) -> UpdateTableOutput, update_table;
    /// Says by which attribute items of a table go by themselves.
    UpdateTimeToLive(UpdateTimeToLiveInput) -> UpdateTimeToLiveOutput, update_time_to_live;
}

impl OperationName {
    /// The operation that a header `X-Amz-Target` asks for.
    pub fn from_target(target: &str) -> Result<Self, Error> {
        let given = [TARGET_PREFIX, STREAMS_PREFIX]
            .into_iter()
            .find_map(|prefix| Some((prefix, target.strip_prefix(prefix)?)));
        let Some((prefix, name)) = given else {
            return Err(unknown(wording::no_operation(target, TARGET_PREFIX)));
        };
        let operation: Self = name.parse()?;
        if operation.target_prefix() != prefix {
            let right = operation.target();
            return Err(unknown(wording::operation_of_other_service(target, &right)));
        }
        Ok(operation)
    }

    /// The header `X-Amz-Target` that asks for the operation.
    pub fn target(self) -> String {
        format!("{}{self}", self.target_prefix())
    }

    /// What stands before the operation in `X-Amz-Target`: the service that has it.
    const fn target_prefix(self) -> &'static str {
        match self {
            Self::DescribeStream
            | Self::GetRecords
            | Self::GetShardIterator
            | Self::ListStreams => STREAMS_PREFIX,
            _ => TARGET_PREFIX,
        }
    }
}

impl std::str::FromStr for OperationName {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Self::ALL
            .iter()
            .find(|operation| operation.as_str() == name);
        known.copied().ok_or_else(|| {
            let names: Vec<_> = Self::ALL.iter().map(|known| known.as_str()).collect();
            unknown(wording::unknown_operation(name, &names))
        })
    }
}

impl fmt::Display for OperationName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

const fn unknown(message: String) -> Error {
    Error::UnknownOperationException { message }
}

fn wrong_answer(asked: OperationName, answered: OperationName) -> Error {
    Error::internal(format_args!(
        "asked for {asked} and got the answer of {answered}"
    ))
}

impl Request {
    /// The body of the request.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let mut body = Vec::new();
        // A request can hold a value that no DynamoDB would take, and then has no JSON.
        self.write_json(&mut body).map_err(Error::validation)?;
        Ok(body)
    }
}

impl Response {
    /// Fills in what only the server knows that was asked: its address, host and port.
    pub fn answer_from(&mut self, host: &str) {
        if let Self::DescribeEndpoints(output) = self {
            output.answer_from(host);
        }
    }

    /// The body of the answer.
    pub fn encode(&self) -> Result<Vec<u8>, Error> {
        let mut body = JsonText::unbounded(Vec::new());
        self.write_json(&mut body).map_err(Error::internal)?;
        Ok(body.into_bytes())
    }
}
