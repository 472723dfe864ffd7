//! Random values of the members, by the members' names.
//!
//! They are in the one form in which Monotable writes them (numbers without needless digits, sets in
//! order), so that what comes back can be compared with what was sent.

mod backups;

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9 é\"\\\\]{0,12}"
}

fn name() -> impl Strategy<Value = String> {
    "[a-zA-Z#:]{1,8}"
}

/// An attribute value in DynamoDB's JSON.
fn attribute() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(|text| json!({"S": text})),
        any::<i64>().prop_map(|number| json!({"N": number.to_string()})),
        any::<bool>().prop_map(|value| json!({"BOOL": value})),
        Just(json!({"NULL": true})),
        Just(json!({"B": "AQID"})),
        btree_set(text(), 1..4).prop_map(|set| json!({"SS": set})),
        btree_set(0i64..100, 1..4)
            .prop_map(|set| json!({"NS": set.iter().map(i64::to_string).collect::<Vec<_>>()})),
        Just(json!({"BS": ["AQ==", "Ag=="]})),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(|list| json!({"L": list})),
            btree_map(name(), inner, 0..3).prop_map(|map| json!({"M": map})),
        ]
    })
}

fn item() -> impl Strategy<Value = Value> {
    btree_map(name(), attribute(), 0..4).prop_map(|item| json!(item))
}

/// A structure with some of these members.
fn structure(members: &[&str]) -> BoxedStrategy<Value> {
    assemble(
        members
            .iter()
            .map(|member| ((*member).to_owned(), value(member)))
            .collect(),
    )
}

fn assemble(members: Vec<(String, BoxedStrategy<Value>)>) -> BoxedStrategy<Value> {
    let members: Vec<_> = members
        .into_iter()
        .map(|(name, value)| (Just(name), proptest::option::of(value)))
        .collect();
    members
        .prop_map(|members| {
            let given = members
                .into_iter()
                .filter_map(|(name, value)| Some((name, value?)));
            Value::Object(given.collect::<Map<_, _>>())
        })
        .boxed()
}

fn list(element: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    vec(element, 0..3).prop_map(Value::Array).boxed()
}

fn map(value: impl Strategy<Value = Value> + 'static) -> BoxedStrategy<Value> {
    btree_map(name(), value, 0..3)
        .prop_map(|map| json!(map))
        .boxed()
}

fn number() -> BoxedStrategy<Value> {
    (0i64..1_000_000).prop_map(|number| json!(number)).boxed()
}

fn units() -> BoxedStrategy<Value> {
    (0u32..1000)
        .prop_map(|halves| json!(f64::from(halves) / 2.0))
        .boxed()
}

fn word(words: &'static [&'static str]) -> BoxedStrategy<Value> {
    proptest::sample::select(words)
        .prop_map(|word| json!(word))
        .boxed()
}

const EXPRESSION: &[&str] = &[
    "TableName",
    "ConditionExpression",
    "ExpressionAttributeNames",
    "ExpressionAttributeValues",
    "ReturnValuesOnConditionCheckFailure",
];

fn action(members: &[&str]) -> BoxedStrategy<Value> {
    structure(&[EXPRESSION, members].concat())
}

