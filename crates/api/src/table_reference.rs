//! Tables as requests give them: by name, or by an ARN that says whose table it is, and where.

use crate::{
    BatchExecuteStatementInput, BatchGetItemInput, BatchWriteItemInput, CancelBulkOperationInput,
    CreateBackupInput, CreateTableInput, DeleteBackupInput, DeleteItemInput,
    DeleteResourcePolicyInput, DeleteTableInput, DescribeBackupInput, DescribeBulkOperationInput,
    DescribeContinuousBackupsInput, DescribeContributorInsightsInput, DescribeEndpointsInput,
    DescribeExportInput, DescribeGlobalTableInput, DescribeGlobalTableSettingsInput,
    DescribeImportInput, DescribeKinesisStreamingDestinationInput, DescribeLimitsInput,
    DescribeStreamInput, DescribeTableInput, DescribeTableReplicaAutoScalingInput,
    DescribeTimeToLiveInput, ExecuteStatementInput, ExecuteTransactionInput,
    ExportTableToPointInTimeInput, GetItemInput, GetRecordsInput, GetResourcePolicyInput,
    GetShardIteratorInput, ImportTableInput, ListBackupsInput, ListBulkOperationsInput,
    ListContributorInsightsInput, ListExportsInput, ListGlobalTablesInput, ListImportsInput,
    ListStreamsInput, ListTablesInput, ListTagsOfResourceInput, PutItemInput,
    PutResourcePolicyInput, QueryInput, RestoreTableFromBackupInput,
    RestoreTableToPointInTimeInput, ScanInput, SearchVectorsInput, StartBulkPutItemsInput,
    TagResourceInput, TransactGetItemsInput, TransactWriteItemsInput, UntagResourceInput,
    UpdateContinuousBackupsInput, UpdateContributorInsightsInput, UpdateItemInput,
    UpdateTableInput, UpdateTimeToLiveInput,
};

/// A table that a request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableReference<'a> {
    /// What the request gave: a name or an ARN.
    pub given: &'a str,
    /// What AWS calls the access to the table; the operation's own name without.
    pub action: Option<&'static str>,
    /// The member that the table stands in. AWS has other words for a foreign table in each.
    pub member: TableMember,
}

/// The members in which requests name tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableMember {
    /// `TableName`, and the names of tables in batches.
    TableName,
    /// `ResourceArn` of tags.
    TaggedResource,
    /// `ResourceArn` of policies.
    PolicyResource,
    /// `TableArn` of exports.
    ExportedTable,
    /// `SourceTableArn` of a restore.
    RestoredTable,
}

/// A request that may name tables.
pub trait TableReferences {
    /// Calls `visit` for each table that the request names. A table that does not exist yet is none.
    fn for_each_table<'a>(&'a self, visit: &mut dyn FnMut(TableReference<'a>));
}

/// Requests that name at most one table, in one member.
macro_rules! in_member {
    ($kind:ident, $member:ident: $($input:ident)*) => {$(
        impl TableReferences for $input {
            fn for_each_table<'a>(&'a self, visit: &mut dyn FnMut(TableReference<'a>)) {
                if let Some(given) = &self.$member {
                    visit(TableReference {
                        given,
                        action: None,
                        member: TableMember::$kind,
                    });
                }
            }
        }
    )*};
}

/// Requests that name no table, or one that does not exist yet, or none by an ARN, and those that list what belongs to
/// a table: of a foreign one they list nothing.
macro_rules! nowhere {
    ($($input:ident)*) => {$(
        impl TableReferences for $input {
            fn for_each_table<'a>(&'a self, _: &mut dyn FnMut(TableReference<'a>)) {}
        }
    )*};
}

in_member! { TableName, table_name:
    CreateBackupInput DeleteItemInput DeleteTableInput DescribeContinuousBackupsInput DescribeContributorInsightsInput
    DescribeKinesisStreamingDestinationInput DescribeTableInput DescribeTableReplicaAutoScalingInput
    DescribeTimeToLiveInput GetItemInput ListBackupsInput ListContributorInsightsInput ListStreamsInput PutItemInput
    QueryInput ScanInput SearchVectorsInput StartBulkPutItemsInput UpdateContinuousBackupsInput UpdateContributorInsightsInput
    UpdateItemInput UpdateTableInput UpdateTimeToLiveInput
}

in_member! { TaggedResource, resource_arn: ListTagsOfResourceInput TagResourceInput UntagResourceInput }

in_member! { PolicyResource, resource_arn: DeleteResourcePolicyInput GetResourcePolicyInput PutResourcePolicyInput }

in_member! { ExportedTable, table_arn: ExportTableToPointInTimeInput }

in_member! { RestoredTable, source_table_arn: RestoreTableToPointInTimeInput }

nowhere! {
    BatchExecuteStatementInput CancelBulkOperationInput CreateTableInput DeleteBackupInput DescribeBackupInput
    DescribeBulkOperationInput DescribeEndpointsInput ListBulkOperationsInput
    DescribeExportInput DescribeGlobalTableInput DescribeGlobalTableSettingsInput DescribeImportInput
    DescribeLimitsInput DescribeStreamInput ExecuteStatementInput ExecuteTransactionInput GetRecordsInput
    GetShardIteratorInput ImportTableInput ListExportsInput ListGlobalTablesInput ListImportsInput ListTablesInput
    RestoreTableFromBackupInput
}

impl TableReferences for BatchGetItemInput {
    fn for_each_table<'a>(&'a self, visit: &mut dyn FnMut(TableReference<'a>)) {
        let tables = self.request_items.iter().flat_map(|tables| tables.keys());
        tables.for_each(|given| visit(by_name(given, None)));
    }
}

impl TableReferences for BatchWriteItemInput {
    fn for_each_table<'a>(&'a self, visit: &mut dyn FnMut(TableReference<'a>)) {
        let tables = self.request_items.iter().flat_map(|tables| tables.keys());
        tables.for_each(|given| visit(by_name(given, None)));
    }
}

impl TableReferences for TransactGetItemsInput {
    fn for_each_table<'a>(&'a self, visit: &mut dyn FnMut(TableReference<'a>)) {
        let reads = self.transact_items.iter().flatten();
        let reads = reads.filter_map(|item| item.get.as_ref());
        for given in reads.filter_map(|read| read.table_name.as_ref()) {
            visit(by_name(given, Some("GetItem")));
        }
    }
}

impl TableReferences for TransactWriteItemsInput {
    fn for_each_table<'a>(&'a self, visit: &mut dyn FnMut(TableReference<'a>)) {
        for item in self.transact_items.iter().flatten() {
            let check = item.condition_check.as_ref();
            let tables = [
                (check.map(|check| &check.table_name), "ConditionCheckItem"),
                (item.put.as_ref().map(|put| &put.table_name), "PutItem"),
                (
                    item.delete.as_ref().map(|delete| &delete.table_name),
                    "DeleteItem",
                ),
                (
                    item.update.as_ref().map(|update| &update.table_name),
                    "UpdateItem",
                ),
            ];
            for (given, action) in tables {
                if let Some(Some(given)) = given {
                    visit(by_name(given, Some(action)));
                }
            }
        }
    }
}

const fn by_name<'a>(given: &'a str, action: Option<&'static str>) -> TableReference<'a> {
    TableReference {
        given,
        action,
        member: TableMember::TableName,
    }
}
