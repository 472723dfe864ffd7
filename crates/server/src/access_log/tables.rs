//! The tables that a request names.

use monotable_api::{Request, TableName, TransactWriteItem};
use monotable_policy::Demand;
use std::collections::BTreeSet;

/// What stands before the name of a table in the ARN of its stream or backup.
const IN_ARN: &str = ":table/";

/// The tables that a request names, in their order and each once. Text that is no name of a table is left out.
pub(crate) fn name_tables(request: &Request) -> Vec<String> {
    let given = find_names(request);
    let names: BTreeSet<String> = given.into_iter().filter_map(parse).collect();
    names.into_iter().collect()
}

/// A name, or one that stands in an ARN.
fn parse(given: String) -> Option<String> {
    let in_arn = given.split_once(IN_ARN).map(|(_, path)| path);
    let name = in_arn.and_then(|path| path.split('/').next());
    let parsed = TableName::parse(name.unwrap_or(&given)).ok()?;
    Some(parsed.as_str().to_owned())
}

fn find_names(request: &Request) -> Vec<String> {
    /// The member of each request that names its table.
    macro_rules! named {
        ($($operation:ident $member:ident),* $(,)?) => {
            match request {
                $(Request::$operation(input) => input.$member.iter().cloned().collect(),)*
                other => find_several(other),
            }
        };
    }
    named!(
        CancelBulkOperation bulk_operation_arn,
        CreateBackup table_name,
        CreateTable table_name,
        DeleteBackup backup_arn,
        DeleteItem table_name,
        DeleteResourcePolicy resource_arn,
        DeleteTable table_name,
        DescribeBackup backup_arn,
        DescribeBulkOperation bulk_operation_arn,
        DescribeContinuousBackups table_name,
        DescribeContributorInsights table_name,
        DescribeExport export_arn,
        DescribeImport import_arn,
        DescribeKinesisStreamingDestination table_name,
        DescribeStream stream_arn,
        DescribeTable table_name,
        DescribeTableReplicaAutoScaling table_name,
        DescribeTimeToLive table_name,
        ExportTableToPointInTime table_arn,
        GetItem table_name,
        GetResourcePolicy resource_arn,
        GetShardIterator stream_arn,
        ListBackups table_name,
        ListContributorInsights table_name,
        ListExports table_arn,
        ListImports table_arn,
        ListStreams table_name,
        ListTagsOfResource resource_arn,
        PutItem table_name,
        PutResourcePolicy resource_arn,
        Query table_name,
        RestoreTableFromBackup target_table_name,
        RestoreTableToPointInTime target_table_name,
        Scan table_name,
        SearchVectors table_name,
        StartBulkPutItems table_name,
        TagResource resource_arn,
        UntagResource resource_arn,
        UpdateContinuousBackups table_name,
        UpdateContributorInsights table_name,
        UpdateItem table_name,
        UpdateTable table_name,
        UpdateTimeToLive table_name,
    )
}

fn find_several(request: &Request) -> Vec<String> {
    match request {
        Request::BatchGetItem(input) => {
            let tables = input.request_items.iter().flat_map(|tables| tables.keys());
            tables.cloned().collect()
        }
        Request::BatchWriteItem(input) => {
            let tables = input.request_items.iter().flat_map(|tables| tables.keys());
            tables.cloned().collect()
        }
        Request::TransactGetItems(input) => {
            let reads = input.transact_items.iter().flatten();
            let reads = reads.filter_map(|item| item.get.as_ref()?.table_name.clone());
            reads.collect()
        }
        Request::TransactWriteItems(input) => {
            let actions = input.transact_items.iter().flatten();
            actions.filter_map(name_table).collect()
        }
        Request::ImportTable(input) => {
            let parameters = input.table_creation_parameters.iter();
            parameters
                .filter_map(|table| table.table_name.clone())
                .collect()
        }
        Request::ExecuteStatement(_)
        | Request::BatchExecuteStatement(_)
        | Request::ExecuteTransaction(_) => Demand::new(request).map_or_else(
            |_| Vec::new(),
            |demand| demand.tables().into_iter().map(str::to_owned).collect(),
        ),
        _ => Vec::new(),
    }
}

fn name_table(action: &TransactWriteItem) -> Option<String> {
    let check = action.condition_check.as_ref();
    let check = check.and_then(|check| check.table_name.as_ref());
    let put = action.put.as_ref().and_then(|put| put.table_name.as_ref());
    let delete = action.delete.as_ref();
    let delete = delete.and_then(|delete| delete.table_name.as_ref());
    let update = action.update.as_ref();
    let update = update.and_then(|update| update.table_name.as_ref());
    check.or(put).or(delete).or(update).cloned()
}