/// A random value of a member.
fn value(member: &str) -> BoxedStrategy<Value> {
    match member {
        "Item"
        | "Key"
        | "ExclusiveStartKey"
        | "LastEvaluatedKey"
        | "ExpressionAttributeValues"
        | "Attributes"
        | "NewImage"
        | "OldImage"
        | "ItemCollectionKey" => item().boxed(),
        "Items" | "Keys" => list(item()),
        "Limit"
        | "MaxResults"
        | "Segment"
        | "TotalSegments"
        | "Count"
        | "ScannedCount"
        | "ReadCapacityUnits"
        | "WriteCapacityUnits"
        | "MaxReadRequestUnits"
        | "MaxWriteRequestUnits"
        | "ReadUnitsPerSecond"
        | "WriteUnitsPerSecond"
        | "TableSizeBytes"
        | "ItemCount"
        | "IndexSizeBytes"
        | "NumberOfDecreasesToday"
        | "SizeBytes"
        | "CachePeriodInMinutes"
        | "AccountMaxReadCapacityUnits"
        | "AccountMaxWriteCapacityUnits"
        | "TableMaxReadCapacityUnits"
        | "TableMaxWriteCapacityUnits" => number(),
        "ConsistentRead"
        | "ScanIndexForward"
        | "StreamEnabled"
        | "Enabled"
        | "Exists"
        | "DeletionProtectionEnabled"
        | "ConfirmRemoveSelfResourceAccess"
        | "Backfilling" => any::<bool>().prop_map(|value| json!(value)).boxed(),
        // Refused parameters keep only that they were given.
        "GlobalTableSourceArn"
        | "GlobalTableSettingsReplicationMode"
        | "ReplicaUpdates"
        | "MultiRegionConsistency"
        | "GlobalTableWitnessUpdates"
        | "DisassociationProtectionEnabled" => Just(json!({})).boxed(),
        "Dimensions" | "TopK" => number(),
        "Score" => units(),
        "DistanceFunction" => word(&["COSINE", "DOT_PRODUCT", "EUCLIDEAN"]),
        "SearchSchemaElementType" => word(&["HASH", "INLINE_FILTER"]),
        "SearchVector" => list(attribute()),
        "ExpressionAttributeNames" => map(text().prop_map(Value::String)),
        "TableNames"
        | "NonKeyAttributes"
        | "AttributesToGet"
        | "TagKeys"
        | "ContributorInsightsRuleList" => list(text().prop_map(Value::String)),
        "CapacityUnits" => units(),
        "SizeEstimateRangeGB" => list(units()),
        "CreationDateTime"
        | "LastIncreaseDateTime"
        | "LastDecreaseDateTime"
        | "CreationRequestDateTime"
        | "ApproximateCreationDateTime"
        | "Timestamp"
        | "LastUpdateDateTime" => units(),
        "TableStatus" | "IndexStatus" => word(&["CREATING", "UPDATING", "DELETING", "ACTIVE"]),
        _ => nested(member),
    }
}

/// The members of a vector index that requests and answers have.
const VECTOR_INDEX: &[&str] = &[
    "IndexName",
    "VectorAttribute",
    "SearchSchema",
    "Projection",
    "Dimensions",
    "DistanceFunction",
];

