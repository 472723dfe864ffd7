//! Every operation as a method of [`Engine`], and all of them through [`Dynamo`].

use crate::engine::Engine;
use crate::ops::Execute;
use monotable_api::{
    BatchExecuteStatement, BatchGetItem, BatchWriteItem, BoxFuture, CancelBulkOperation,
    CreateBackup, CreateTable, DeleteBackup, DeleteItem, DeleteResourcePolicy, DeleteTable,
    DescribeBackup, DescribeBulkOperation, DescribeContinuousBackups, DescribeContributorInsights,
    DescribeEndpoints, DescribeExport, DescribeGlobalTable, DescribeGlobalTableSettings,
    DescribeImport, DescribeKinesisStreamingDestination, DescribeLimits, DescribeStream,
    DescribeTable, DescribeTableReplicaAutoScaling, DescribeTimeToLive, Dynamo, Error,
    ExecuteStatement, ExecuteTransaction, ExportTableToPointInTime, GetItem, GetRecords,
    GetResourcePolicy, GetShardIterator, ImportTable, ListBackups, ListBulkOperations,
    ListContributorInsights, ListExports, ListGlobalTables, ListImports, ListStreams, ListTables,
    ListTagsOfResource, Operation, PutItem, PutResourcePolicy, Query, Request, Response,
    RestoreTableFromBackup, RestoreTableToPointInTime, Scan, SearchVectors, StartBulkPutItems,
    TagResource, TransactGetItems, TransactWriteItems, UntagResource, UpdateContinuousBackups,
    UpdateContributorInsights, UpdateItem, UpdateTable, UpdateTimeToLive,
};

impl Engine {
    fn run<O: Execute<Output: Send + 'static>>(&self, input: O::Input) -> Result<O::Output, Error> {
        self.core().scope.check::<O>(&input)?;
        O::start(self.core(), input)?.wait()
    }

    async fn answer<O>(&self, input: O::Input) -> Result<Response, Error>
    where
        O: Execute<Output: Send + Into<Response> + 'static>,
    {
        self.core().scope.check::<O>(&input)?;
        // Started outside of the await: nothing borrowed is held across it.
        let step = O::start(self.core(), input)?;
        step.resolve(&self.core().pool).await.map(Into::into)
    }
}

