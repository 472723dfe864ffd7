//! The differences that we know, and why they are there.

use crate::difference::Difference;

/// A difference that is meant.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// As in [`Difference::place`]; `*.Member` is the member of any structure.
    pub place: &'static str,
    /// As in [`Difference::what`].
    pub what: &'static str,
    /// Why it is there.
    pub reason: &'static str,
}

impl Gap {
    pub(crate) fn covers(&self, difference: &Difference) -> bool {
        let in_place = match self.place.strip_prefix('*') {
            Some(end) => difference.place.ends_with(end),
            None => self.place == difference.place,
        };
        in_place && self.what == difference.what
    }
}

const fn gap(place: &'static str, what: &'static str, reason: &'static str) -> Gap {
    Gap {
        place,
        what,
        reason,
    }
}

/// An operation that a caller gets UnknownOperationException for.
const fn absent(operation: &'static str, reason: &'static str) -> Gap {
    gap(operation, "is not among our operations", reason)
}

/// A parameter that a request is refused for, by name.
const fn refused(place: &'static str, reason: &'static str) -> Gap {
    gap(place, "is refused", reason)
}

/// A member of an answer that only a service with the feature sends.
const fn lost(place: &'static str, reason: &'static str) -> Gap {
    gap(place, "is lost from an answer", reason)
}

const BACKUPS: &str = "backups and point-in-time recovery are not there";
const GLOBAL_TABLES: &str = "global tables need more than one region";
const IMPORTS: &str = "imports and exports go through S3";
const BULK: &str = "bulk operations go through S3";
const INSIGHTS: &str = "contributor insights are a view of CloudWatch";
const KINESIS: &str = "streams into Kinesis need Kinesis";
const PARTIQL: &str = "PartiQL is not there";
const POLICIES: &str = "resource policies are not there";
const TAGS: &str = "tags are taken when a table is made, and cannot be changed";
const VECTORS: &str = "vector indexes are not there";
const ARN: &str =
    "the description allows any ARN; a name has 3 to 255 characters, and AWS says so too";

/// Keep this short. An entry that is no longer needed is a difference itself.
pub const GAPS: &[Gap] = &[
    absent("CreateBackup", BACKUPS),
    absent("DeleteBackup", BACKUPS),
    absent("DescribeBackup", BACKUPS),
    absent("DescribeContinuousBackups", BACKUPS),
    absent("ListBackups", BACKUPS),
    absent("RestoreTableFromBackup", BACKUPS),
    absent("RestoreTableToPointInTime", BACKUPS),
    absent("UpdateContinuousBackups", BACKUPS),
    absent("CancelBulkOperation", BULK),
    absent("DescribeBulkOperation", BULK),
    absent("ListBulkOperations", BULK),
    absent("StartBulkPutItems", BULK),
    absent("CreateGlobalTable", GLOBAL_TABLES),
    absent("DescribeGlobalTable", GLOBAL_TABLES),
    absent("DescribeGlobalTableSettings", GLOBAL_TABLES),
    absent("DescribeTableReplicaAutoScaling", GLOBAL_TABLES),
    absent("ListGlobalTables", GLOBAL_TABLES),
    absent("UpdateGlobalTable", GLOBAL_TABLES),
    absent("UpdateGlobalTableSettings", GLOBAL_TABLES),
    absent("UpdateTableReplicaAutoScaling", GLOBAL_TABLES),
    absent("DescribeExport", IMPORTS),
    absent("DescribeImport", IMPORTS),
    absent("ExportTableToPointInTime", IMPORTS),
    absent("ImportTable", IMPORTS),
    absent("ListExports", IMPORTS),
    absent("ListImports", IMPORTS),
    absent("DescribeContributorInsights", INSIGHTS),
    absent("ListContributorInsights", INSIGHTS),
    absent("UpdateContributorInsights", INSIGHTS),
    absent("DescribeKinesisStreamingDestination", KINESIS),
    absent("DisableKinesisStreamingDestination", KINESIS),
    absent("EnableKinesisStreamingDestination", KINESIS),
    absent("UpdateKinesisStreamingDestination", KINESIS),
    absent("BatchExecuteStatement", PARTIQL),
    absent("ExecuteStatement", PARTIQL),
    absent("ExecuteTransaction", PARTIQL),
    absent("DeleteResourcePolicy", POLICIES),
    absent("GetResourcePolicy", POLICIES),
    absent("PutResourcePolicy", POLICIES),
    absent("ListTagsOfResource", TAGS),
    absent("TagResource", TAGS),
    absent("UntagResource", TAGS),
    absent("SearchVectors", VECTORS),
    refused("CreateTableInput.GlobalTableSourceArn", GLOBAL_TABLES),
    refused("*.GlobalTableSettingsReplicationMode", GLOBAL_TABLES),
    refused("CreateTableInput.ResourcePolicy", POLICIES),
    refused("CreateTableInput.VectorIndexes", VECTORS),
    refused(
        "UpdateTableInput.DisassociationProtectionEnabled",
        GLOBAL_TABLES,
    ),
    refused("UpdateTableInput.GlobalTableWitnessUpdates", GLOBAL_TABLES),
    refused("UpdateTableInput.MultiRegionConsistency", GLOBAL_TABLES),
    refused("UpdateTableInput.ReplicaUpdates", GLOBAL_TABLES),
    refused("UpdateTableInput.VectorIndexUpdates", VECTORS),
    lost("ConsumedCapacity.VectorIndexes", VECTORS),
    lost(
        "TableDescription.ArchivalSummary",
        "tables are archived only when their encryption key is gone",
    ),
    lost(
        "TableDescription.DisassociationProtectionEnabled",
        GLOBAL_TABLES,
    ),
    lost(
        "TableDescription.GlobalTableSettingsReplicationMode",
        GLOBAL_TABLES,
    ),
    lost("TableDescription.GlobalTableWitnesses", GLOBAL_TABLES),
    lost("TableDescription.MultiRegionConsistency", GLOBAL_TABLES),
    lost("TableDescription.Replicas", GLOBAL_TABLES),
    lost("TableDescription.VectorIndexes", VECTORS),
    gap("*.TableName", "has min 1, and refuses it", ARN),
    gap("*.TableName", "has max 1024, and refuses it", ARN),
    gap(
        "CreateTableInput.AttributeDefinitions",
        "is not required, and missed when absent",
        "AWS does without it only for a replica of a global table",
    ),
    gap(
        "CreateTableInput.KeySchema",
        "is not required, and missed when absent",
        "AWS does without it only for a replica of a global table",
    ),
    gap(
        "*.ExpressionAttributeNames[]",
        "has max 65535, and allows 65536",
        "measured when the expressions are read, after the constraints of members",
    ),
];
