//! The members of AWS's service descriptions (botocore's `dynamodb/2012-08-10` and `dynamodbstreams/2012-08-10`, October 2026).

use monotable_api::{OperationName, Request, Response};
use serde_json::{Value, json};

/// The members of an operation's request.
pub(crate) fn of_request(operation: OperationName) -> &'static [&'static str] {
    match operation {
        OperationName::BatchExecuteStatement => &["Statements", "ReturnConsumedCapacity"],
        OperationName::CreateBackup => &["TableName", "BackupName"],
        OperationName::DeleteBackup => &["BackupArn"],
        OperationName::DescribeBackup => &["BackupArn"],
        OperationName::DescribeContinuousBackups => &["TableName"],
        OperationName::DescribeExport => &["ExportArn"],
        OperationName::DescribeImport => &["ImportArn"],
        OperationName::CancelBulkOperation | OperationName::DescribeBulkOperation => {
            &["BulkOperationArn"]
        }
        OperationName::ListBulkOperations => &["MaxResults", "NextToken"],
        OperationName::SearchVectors => &[
            "TableName",
            "IndexName",
            "ReturnConsumedCapacity",
            "ExpressionAttributeNames",
            "ExpressionAttributeValues",
            "ProjectionExpression",
            "SearchVector",
            "SearchConditionExpression",
            "TopK",
        ],
        OperationName::StartBulkPutItems => &[
            "ClientToken",
            "InputS3Configuration",
            "OutputS3Configuration",
            "TableName",
            "MaxWriteRequestUnits",
            "PerformanceTier",
        ],
        OperationName::ExportTableToPointInTime => &[
            "TableArn",
            "ExportTime",
            "ClientToken",
            "S3Bucket",
            "S3BucketOwner",
            "S3Prefix",
            "S3SseAlgorithm",
            "S3SseKmsKeyId",
            "ExportFormat",
            "ExportType",
            "IncrementalExportSpecification",
            "FilterSpecification",
        ],
        OperationName::ImportTable => &[
            "ClientToken",
            "S3BucketSource",
            "InputFormat",
            "InputFormatOptions",
            "InputCompressionType",
            "TableCreationParameters",
        ],
        OperationName::ListBackups => &[
            "TableName",
            "Limit",
            "TimeRangeLowerBound",
            "TimeRangeUpperBound",
            "ExclusiveStartBackupArn",
            "BackupType",
        ],
        OperationName::ListExports => &["TableArn", "MaxResults", "NextToken"],
        OperationName::ListImports => &["TableArn", "PageSize", "NextToken"],
        OperationName::RestoreTableFromBackup => &[
            "TargetTableName",
            "BackupArn",
            "BillingModeOverride",
            "GlobalSecondaryIndexOverride",
            "LocalSecondaryIndexOverride",
            "ProvisionedThroughputOverride",
            "OnDemandThroughputOverride",
            "SSESpecificationOverride",
            "VectorIndexOverride",
        ],
        OperationName::RestoreTableToPointInTime => &[
            "SourceTableArn",
            "SourceTableName",
            "TargetTableName",
            "UseLatestRestorableTime",
            "RestoreDateTime",
            "BillingModeOverride",
            "GlobalSecondaryIndexOverride",
            "LocalSecondaryIndexOverride",
            "ProvisionedThroughputOverride",
            "OnDemandThroughputOverride",
            "SSESpecificationOverride",
            "VectorIndexOverride",
        ],
        OperationName::UpdateContinuousBackups => {
            &["TableName", "PointInTimeRecoverySpecification"]
        }
        OperationName::BatchGetItem => &["RequestItems", "ReturnConsumedCapacity"],
        OperationName::BatchWriteItem => &[
            "RequestItems",
            "ReturnConsumedCapacity",
            "ReturnItemCollectionMetrics",
        ],
        OperationName::CreateTable => &[
            "AttributeDefinitions",
            "TableName",
            "KeySchema",
            "LocalSecondaryIndexes",
            "GlobalSecondaryIndexes",
            "BillingMode",
            "ProvisionedThroughput",
            "StreamSpecification",
            "SSESpecification",
            "Tags",
            "TableClass",
            "DeletionProtectionEnabled",
            "WarmThroughput",
            "ResourcePolicy",
            "OnDemandThroughput",
            "GlobalTableSourceArn",
            "GlobalTableSettingsReplicationMode",
            "VectorIndexes",
        ],
        OperationName::DeleteItem => &[
            "TableName",
            "Key",
            "Expected",
            "ConditionalOperator",
            "ReturnValues",
            "ReturnConsumedCapacity",
            "ReturnItemCollectionMetrics",
            "ConditionExpression",
            "ExpressionAttributeNames",
            "ExpressionAttributeValues",
            "ReturnValuesOnConditionCheckFailure",
        ],
        OperationName::DeleteResourcePolicy => &["ResourceArn", "ExpectedRevisionId"],
        OperationName::DeleteTable => &["TableName"],
        OperationName::DescribeContributorInsights => &["TableName", "IndexName"],
        OperationName::DescribeEndpoints => &[],
        OperationName::DescribeLimits => &[],
        OperationName::DescribeStream => {
            &["StreamArn", "Limit", "ExclusiveStartShardId", "ShardFilter"]
        }
        OperationName::DescribeTable | OperationName::DescribeTimeToLive => &["TableName"],
        OperationName::ExecuteStatement => &[
            "Statement",
            "Parameters",
            "ConsistentRead",
            "NextToken",
            "ReturnConsumedCapacity",
            "Limit",
            "ReturnValuesOnConditionCheckFailure",
        ],
        OperationName::ExecuteTransaction => &[
            "TransactStatements",
            "ClientRequestToken",
            "ReturnConsumedCapacity",
        ],
        OperationName::GetItem => &[
            "TableName",
            "Key",
            "AttributesToGet",
            "ConsistentRead",
            "ReturnConsumedCapacity",
            "ProjectionExpression",
            "ExpressionAttributeNames",
        ],
        OperationName::GetRecords => &["ShardIterator", "Limit"],
        OperationName::GetShardIterator => &[
            "StreamArn",
            "ShardId",
            "ShardIteratorType",
            "SequenceNumber",
            "Timestamp",
        ],
        OperationName::ListStreams => &["TableName", "Limit", "ExclusiveStartStreamArn"],
        OperationName::GetResourcePolicy => &["ResourceArn"],
        OperationName::ListTables => &["ExclusiveStartTableName", "Limit"],
        OperationName::ListTagsOfResource => &["ResourceArn", "NextToken"],
        OperationName::PutItem => &[
            "TableName",
            "Item",
            "Expected",
            "ReturnValues",
            "ReturnConsumedCapacity",
            "ReturnItemCollectionMetrics",
            "ConditionalOperator",
            "ConditionExpression",
            "ExpressionAttributeNames",
            "ExpressionAttributeValues",
            "ReturnValuesOnConditionCheckFailure",
        ],
        OperationName::PutResourcePolicy => &[
            "ResourceArn",
            "Policy",
            "ExpectedRevisionId",
            "ConfirmRemoveSelfResourceAccess",
        ],
        OperationName::Query => &[
            "TableName",
            "IndexName",
            "Select",
            "AttributesToGet",
            "Limit",
            "ConsistentRead",
            "KeyConditions",
            "QueryFilter",
            "ConditionalOperator",
            "ScanIndexForward",
            "ExclusiveStartKey",
            "ReturnConsumedCapacity",
            "ProjectionExpression",
            "FilterExpression",
            "KeyConditionExpression",
            "ExpressionAttributeNames",
            "ExpressionAttributeValues",
        ],
        OperationName::Scan => &[
            "TableName",
            "IndexName",
            "AttributesToGet",
            "Limit",
            "Select",
            "ScanFilter",
            "ConditionalOperator",
            "ExclusiveStartKey",
            "ReturnConsumedCapacity",
            "TotalSegments",
            "Segment",
            "ProjectionExpression",
            "FilterExpression",
            "ExpressionAttributeNames",
            "ExpressionAttributeValues",
            "ConsistentRead",
        ],
        OperationName::TagResource => &["ResourceArn", "Tags"],
        OperationName::TransactGetItems => &["TransactItems", "ReturnConsumedCapacity"],
        OperationName::TransactWriteItems => &[
            "TransactItems",
            "ReturnConsumedCapacity",
            "ReturnItemCollectionMetrics",
            "ClientRequestToken",
        ],
        OperationName::UntagResource => &["ResourceArn", "TagKeys"],
        OperationName::DescribeGlobalTable => &["GlobalTableName"],
        OperationName::DescribeGlobalTableSettings => &["GlobalTableName"],
        OperationName::DescribeKinesisStreamingDestination => &["TableName"],
        OperationName::DescribeTableReplicaAutoScaling => &["TableName"],
        OperationName::ListContributorInsights => &["TableName", "NextToken", "MaxResults"],
        OperationName::ListGlobalTables => {
            &["ExclusiveStartGlobalTableName", "Limit", "RegionName"]
        }
        OperationName::UpdateContributorInsights => &[
            "TableName",
            "IndexName",
            "ContributorInsightsAction",
            "ContributorInsightsMode",
        ],
        OperationName::UpdateItem => &[
            "TableName",
            "Key",
            "AttributeUpdates",
            "Expected",
            "ConditionalOperator",
            "ReturnValues",
            "ReturnConsumedCapacity",
            "ReturnItemCollectionMetrics",
            "UpdateExpression",
            "ConditionExpression",
            "ExpressionAttributeNames",
            "ExpressionAttributeValues",
            "ReturnValuesOnConditionCheckFailure",
        ],
        OperationName::UpdateTimeToLive => &["TableName", "TimeToLiveSpecification"],
        OperationName::UpdateTable => &[
            "AttributeDefinitions",
            "TableName",
            "BillingMode",
            "ProvisionedThroughput",
            "GlobalSecondaryIndexUpdates",
            "StreamSpecification",
            "SSESpecification",
            "ReplicaUpdates",
            "TableClass",
            "DeletionProtectionEnabled",
            "MultiRegionConsistency",
            "GlobalTableWitnessUpdates",
            "OnDemandThroughput",
            "WarmThroughput",
            "GlobalTableSettingsReplicationMode",
            "DisassociationProtectionEnabled",
            "VectorIndexUpdates",
        ],
    }
}

