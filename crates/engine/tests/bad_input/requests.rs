//! One good request of each operation, to be spoiled.

use monotable_api::OperationName;
use serde_json::{Value, json};

/// A table with indexes of both kinds.
pub fn create_table(name: &str) -> Value {
    json!({
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [
            {"AttributeName": "pk", "KeyType": "HASH"},
            {"AttributeName": "sk", "KeyType": "RANGE"}
        ],
        "AttributeDefinitions": [
            {"AttributeName": "pk", "AttributeType": "S"},
            {"AttributeName": "sk", "AttributeType": "N"},
            {"AttributeName": "g", "AttributeType": "S"},
            {"AttributeName": "l", "AttributeType": "B"}
        ],
        "LocalSecondaryIndexes": [{
            "IndexName": "local",
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "l", "KeyType": "RANGE"}
            ],
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a"]}
        }],
        "GlobalSecondaryIndexes": [{
            "IndexName": "global",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"}
        }]
    })
}

pub fn key(number: u32) -> Value {
    json!({"pk": {"S": "p"}, "sk": {"N": number.to_string()}})
}

pub fn item(number: u32) -> Value {
    json!({
        "pk": {"S": "p"}, "sk": {"N": number.to_string()}, "g": {"S": "g1"}, "l": {"B": "AAE="},
        "a": {"N": "1"}, "m": {"M": {"k": {"L": [{"S": "x"}, {"NULL": true}]}}},
        "s": {"SS": ["x", "y"]}, "b": {"BOOL": true}
    })
}

fn write(extra: Value) -> Value {
    let mut write = json!({
        "TableName": "Items",
        "ConditionExpression": "#a = :one OR attribute_not_exists(pk)",
        "ExpressionAttributeNames": {"#a": "a"},
        "ExpressionAttributeValues": {":one": {"N": "1"}},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD"
    });
    merge(&mut write, extra);
    write
}

fn single(extra: Value) -> Value {
    let mut single = write(extra);
    let returned = json!({
        "ReturnValues": "ALL_OLD", "ReturnConsumedCapacity": "INDEXES",
        "ReturnItemCollectionMetrics": "SIZE"
    });
    merge(&mut single, returned);
    single
}

fn merge(into: &mut Value, extra: Value) {
    if let (Value::Object(into), Value::Object(extra)) = (into, extra) {
        into.extend(extra);
    }
}

fn update(extra: Value) -> Value {
    let mut update = json!({
        "Key": key(1), "UpdateExpression": "SET #a = if_not_exists(#a, :one) + :one REMOVE m.k[0]"
    });
    merge(&mut update, extra);
    update
}

pub fn good(operation: OperationName) -> Value {
    use OperationName as Name;
    match operation {
        Name::CreateTable => create_table("Created"),
        Name::DeleteTable | Name::DescribeTable | Name::DescribeTimeToLive => {
            json!({"TableName": "Items"})
        }
        Name::UpdateTimeToLive => json!({
            "TableName": "Items",
            "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "expires"}
        }),
        Name::UpdateTable => json!({
            "TableName": "Items", "DeletionProtectionEnabled": true
        }),
        Name::ListTables => json!({"ExclusiveStartTableName": "Abc", "Limit": 10}),
        Name::PutItem => single(json!({"Item": item(7)})),
        Name::DeleteItem => single(json!({"Key": key(2)})),
        Name::UpdateItem => single(update(json!({"ReturnValues": "UPDATED_NEW"}))),
        Name::GetItem => json!({
            "TableName": "Items", "Key": key(1), "ConsistentRead": true,
            "ProjectionExpression": "pk, #m.k[1]", "ExpressionAttributeNames": {"#m": "m"}
        }),
        Name::Query => json!({
            "TableName": "Items", "IndexName": "local", "Select": "ALL_ATTRIBUTES", "Limit": 3,
            "ScanIndexForward": false, "ConsistentRead": true, "ReturnConsumedCapacity": "TOTAL",
            "KeyConditionExpression": "pk = :p AND begins_with(l, :l)",
            "FilterExpression": "contains(s, :x) AND size(b) > :zero OR a BETWEEN :zero AND :one",
            "ExpressionAttributeValues": {
                ":p": {"S": "p"}, ":l": {"B": "AA=="}, ":x": {"S": "x"}, ":zero": {"N": "0"},
                ":one": {"N": "1"}
            },
            "ExclusiveStartKey": {"pk": {"S": "p"}, "sk": {"N": "4"}, "l": {"B": "AAE="}}
        }),
        Name::Scan => json!({
            "TableName": "Items", "IndexName": "global", "Segment": 0, "TotalSegments": 1, "Limit": 2,
            "FilterExpression": "a IN (:one, :x) AND NOT attribute_type(s, :t)",
            "ExpressionAttributeValues": {":one": {"N": "1"}, ":x": {"S": "x"}, ":t": {"S": "L"}},
            "ExclusiveStartKey": {"pk": {"S": "p"}, "sk": {"N": "1"}, "g": {"S": "g1"}}
        }),
        Name::BatchGetItem => json!({"RequestItems": {"Items": {
            "Keys": [key(1), key(2), key(9)], "ProjectionExpression": "#a, m",
            "ExpressionAttributeNames": {"#a": "a"}, "ConsistentRead": true
        }}, "ReturnConsumedCapacity": "INDEXES"}),
        Name::BatchWriteItem => json!({"RequestItems": {"Items": [
            {"PutRequest": {"Item": item(8)}}, {"DeleteRequest": {"Key": key(3)}}
        ]}, "ReturnConsumedCapacity": "INDEXES"}),
        Name::TransactGetItems => json!({"TransactItems": [
            {"Get": {"TableName": "Items", "Key": key(1), "ProjectionExpression": "a"}},
            {"Get": {"TableName": "Items", "Key": key(2)}}
        ]}),
        Name::TransactWriteItems => json!({"ClientRequestToken": "t", "TransactItems": [
            {"Put": write(json!({"Item": item(5)}))},
            {"Update": write(update(json!({})))},
            {"Delete": write(json!({"Key": key(4)}))},
            {"ConditionCheck": write(json!({"Key": key(3)}))}
        ]}),
        // Operations without members, and those that are not there yet.
        _ => json!({}),
    }
}