/// A random value of a member that is a structure, or holds some. Any other is text.
fn nested(member: &str) -> BoxedStrategy<Value> {
    match member {
        "AttributeDefinitions" => list(structure(&["AttributeName", "AttributeType"])),
        "KeySchema" => list(structure(&["AttributeName", "KeyType"])),
        "VectorIndexes" => list(structure(VECTOR_INDEX)),
        "VectorIndexUpdates" => list(assemble(vec![
            ("Create".to_owned(), structure(VECTOR_INDEX)),
            ("Delete".to_owned(), structure(&["IndexName"])),
        ])),
        "VectorAttribute" => structure(&["AttributeName"]),
        "SearchSchema" => list(structure(&["AttributeName", "SearchSchemaElementType"])),
        "SearchResults" => list(structure(&["Item", "Score"])),
        "FailureException" => structure(&["ExceptionName", "ExceptionDescription"]),
        "ContributorInsightsSummaries" => list(structure(&[
            "TableName",
            "IndexName",
            "ContributorInsightsStatus",
            "ContributorInsightsMode",
        ])),
        "KinesisDataStreamDestinations" => list(structure(&[
            "StreamArn",
            "DestinationStatus",
            "DestinationStatusDescription",
            "ApproximateCreationDateTimePrecision",
        ])),
        "GlobalTables" => list(structure(&["GlobalTableName", "ReplicationGroup"])),
        "ReplicationGroup" => list(structure(&["RegionName"])),
        "Projection" => structure(&["ProjectionType", "NonKeyAttributes"]),
        "LocalSecondaryIndexes" => list(structure(&["IndexName", "KeySchema", "Projection"])),
        "GlobalSecondaryIndexes" => list(index()),
        "ProvisionedThroughput" => structure(&["ReadCapacityUnits", "WriteCapacityUnits"]),
        "OnDemandThroughput" => structure(&["MaxReadRequestUnits", "MaxWriteRequestUnits"]),
        "WarmThroughput" => structure(&["ReadUnitsPerSecond", "WriteUnitsPerSecond"]),
        "TimeToLiveSpecification" => structure(&["Enabled", "AttributeName"]),
        "TimeToLiveDescription" => structure(&["TimeToLiveStatus", "AttributeName"]),
        "TimeToLiveStatus" => word(&["ENABLING", "DISABLING", "ENABLED", "DISABLED"]),
        "StreamSpecification" => structure(&["StreamEnabled", "StreamViewType"]),
        "SSESpecification" => structure(&["Enabled", "SSEType", "KMSMasterKeyId"]),
        "Tags" => list(structure(&["Key_", "Value"]).prop_map(tag)),
        "GlobalSecondaryIndexUpdates" => {
            list(structure(&["Create", "DeleteIndex"]).prop_map(rename))
        }
        "Create" => index(),
        "DeleteIndex" => structure(&["IndexName"]),
        "TransactItems" => list(structure(&[
            "ConditionCheck",
            "Put",
            "Delete",
            "Update",
            "Get",
        ])),
        "ConditionCheck" | "Delete" => action(&["Key"]),
        "Put" => action(&["Item"]),
        "Update" => action(&["Key", "UpdateExpression"]),
        "Get" => structure(&[
            "TableName",
            "Key",
            "ProjectionExpression",
            "ExpressionAttributeNames",
        ]),
        "UnprocessedKeys" => map(structure(&[
            "Keys",
            "AttributesToGet",
            "ConsistentRead",
            "ProjectionExpression",
            "ExpressionAttributeNames",
        ])),
        "UnprocessedItems" => map(list(structure(&["PutRequest", "DeleteRequest"]))),
        "PutRequest" => structure(&["Item"]),
        "DeleteRequest" => structure(&["Key"]),
        "Table" | "TableDescription" => structure(&[
            "AttributeDefinitions",
            "TableName",
            "KeySchema",
            "TableStatus",
            "CreationDateTime",
            "ProvisionedThroughput",
            "TableSizeBytes",
            "ItemCount",
            "TableArn",
            "TableId",
            "LocalSecondaryIndexes",
            "GlobalSecondaryIndexes",
            "DeletionProtectionEnabled",
        ]),
        "KeyConditions" | "QueryFilter" | "ScanFilter" => {
            map(structure(&["AttributeValueList", "ComparisonOperator"]))
        }
        "Expected" => map(structure(&[
            "AttributeValueList",
            "ComparisonOperator",
            "Exists",
            "ExpectedValue",
        ])
        .prop_map(rename_value)),
        "AttributeUpdates" => map(structure(&["Action", "ExpectedValue"]).prop_map(rename_value)),
        "AttributeValueList" | "Parameters" => list(attribute()),
        "Statements" => list(structure(&[
            "Statement",
            "Parameters",
            "ConsistentRead",
            "ReturnValuesOnConditionCheckFailure",
        ])),
        "TransactStatements" => list(structure(&[
            "Statement",
            "Parameters",
            "ReturnValuesOnConditionCheckFailure",
        ])),
        "Error" => structure(&["Code", "Message", "Item"]),
        "ExpectedValue" => attribute().boxed(),
        "Endpoints" => list(structure(&["Address", "CachePeriodInMinutes"])),
        _ => of_stream(member),
    }
}