/// The members of an operation's answer.
pub(crate) fn of_response(operation: OperationName) -> &'static [&'static str] {
    match operation {
        OperationName::BatchExecuteStatement => &["Responses", "ConsumedCapacity"],
        OperationName::CreateBackup => &["BackupDetails"],
        OperationName::DeleteBackup => &["BackupDescription"],
        OperationName::DescribeBackup => &["BackupDescription"],
        OperationName::DescribeContinuousBackups => &["ContinuousBackupsDescription"],
        OperationName::DescribeExport => &["ExportDescription"],
        OperationName::DescribeImport => &["ImportTableDescription"],
        OperationName::CancelBulkOperation => &["BulkOperationArn", "BulkOperationStatus"],
        OperationName::DescribeBulkOperation | OperationName::StartBulkPutItems => {
            &["BulkOperationDescription"]
        }
        OperationName::ListBulkOperations => &["BulkOperationsSummaryList", "NextToken"],
        OperationName::SearchVectors => &["SearchResults"],
        OperationName::ExportTableToPointInTime => &["ExportDescription"],
        OperationName::ImportTable => &["ImportTableDescription"],
        OperationName::ListBackups => &["BackupSummaries", "LastEvaluatedBackupArn"],
        OperationName::ListExports => &["ExportSummaries", "NextToken"],
        OperationName::ListImports => &["ImportSummaryList", "NextToken"],
        OperationName::RestoreTableFromBackup => &["TableDescription"],
        OperationName::RestoreTableToPointInTime => &["TableDescription"],
        OperationName::UpdateContinuousBackups => &["ContinuousBackupsDescription"],
        OperationName::BatchGetItem => &["Responses", "UnprocessedKeys", "ConsumedCapacity"],
        OperationName::BatchWriteItem => &[
            "UnprocessedItems",
            "ItemCollectionMetrics",
            "ConsumedCapacity",
        ],
        OperationName::CreateTable => &["TableDescription"],
        OperationName::DeleteItem => &["Attributes", "ConsumedCapacity", "ItemCollectionMetrics"],
        OperationName::DeleteResourcePolicy => &["RevisionId"],
        OperationName::DeleteTable => &["TableDescription"],
        OperationName::DescribeEndpoints => &["Endpoints"],
        OperationName::DescribeLimits => &[
            "AccountMaxReadCapacityUnits",
            "AccountMaxWriteCapacityUnits",
            "TableMaxReadCapacityUnits",
            "TableMaxWriteCapacityUnits",
        ],
        OperationName::DescribeStream => &["StreamDescription"],
        OperationName::DescribeTable => &["Table"],
        OperationName::DescribeTimeToLive => &["TimeToLiveDescription"],
        OperationName::ExecuteStatement => {
            &["Items", "NextToken", "ConsumedCapacity", "LastEvaluatedKey"]
        }
        OperationName::ExecuteTransaction => &["Responses", "ConsumedCapacity"],
        OperationName::GetItem => &["Item", "ConsumedCapacity"],
        OperationName::GetRecords => &["Records", "NextShardIterator"],
        OperationName::GetShardIterator => &["ShardIterator"],
        OperationName::ListStreams => &["Streams", "LastEvaluatedStreamArn"],
        OperationName::GetResourcePolicy => &["Policy", "RevisionId"],
        OperationName::ListTables => &["TableNames", "LastEvaluatedTableName"],
        OperationName::ListTagsOfResource => &["Tags", "NextToken"],
        OperationName::PutItem => &["Attributes", "ConsumedCapacity", "ItemCollectionMetrics"],
        OperationName::PutResourcePolicy => &["RevisionId"],
        OperationName::Query => &[
            "Items",
            "Count",
            "ScannedCount",
            "LastEvaluatedKey",
            "ConsumedCapacity",
        ],
        OperationName::Scan => &[
            "Items",
            "Count",
            "ScannedCount",
            "LastEvaluatedKey",
            "ConsumedCapacity",
        ],
        // No table has replicas, so there are no such answers.
        OperationName::DescribeGlobalTable
        | OperationName::DescribeGlobalTableSettings
        | OperationName::DescribeTableReplicaAutoScaling => &[],
        OperationName::TagResource => &[],
        OperationName::TransactGetItems => &["ConsumedCapacity", "Responses"],
        OperationName::TransactWriteItems => &["ConsumedCapacity", "ItemCollectionMetrics"],
        OperationName::UntagResource => &[],
        OperationName::DescribeContributorInsights => &[
            "TableName",
            "IndexName",
            "ContributorInsightsRuleList",
            "ContributorInsightsStatus",
            "LastUpdateDateTime",
            "FailureException",
            "ContributorInsightsMode",
        ],
        OperationName::ListContributorInsights => &["ContributorInsightsSummaries", "NextToken"],
        OperationName::UpdateContributorInsights => &[
            "TableName",
            "IndexName",
            "ContributorInsightsStatus",
            "ContributorInsightsMode",
        ],
        OperationName::DescribeKinesisStreamingDestination => {
            &["TableName", "KinesisDataStreamDestinations"]
        }
        OperationName::ListGlobalTables => &["GlobalTables", "LastEvaluatedGlobalTableName"],
        OperationName::UpdateItem => &["Attributes", "ConsumedCapacity", "ItemCollectionMetrics"],
        OperationName::UpdateTable => &["TableDescription"],
        OperationName::UpdateTimeToLive => &["TimeToLiveSpecification"],
    }
}

