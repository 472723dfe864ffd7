//! The actions of DynamoDB.

use crate::error::PolicyError;
use crate::json::Place;
use crate::pattern::Pattern;
use crate::wording;

/// All actions that a policy can name, as AWS lists them, also those that nothing here ever asks for.
pub(crate) const ACTIONS: &[&str] = &[
    "AssociateTableReplica",
    "BatchGetItem",
    "BatchWriteItem",
    "CancelBulkOperation",
    "ConditionCheckItem",
    "CreateBackup",
    "CreateGlobalTable",
    "CreateTable",
    "CreateTableReplica",
    "DeleteBackup",
    "DeleteItem",
    "DeleteResourcePolicy",
    "DeleteTable",
    "DeleteTableReplica",
    "DescribeBackup",
    "DescribeBulkOperation",
    "DescribeContinuousBackups",
    "DescribeContributorInsights",
    "DescribeEndpoints",
    "DescribeExport",
    "DescribeGlobalTable",
    "DescribeGlobalTableSettings",
    "DescribeImport",
    "DescribeKinesisStreamingDestination",
    "DescribeLimits",
    "DescribeReservedCapacity",
    "DescribeReservedCapacityOfferings",
    "DescribeStream",
    "DescribeTable",
    "DescribeTableReplicaAutoScaling",
    "DescribeTimeToLive",
    "DisableKinesisStreamingDestination",
    "EnableKinesisStreamingDestination",
    "ExportTableToPointInTime",
    "GetAbacStatus",
    "GetItem",
    "GetRecords",
    "GetResourcePolicy",
    "GetShardIterator",
    "ImportTable",
    "InjectError",
    "ListBackups",
    "ListBulkOperations",
    "ListContributorInsights",
    "ListExports",
    "ListGlobalTables",
    "ListImports",
    "ListStreams",
    "ListTables",
    "ListTagsOfResource",
    "PartiQLDelete",
    "PartiQLInsert",
    "PartiQLSelect",
    "PartiQLUpdate",
    "PurchaseReservedCapacityOfferings",
    "PutItem",
    "PutResourcePolicy",
    "Query",
    "ReadDataForReplication",
    "ReplicateSettings",
    "RestoreTableFromAwsBackup",
    "RestoreTableFromBackup",
    "RestoreTableToPointInTime",
    "Scan",
    "SearchVectors",
    "StartAwsBackupJob",
    "StartBulkPutItems",
    "TagResource",
    "UntagResource",
    "UpdateAbacStatus",
    "UpdateContinuousBackups",
    "UpdateContributorInsights",
    "UpdateGlobalTable",
    "UpdateGlobalTableSettings",
    "UpdateGlobalTableVersion",
    "UpdateItem",
    "UpdateKinesisStreamingDestination",
    "UpdateTable",
    "UpdateTableReplicaAutoScaling",
    "UpdateTimeToLive",
    "WriteDataForReplication",
];

/// The service that every action belongs to.
const SERVICE: &str = "dynamodb";

/// Which actions a statement is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ActionPattern {
    pattern: Pattern,
}

impl ActionPattern {
    pub(crate) fn parse(place: &Place<'_>) -> Result<Self, PolicyError> {
        let text = place.text()?;
        if text.contains("${") {
            return Err(place.refuse("variables have no place in an action"));
        }
        let name = match text.split_once(':') {
            Some((service, name)) if service.eq_ignore_ascii_case(SERVICE) => name,
            None if text == "*" => text,
            Some(_) | None => return Err(place.refuse(wording::foreign_action(text))),
        };
        let pattern = Pattern::parse(place, name)?;
        let known = Self { pattern };
        if known.names().next().is_none() {
            return Err(place.refuse(wording::unknown_action(name)));
        }
        Ok(known)
    }

    pub(crate) fn matches(&self, action: &str) -> bool {
        self.pattern.matches_without_variables(action)
    }

    /// The actions that it names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let names = ACTIONS.iter().copied();
        names.filter(|action| self.matches(action))
    }
}
