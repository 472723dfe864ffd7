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

/// A member that only a request of another kind can do without.
const fn missed(place: &'static str, reason: &'static str) -> Gap {
    gap(place, "is not required, and missed when absent", reason)
}

const GLOBAL_TABLES: &str = "global tables need more than one region";
const KINESIS: &str = "streams into Kinesis need Kinesis";
const ARN: &str =
    "the description allows any ARN; a name has 3 to 255 characters, and AWS refuses others";

/// What we lack, because it needs another of AWS's services. Keep this short: an entry that is no longer needed is a difference itself.
pub const GAPS: &[Gap] = &[
    absent("CreateGlobalTable", GLOBAL_TABLES),
    absent("UpdateGlobalTable", GLOBAL_TABLES),
    absent("UpdateGlobalTableSettings", GLOBAL_TABLES),
    absent("UpdateTableReplicaAutoScaling", GLOBAL_TABLES),
    absent("DisableKinesisStreamingDestination", KINESIS),
    absent("EnableKinesisStreamingDestination", KINESIS),
    absent("UpdateKinesisStreamingDestination", KINESIS),
    refused("CreateTableInput.GlobalTableSourceArn", GLOBAL_TABLES),
    refused("*.GlobalTableSettingsReplicationMode", GLOBAL_TABLES),
    refused(
        "UpdateTableInput.DisassociationProtectionEnabled",
        GLOBAL_TABLES,
    ),
    refused("UpdateTableInput.GlobalTableWitnessUpdates", GLOBAL_TABLES),
    refused("UpdateTableInput.MultiRegionConsistency", GLOBAL_TABLES),
    refused("UpdateTableInput.ReplicaUpdates", GLOBAL_TABLES),
    lost(
        "DescribeGlobalTableOutput.GlobalTableDescription",
        GLOBAL_TABLES,
    ),
    lost(
        "DescribeGlobalTableSettingsOutput.GlobalTableName",
        GLOBAL_TABLES,
    ),
    lost(
        "DescribeGlobalTableSettingsOutput.ReplicaSettings",
        GLOBAL_TABLES,
    ),
    lost(
        "DescribeTableReplicaAutoScalingOutput.TableAutoScalingDescription",
        GLOBAL_TABLES,
    ),
    lost(
        "TableDescription.ArchivalSummary",
        "tables are archived only when their key of the key management service is gone",
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
    missed("CreateTableInput.AttributeDefinitions", GLOBAL_TABLES),
    missed("CreateTableInput.KeySchema", GLOBAL_TABLES),
];

/// Where AWS itself does otherwise than its description says, and we do as AWS does.
pub const DEPARTURES: &[Gap] = &[
    gap("*.TableName", "has min 1, and refuses it", ARN),
    gap("*.TableName", "has max 1024, and refuses it", ARN),
];