/// Values of every JSON type: a member that is known either refuses one of them or keeps one.
fn probes() -> [Value; 5] {
    [json!(7), json!("x"), json!(true), json!([]), json!({})]
}

fn keeps(body: Vec<u8>, member: &str) -> bool {
    serde_json::from_slice::<Value>(&body)
        .unwrap()
        .get(member)
        .is_some()
}

#[test]
fn every_member_of_every_request_is_known() {
    for &operation in OperationName::ALL {
        for member in of_request(operation) {
            let known = probes().into_iter().any(|probe| {
                let body = json!({*member: probe}).to_string();
                match Request::decode(operation, body.as_bytes()) {
                    Err(_) => true,
                    Ok(request) => keeps(request.encode().unwrap(), member),
                }
            });
            assert!(known, "{operation} does not know {member}");
        }
    }
}

#[test]
fn every_member_of_every_answer_is_known() {
    for &operation in OperationName::ALL {
        for member in of_response(operation) {
            let known = probes().into_iter().any(|probe| {
                let body = json!({*member: probe}).to_string();
                match Response::decode(operation, body.as_bytes()) {
                    Err(_) => true,
                    Ok(response) => keeps(response.encode().unwrap(), member),
                }
            });
            assert!(known, "{operation} does not know {member}");
        }
    }
}
