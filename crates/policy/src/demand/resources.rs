//! The operations that are an action on a resource and nothing else.

use crate::scope::Resource;
use monotable_api::{Error, PolicyResource, Request, StreamArn, TableName};

/// An action on a resource.
#[derive(Clone, Debug)]
pub(super) struct ResourceAccess {
    pub(super) action: &'static str,
    pub(super) resource: Resource,
}

/// What AWS asks for on a table that is restored, beside the restoring itself.
const OF_RESTORED_TABLES: [&str; 7] = [
    "BatchWriteItem",
    "DeleteItem",
    "GetItem",
    "PutItem",
    "Query",
    "Scan",
    "UpdateItem",
];

pub(super) fn accesses(request: &Request) -> Result<Vec<ResourceAccess>, Error> {
    let action = request.operation().as_str();
    let on = |resource| ResourceAccess { action, resource };
    Ok(match request {
        Request::RestoreTableFromBackup(input) => {
            let valid = input.clone().validate()?;
            let backup = valid.backup;
            let source = on(Resource::part(backup.table(), "backup", backup.id()));
            restoring(source, action, &valid.target)
        }
        Request::RestoreTableToPointInTime(input) => {
            let valid = input.clone().validate()?;
            restoring(on(Resource::table(&valid.source)), action, &valid.target)
        }
        Request::CreateTable(input) => {
            let valid = input.clone().validate()?;
            let table = Resource::table(&valid.table);
            let tagging = (!valid.tags.is_empty()).then(|| ResourceAccess {
                action: "TagResource",
                resource: table.clone(),
            });
            std::iter::once(on(table)).chain(tagging).collect()
        }
        other => vec![on(resource(other)?)],
    })
}

fn restoring(
    source: ResourceAccess,
    action: &'static str,
    target: &TableName,
) -> Vec<ResourceAccess> {
    let actions = std::iter::once(action).chain(OF_RESTORED_TABLES);
    let on_target = actions.map(|action| ResourceAccess {
        action,
        resource: Resource::table(target),
    });
    std::iter::once(source).chain(on_target).collect()
}

/// The resource of an operation that is about one.
fn resource(request: &Request) -> Result<Resource, Error> {
    /// Checks the request; its table is the resource.
    macro_rules! table {
        ($input:ident) => {
            Resource::table($input.clone().validate()?.table)
        };
    }
    Ok(match request {
        Request::CreateBackup(input) => table!(input),
        Request::DeleteTable(input) => table!(input),
        Request::DescribeContinuousBackups(input) => table!(input),
        Request::DescribeKinesisStreamingDestination(input) => table!(input),
        Request::DescribeTable(input) => table!(input),
        Request::DescribeTableReplicaAutoScaling(input) => table!(input),
        Request::DescribeTimeToLive(input) => table!(input),
        Request::ExportTableToPointInTime(input) => table!(input),
        Request::ListTagsOfResource(input) => table!(input),
        Request::StartBulkPutItems(input) => table!(input),
        Request::TagResource(input) => table!(input),
        Request::UntagResource(input) => table!(input),
        Request::UpdateContinuousBackups(input) => table!(input),
        Request::UpdateTable(input) => table!(input),
        Request::UpdateTimeToLive(input) => table!(input),
        Request::ImportTable(input) => Resource::table(input.clone().validate()?.table.table),
        Request::DescribeContributorInsights(input) => {
            let valid = input.clone().validate()?;
            Resource::table_or_index(valid.table, valid.index)
        }
        Request::UpdateContributorInsights(input) => {
            let valid = input.clone().validate()?;
            Resource::table_or_index(valid.table, valid.index)
        }
        Request::DescribeGlobalTable(input) => {
            Resource::GlobalTable(input.clone().validate()?.table.to_string())
        }
        Request::DescribeGlobalTableSettings(input) => {
            Resource::GlobalTable(input.clone().validate()?.table.to_string())
        }
        Request::DeleteResourcePolicy(input) => with_policy(&input.clone().validate()?.resource),
        Request::GetResourcePolicy(input) => with_policy(&input.clone().validate()?.resource),
        Request::PutResourcePolicy(input) => with_policy(&input.clone().validate()?.resource),
        other => part_of_table(other)?,
    })
}

/// A table or a stream that has a policy of its own.
fn with_policy(resource: &PolicyResource) -> Resource {
    match resource {
        PolicyResource::Table(table) => Resource::table(table),
        PolicyResource::Stream(stream) => of_stream(stream),
    }
}

fn of_stream(stream: &StreamArn) -> Resource {
    Resource::part(stream.table(), "stream", stream.label())
}

/// The resource of an operation that is about something that belongs to a table, or about no single table.
fn part_of_table(request: &Request) -> Result<Resource, Error> {
    Ok(match request {
        Request::DeleteBackup(input) => {
            let backup = input.clone().validate()?.backup;
            Resource::part(backup.table(), "backup", backup.id())
        }
        Request::DescribeBackup(input) => {
            let backup = input.clone().validate()?.backup;
            Resource::part(backup.table(), "backup", backup.id())
        }
        Request::DescribeExport(input) => {
            let export = input.clone().validate()?.export;
            Resource::part(export.table(), "export", export.id())
        }
        Request::DescribeImport(input) => {
            let import = input.clone().validate()?.import;
            Resource::part(import.table(), "import", import.id())
        }
        Request::CancelBulkOperation(input) => {
            let operation = input.clone().validate()?.operation;
            Resource::part(operation.table(), "bulk-operation", operation.id())
        }
        Request::DescribeBulkOperation(input) => {
            let operation = input.clone().validate()?.operation;
            Resource::part(operation.table(), "bulk-operation", operation.id())
        }
        Request::DescribeStream(input) => of_stream(&input.clone().validate()?.stream),
        Request::GetShardIterator(input) => of_stream(&input.clone().validate()?.stream),
        Request::GetRecords(input) => {
            let valid = input.clone().validate()?;
            let stream = stream_of_iterator(&valid.iterator);
            stream.as_ref().map_or(Resource::AllTables, of_stream)
        }
        _ => Resource::AllTables,
    })
}

/// The stream whose ARN an iterator begins with. Whoever carries the request out refuses an iterator whose ARN is not
/// that of its stream, and one without an ARN.
fn stream_of_iterator(iterator: &str) -> Option<StreamArn> {
    let (arn, _) = iterator.rsplit_once("|1|")?;
    StreamArn::parse(arn).ok()
}