/// A random value of a member of an operation on streams. Any other is text.
fn of_stream(member: &str) -> BoxedStrategy<Value> {
    match member {
        "ShardFilter" => structure(&["Type", "ShardId"]),
        "Streams" => list(structure(&["StreamArn", "TableName", "StreamLabel"])),
        "StreamDescription" => structure(&[
            "StreamArn",
            "StreamLabel",
            "StreamStatus",
            "CreationRequestDateTime",
            "TableName",
            "Shards",
            "LastEvaluatedShardId",
        ]),
        "StreamStatus" => word(&["ENABLING", "ENABLED", "DISABLING", "DISABLED"]),
        "Shards" => list(structure(&[
            "ShardId",
            "SequenceNumberRange",
            "ParentShardId",
        ])),
        "SequenceNumberRange" => structure(&["StartingSequenceNumber", "EndingSequenceNumber"]),
        "Records" => list(structure(&[
            "eventID",
            "eventName",
            "eventVersion",
            "eventSource",
            "awsRegion",
            "dynamodb",
            "userIdentity",
        ])),
        "eventName" => word(&["INSERT", "MODIFY", "REMOVE"]),
        "dynamodb" => structure(&[
            "ApproximateCreationDateTime",
            "NewImage",
            "OldImage",
            "SequenceNumber",
            "SizeBytes",
        ]),
        "userIdentity" => structure(&["PrincipalId", "Type"]),
        _ => backups::value(member),
    }
}

fn index() -> BoxedStrategy<Value> {
    structure(&[
        "IndexName",
        "KeySchema",
        "Projection",
        "ProvisionedThroughput",
    ])
}

/// A tag's key is text, where everybody else's is an item.
fn tag(mut tag: Value) -> Value {
    rename_member(&mut tag, "Key_", "Key");
    tag
}

/// A tag's value is text, where this one is an attribute value.
fn rename_value(mut structure: Value) -> Value {
    rename_member(&mut structure, "ExpectedValue", "Value");
    structure
}

/// UpdateTable's Delete is not a transaction's.
fn rename(mut update: Value) -> Value {
    rename_member(&mut update, "DeleteIndex", "Delete");
    update
}

fn rename_member(structure: &mut Value, from: &str, to: &str) {
    let members = structure.as_object_mut().unwrap();
    if let Some(value) = members.remove(from) {
        members.insert(to.to_owned(), value);
    }
}

/// Members that one name cannot stand for, because operations differ in what they mean by it.
pub(crate) fn of_operation(operation: &str, members: &[&'static str]) -> BoxedStrategy<Value> {
    let own = |member: &str| -> Option<BoxedStrategy<Value>> {
        Some(match (operation, member) {
            ("BatchGetItem", "RequestItems") => nested("UnprocessedKeys"),
            ("BatchWriteItem", "RequestItems") => nested("UnprocessedItems"),
            ("TransactGetItems", "TransactItems") => list(structure(&["Get"])),
            ("TransactWriteItems", "TransactItems") => {
                list(structure(&["ConditionCheck", "Put", "Delete", "Update"]))
            }
            ("BatchGetItem", "Responses") => map(list(item())),
            ("TransactGetItems" | "ExecuteTransaction", "Responses") => list(structure(&["Item"])),
            ("BatchExecuteStatement", "Responses") => {
                list(structure(&["Error", "TableName", "Item"]))
            }
            (_, "ItemCollectionMetrics") if several(operation) => map(list(metrics())),
            (_, "ItemCollectionMetrics") => metrics(),
            (_, "ConsumedCapacity") if several(operation) => list(capacity()),
            (_, "ConsumedCapacity") => capacity(),
            _ => return None,
        })
    };
    let value = |member: &str| own(member).unwrap_or_else(|| value(member));
    assemble(
        members
            .iter()
            .map(|member| ((*member).to_owned(), value(member)))
            .collect(),
    )
}

fn several(operation: &str) -> bool {
    operation.starts_with("Batch")
        || operation.starts_with("Transact")
        || operation == "ExecuteTransaction"
}

fn metrics() -> BoxedStrategy<Value> {
    structure(&["ItemCollectionKey", "SizeEstimateRangeGB"])
}

fn capacity() -> BoxedStrategy<Value> {
    let share = structure(&["CapacityUnits"]);
    let shares = map(share.clone());
    (
        structure(&["TableName", "CapacityUnits"]),
        proptest::option::of((share, shares)),
    )
        .prop_map(|(mut capacity, detail)| {
            if let Some((table, indexes)) = detail {
                capacity["Table"] = table;
                capacity["GlobalSecondaryIndexes"] = indexes;
            }
            capacity
        })
        .boxed()
}
