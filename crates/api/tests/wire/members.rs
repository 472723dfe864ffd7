//! The members of AWS's service description (botocore's `dynamodb/2012-08-10`, October 2026).

use monotable_api::{OperationName, Request, Response};
use serde_json::{Value, json};

/// The members of an operation's request.
pub(crate) fn of_request(operation: OperationName) -> &'static [&'static str] {
    match operation {
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
        OperationName::DeleteTable => &["TableName"],
        OperationName::DescribeEndpoints => &[],
        OperationName::DescribeLimits => &[],
        OperationName::DescribeTable | OperationName::DescribeTimeToLive => &["TableName"],
        OperationName::GetItem => &[
            "TableName",
            "Key",
            "AttributesToGet",
            "ConsistentRead",
            "ReturnConsumedCapacity",
            "ProjectionExpression",
            "ExpressionAttributeNames",
        ],
        OperationName::ListTables => &["ExclusiveStartTableName", "Limit"],
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
        OperationName::TransactGetItems => &["TransactItems", "ReturnConsumedCapacity"],
        OperationName::TransactWriteItems => &[
            "TransactItems",
            "ReturnConsumedCapacity",
            "ReturnItemCollectionMetrics",
            "ClientRequestToken",
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
        OperationName::BatchGetItem => &["Responses", "UnprocessedKeys", "ConsumedCapacity"],
        OperationName::BatchWriteItem => &[
            "UnprocessedItems",
            "ItemCollectionMetrics",
            "ConsumedCapacity",
        ],
        OperationName::CreateTable => &["TableDescription"],
        OperationName::DeleteItem => &["Attributes", "ConsumedCapacity", "ItemCollectionMetrics"],
        OperationName::DeleteTable => &["TableDescription"],
        OperationName::DescribeEndpoints => &["Endpoints"],
        OperationName::DescribeLimits => &[
            "AccountMaxReadCapacityUnits",
            "AccountMaxWriteCapacityUnits",
            "TableMaxReadCapacityUnits",
            "TableMaxWriteCapacityUnits",
        ],
        OperationName::DescribeTable => &["Table"],
        OperationName::DescribeTimeToLive => &["TimeToLiveDescription"],
        OperationName::GetItem => &["Item", "ConsumedCapacity"],
        OperationName::ListTables => &["TableNames", "LastEvaluatedTableName"],
        OperationName::PutItem => &["Attributes", "ConsumedCapacity", "ItemCollectionMetrics"],
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
        OperationName::TransactGetItems => &["ConsumedCapacity", "Responses"],
        OperationName::TransactWriteItems => &["ConsumedCapacity", "ItemCollectionMetrics"],
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