/// A blocking method for each operation, and one arm of `call`. The match is exhaustive: an operation
/// of the table that is missing here does not compile.
macro_rules! operations {
    ($( $(#[$meta:meta])* $operation:ident, $method:ident; )*) => {
        impl Engine {
            $(
                $(#[$meta])*
                pub fn $method(
                    &self,
                    input: <$operation as Operation>::Input,
                ) -> Result<<$operation as Operation>::Output, Error> {
                    self.run::<$operation>(input)
                }
            )*
        }

        impl Dynamo for Engine {
            fn call(&self, request: Request) -> BoxFuture<'_, Result<Response, Error>> {
                match request {
                    $( Request::$operation(input) => Box::pin(self.answer::<$operation>(input)), )*
                }
            }
        }
    };
}

operations! {
    /// Carries out up to 25 PartiQL statements.
    BatchExecuteStatement, batch_execute_statement;
    /// Reads up to a hundred items.
    BatchGetItem, batch_get_item;
    /// Puts and deletes up to 25 items.
    BatchWriteItem, batch_write_item;
    /// Gives a bulk operation up.
    CancelBulkOperation, cancel_bulk_operation;
    /// Keeps a table as it is.
    CreateBackup, create_backup;
    /// Creates a table.
    CreateTable, create_table;
    /// Removes a backup.
    DeleteBackup, delete_backup;
    /// Deletes an item.
    DeleteItem, delete_item;
    /// Detaches the policy of a table.
    DeleteResourcePolicy, delete_resource_policy;
    /// Says how far a bulk operation is.
    DescribeBulkOperation, describe_bulk_operation;
    /// Lists bulk operations.
    ListBulkOperations, list_bulk_operations;
    /// Finds the items whose vectors are nearest to one.
    SearchVectors, search_vectors;
    /// Puts what is in a bucket into a table.
    StartBulkPutItems, start_bulk_put_items;
    /// Deletes a table.
    DeleteTable, delete_table;
    /// Says whether there are contributor insights of a table.
    DescribeContributorInsights, describe_contributor_insights;
    /// Says where the service is.
    DescribeEndpoints, describe_endpoints;
    /// Describes a table with replicas.
    DescribeGlobalTable, describe_global_table;
    /// Describes the settings of replicas.
    DescribeGlobalTableSettings, describe_global_table_settings;
    /// Says where changes of a table are copied to.
    DescribeKinesisStreamingDestination, describe_kinesis_streaming_destination;
    /// Describes a backup.
    DescribeBackup, describe_backup;
    /// Says to which points in time a table can be restored.
    DescribeContinuousBackups, describe_continuous_backups;
    /// Says how far an export is.
    DescribeExport, describe_export;
    /// Says how far an import is.
    DescribeImport, describe_import;
    /// Says how many units an account may provision.
    DescribeLimits, describe_limits;
    /// Describes a stream and its shards.
    DescribeStream, describe_stream;
    /// Describes a table.
    DescribeTable, describe_table;
    /// Says how replicas scale.
    DescribeTableReplicaAutoScaling, describe_table_replica_auto_scaling;
    /// Says whether items of a table go by themselves.
    DescribeTimeToLive, describe_time_to_live;
    /// Carries out a PartiQL statement.
    ExecuteStatement, execute_statement;
    /// Carries out up to a hundred PartiQL statements, all or none.
    ExecuteTransaction, execute_transaction;
    /// Writes a table as it was into a bucket.
    ExportTableToPointInTime, export_table_to_point_in_time;
    /// Reads an item.
    GetItem, get_item;
    /// Reads records of a shard of a stream.
    GetRecords, get_records;
    /// Finds a place in a shard of a stream to read from.
    GetShardIterator, get_shard_iterator;
    /// Makes a table of what is in a bucket.
    ImportTable, import_table;
    /// Lists backups.
    ListBackups, list_backups;
    /// Lists exports.
    ListExports, list_exports;
    /// Lists imports.
    ListImports, list_imports;
    /// Lists streams.
    ListStreams, list_streams;
    /// Reads the policy of a table.
    GetResourcePolicy, get_resource_policy;
    /// Lists contributor insights.
    ListContributorInsights, list_contributor_insights;
    /// Lists tables with replicas.
    ListGlobalTables, list_global_tables;
    /// Lists tables.
    ListTables, list_tables;
    /// Lists the tags of a table.
    ListTagsOfResource, list_tags_of_resource;
    /// Puts an item.
    PutItem, put_item;
    /// Attaches a policy to a table.
    PutResourcePolicy, put_resource_policy;
    /// Reads items of one partition.
    Query, query;
    /// Makes a table of a backup.
    RestoreTableFromBackup, restore_table_from_backup;
    /// Makes a table of what another one was.
    RestoreTableToPointInTime, restore_table_to_point_in_time;
    /// Reads all items.
    Scan, scan;
    /// Gives a table tags.
    TagResource, tag_resource;
    /// Reads up to a hundred items at one point in time.
    TransactGetItems, transact_get_items;
    /// Writes up to a hundred items, all or none.
    TransactWriteItems, transact_write_items;
    /// Takes tags from a table.
    UntagResource, untag_resource;
    /// Asks for contributor insights, or for none.
    UpdateContributorInsights, update_contributor_insights;
    /// Says whether a table can be restored to any point of the last days.
    UpdateContinuousBackups, update_continuous_backups;
    /// Changes an item.
    UpdateItem, update_item;
    /// Changes a table.
    UpdateTable, update_table;
    /// Says by which attribute items of a table go by themselves.
    UpdateTimeToLive, update_time_to_live;
}
