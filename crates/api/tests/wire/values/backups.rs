//! Random values of the members of operations on backups, exports and imports, by the members' names.

use super::{list, number, structure, text, units, word};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A random value of a member. Any that is not known is text.
pub(super) fn value(member: &str) -> BoxedStrategy<Value> {
    match member {
        "BackupSizeBytes"
        | "ErrorCount"
        | "ProcessedSizeBytes"
        | "ProcessedItemCount"
        | "ImportedItemCount"
        | "BilledSizeBytes"
        | "ProcessedInputBytes"
        | "TotalInputBytes"
        | "FailedItemCount"
        | "MaxWriteRequestUnits"
        | "BulkPutBytes"
        | "BulkPutVectorBytes"
        | "MaxResults"
        | "PageSize"
        | "RecoveryPeriodInDays" => number(),
        "PointInTimeRecoveryEnabled" | "UseLatestRestorableTime" => {
            any::<bool>().prop_map(|value| json!(value)).boxed()
        }
        "BackupCreationDateTime"
        | "BackupExpiryDateTime"
        | "TableCreationDateTime"
        | "TimeRangeLowerBound"
        | "TimeRangeUpperBound"
        | "EarliestRestorableDateTime"
        | "LatestRestorableDateTime"
        | "RestoreDateTime"
        | "StartTime"
        | "EndTime"
        | "ExportFromTime"
        | "ExportToTime"
        | "ExportTime" => units(),
        "VectorIndexOverride" => super::value("VectorIndexes"),
        "ExportViewType" => word(&["NEW_IMAGE", "NEW_AND_OLD_IMAGES"]),
        "GlobalSecondaryIndexOverride" => super::value("GlobalSecondaryIndexes"),
        "LocalSecondaryIndexOverride" => super::value("LocalSecondaryIndexes"),
        "ProvisionedThroughputOverride" => super::value("ProvisionedThroughput"),
        "OnDemandThroughputOverride" => super::value("OnDemandThroughput"),
        "SSESpecificationOverride" => super::value("SSESpecification"),
        "BackupStatus" => word(&["CREATING", "DELETED", "AVAILABLE"]),
        "ExportStatus" => word(&["IN_PROGRESS", "COMPLETED", "FAILED"]),
        "ExportFormat" => word(&["DYNAMODB_JSON", "ION"]),
        "ExportType" => word(&["FULL_EXPORT", "INCREMENTAL_EXPORT"]),
        "BulkOperationStatus" => word(&["IN_PROGRESS", "COMPLETED_WITH_ERRORS", "CANCELLED"]),
        "PerformanceTier" => word(&["STANDARD", "ACCELERATED"]),
        "OutputType" => list(word(&["ERROR", "CONDITION_CHECK_FAILURE"])),
        "S3SseAlgorithm" => word(&["AES256", "KMS"]),
        "ImportStatus" => word(&["IN_PROGRESS", "COMPLETED", "FAILED", "CANCELLED"]),
        "InputFormat" => word(&["DYNAMODB_JSON", "ION", "CSV"]),
        "InputCompressionType" => word(&["GZIP", "ZSTD", "NONE"]),
        "ContinuousBackupsStatus" | "PointInTimeRecoveryStatus" => word(&["ENABLED", "DISABLED"]),
        _ => nested(member),
    }
}

fn nested(member: &str) -> BoxedStrategy<Value> {
    const DETAILS: &[&str] = &[
        "BackupArn",
        "BackupName",
        "BackupSizeBytes",
        "BackupStatus",
        "BackupCreationDateTime",
        "BackupExpiryDateTime",
    ];
    match member {
        "FilterSpecification" => structure(&[
            "FilterExpression",
            "ProjectionExpression",
            "KeyConditionExpression",
            "ExpressionAttributeNames",
            "ExpressionAttributeValues",
        ]),
        "InputS3Configuration" => structure(&[
            "S3BucketOwner",
            "S3Bucket",
            "S3KeyPrefix",
            "InputFormat",
            "InputCompressionType",
        ]),
        "OutputS3Configuration" => structure(&[
            "S3BucketOwner",
            "S3Bucket",
            "S3KeyPrefix",
            "S3SseAlgorithm",
            "S3SseKmsKeyId",
            "OutputType",
        ]),
        "BulkOperationDescription" => structure(&[
            "BulkOperationArn",
            "BulkOperationStatus",
            "TableDetails",
            "ClientToken",
            "InputS3Configuration",
            "OutputS3Configuration",
            "StartTime",
            "EndTime",
            "ProcessedItemCount",
            "ProcessedInputBytes",
            "TotalInputBytes",
            "BulkOperationUsage",
            "FailedItemCount",
            "FailureCode",
            "FailureMessage",
            "MaxWriteRequestUnits",
            "PerformanceTier",
        ]),
        "TableDetails" => list(structure(&["TableName", "TableId"])),
        "BulkOperationUsage" => list(structure(&["TableName", "BulkPutBytes"])),
        "BulkOperationsSummaryList" => list(structure(&[
            "BulkOperationArn",
            "BulkOperationStatus",
            "StartTime",
            "EndTime",
        ])),
        "BackupDetails" => structure(DETAILS),
        "BackupSummaries" => list(structure(
            &[DETAILS, &["TableName", "TableId", "TableArn"]].concat(),
        )),
        "BackupDescription" => structure(&[
            "BackupDetails",
            "SourceTableDetails",
            "SourceTableFeatureDetails",
        ]),
        "SourceTableDetails" => structure(&[
            "TableName",
            "TableId",
            "TableSizeBytes",
            "KeySchema",
            "TableCreationDateTime",
            "ProvisionedThroughput",
            "OnDemandThroughput",
            "ItemCount",
        ]),
        "SourceTableFeatureDetails" => structure(&[
            "LocalSecondaryIndexes",
            "GlobalSecondaryIndexes",
            "TimeToLiveDescription",
        ]),
        "ContinuousBackupsDescription" => {
            structure(&["ContinuousBackupsStatus", "PointInTimeRecoveryDescription"])
        }
        "PointInTimeRecoveryDescription" => structure(&[
            "PointInTimeRecoveryStatus",
            "RecoveryPeriodInDays",
            "EarliestRestorableDateTime",
            "LatestRestorableDateTime",
        ]),
        "PointInTimeRecoverySpecification" => {
            structure(&["PointInTimeRecoveryEnabled", "RecoveryPeriodInDays"])
        }
        "ExportDescription" => structure(&[
            "ExportArn",
            "ExportStatus",
            "StartTime",
            "EndTime",
            "ExportManifest",
            "S3Bucket",
            "S3SseAlgorithm",
            "ExportFormat",
            "BilledSizeBytes",
            "ItemCount",
            "ExportType",
            "IncrementalExportSpecification",
            "FilterSpecification",
        ]),
        "IncrementalExportSpecification" => {
            structure(&["ExportFromTime", "ExportToTime", "ExportViewType"])
        }
        "ExportSummaries" => list(structure(&["ExportArn", "ExportStatus", "ExportType"])),
        "S3BucketSource" => structure(&["S3BucketOwner", "S3Bucket", "S3KeyPrefix"]),
        "InputFormatOptions" => structure(&["Csv"]),
        "Csv" => structure(&["Delimiter", "HeaderList"]),
        "HeaderList" => list(text().prop_map(Value::String)),
        "TableCreationParameters" => structure(&[
            "TableName",
            "AttributeDefinitions",
            "KeySchema",
            "BillingMode",
            "ProvisionedThroughput",
            "SSESpecification",
            "GlobalSecondaryIndexes",
        ]),
        "ImportTableDescription" => structure(&[
            "ImportArn",
            "ImportStatus",
            "S3BucketSource",
            "ErrorCount",
            "InputFormat",
            "InputFormatOptions",
            "InputCompressionType",
            "TableCreationParameters",
            "StartTime",
            "ProcessedItemCount",
        ]),
        "ImportSummaryList" => list(structure(&[
            "ImportArn",
            "ImportStatus",
            "S3BucketSource",
            "InputFormat",
            "EndTime",
        ])),
        _ => text().prop_map(Value::String).boxed(),
    }
}
