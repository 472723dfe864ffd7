//! One good request of each operation, to be spoiled.

use monotable_api::OperationName;
use serde_json::{Value, json};

/// Where the stream of the table `Items` is read.
pub struct StreamPlace {
    pub arn: String,
    pub shard: String,
    pub iterator: String,
}

/// A table with indexes of both kinds and a stream.
pub fn create_table(name: &str) -> Value {
    json!({
        "TableName": name,
        "BillingMode": "PAY_PER_REQUEST",
        "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
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
        }],
        "VectorIndexes": [{
            "IndexName": "near",
            "VectorAttribute": {"AttributeName": "v"},
            "SearchSchema": [{"AttributeName": "g", "SearchSchemaElementType": "INLINE_FILTER"}],
            "Projection": {"ProjectionType": "KEYS_ONLY"},
            "Dimensions": 2,
            "DistanceFunction": "COSINE"
        }]
    })
}

/// A backup that is not there.
const BACKUP: &str =
    "arn:aws:dynamodb:local:000000000000:table/Items/backup/01700000000000-abcdef01";

const ARN: &str = "arn:aws:dynamodb:local:000000000000:table/Items";

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

pub fn good(operation: OperationName, stream: &StreamPlace) -> Value {
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
        Name::ListStreams => json!({
            "TableName": "Items", "Limit": 10, "ExclusiveStartStreamArn": stream.arn
        }),
        Name::DescribeStream => json!({
            "StreamArn": stream.arn, "Limit": 10, "ExclusiveStartShardId": stream.shard,
            "ShardFilter": {"Type": "CHILD_SHARDS", "ShardId": stream.shard}
        }),
        Name::GetShardIterator => json!({
            "StreamArn": stream.arn, "ShardId": stream.shard, "ShardIteratorType": "TRIM_HORIZON"
        }),
        Name::GetRecords => json!({"ShardIterator": stream.iterator, "Limit": 3}),
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
        Name::ExecuteStatement => json!({
            "Statement": "SELECT a, m.k[1] FROM Items.\"local\" WHERE pk = ? AND begins_with(l, ?) \
                AND NOT a IN [5, 'x'] ORDER BY l DESC",
            "Parameters": [{"S": "p"}, {"B": "AA=="}],
            "Limit": 2, "ConsistentRead": true, "ReturnConsumedCapacity": "INDEXES"
        }),
        Name::BatchExecuteStatement => json!({"Statements": [
            {"Statement": "UPDATE Items SET a = a + 1 SET s = set_add(s, <<'z'>>) REMOVE m.k[0] \
                WHERE pk = 'p' AND sk = ? RETURNING MODIFIED NEW *", "Parameters": [{"N": "1"}]},
            {"Statement": "INSERT INTO Items VALUE {'pk': 'p', 'sk': 9, 'l': ?, 'm': {'a': [1, <<2>>]}}",
             "Parameters": [{"B": "AAI="}]}
        ], "ReturnConsumedCapacity": "TOTAL"}),
        Name::ExecuteTransaction => json!({"ClientRequestToken": "t", "TransactStatements": [
            {"Statement": "EXISTS(SELECT * FROM Items WHERE pk = 'p' AND sk = 1 AND b = true)"},
            {"Statement": "DELETE FROM Items WHERE pk = 'p' AND sk = ? AND size(s) > 0",
             "Parameters": [{"N": "2"}], "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
        ]}),
        Name::TagResource => json!({
            "ResourceArn": ARN, "Tags": [{"Key": "team", "Value": "a b"}, {"Key": "x", "Value": ""}]
        }),
        Name::UntagResource => json!({"ResourceArn": ARN, "TagKeys": ["team", "nobody"]}),
        Name::ListTagsOfResource => json!({"ResourceArn": ARN}),
        Name::PutResourcePolicy => json!({
            "ResourceArn": ARN, "ExpectedRevisionId": "NO_POLICY",
            "Policy": "{\"Version\": \"2012-10-17\", \"Statement\": [{\"Effect\": \"Deny\", \"Principal\": \"*\", \"Action\": \"dynamodb:*\", \"Resource\": \"*\"}]}"
        }),
        Name::DescribeContributorInsights => json!({"TableName": "Items", "IndexName": "global"}),
        Name::ListContributorInsights => json!({"TableName": "Items", "MaxResults": 5}),
        Name::UpdateContributorInsights => json!({
            "TableName": "Items", "IndexName": "global", "ContributorInsightsAction": "DISABLE",
            "ContributorInsightsMode": "THROTTLED_KEYS"
        }),
        Name::DescribeKinesisStreamingDestination | Name::DescribeTableReplicaAutoScaling => {
            json!({"TableName": "Items"})
        }
        Name::DescribeGlobalTable | Name::DescribeGlobalTableSettings => {
            json!({"GlobalTableName": "Items"})
        }
        Name::ListGlobalTables => json!({"Limit": 3, "RegionName": "local"}),
        Name::DeleteResourcePolicy => json!({"ResourceArn": ARN}),
        Name::CreateBackup => json!({"TableName": "Items", "BackupName": "first"}),
        Name::DescribeBackup | Name::DeleteBackup => json!({"BackupArn": BACKUP}),
        Name::ListBackups => json!({
            "TableName": "Items", "Limit": 3, "BackupType": "ALL",
            "TimeRangeLowerBound": 1, "TimeRangeUpperBound": 1_800_000_000
        }),
        Name::RestoreTableFromBackup => json!({
            "TargetTableName": "Restored", "BackupArn": BACKUP,
            "BillingModeOverride": "PAY_PER_REQUEST"
        }),
        Name::DescribeContinuousBackups => json!({"TableName": "Items"}),
        Name::UpdateContinuousBackups => json!({
            "TableName": "Items", "PointInTimeRecoverySpecification": {
                "PointInTimeRecoveryEnabled": true, "RecoveryPeriodInDays": 7
            }
        }),
        // Of a table that is not there: a table that is restored comes in the background, while contents are compared.
        Name::RestoreTableToPointInTime => json!({
            "SourceTableName": "Nothing", "TargetTableName": "Restored", "UseLatestRestorableTime": true
        }),
        Name::ExportTableToPointInTime => json!({
            "TableArn": ARN, "S3Bucket": "bucket", "S3Prefix": "a/b", "ExportFormat": "DYNAMODB_JSON"
        }),
        Name::DescribeExport => {
            json!({"ExportArn": format!("{ARN}/export/01700000000000-abcdef01")})
        }
        Name::ListExports => json!({"TableArn": ARN, "MaxResults": 5}),
        Name::ImportTable => json!({
            "S3BucketSource": {"S3Bucket": "bucket", "S3KeyPrefix": "a/"},
            "InputFormat": "CSV", "InputFormatOptions": {"Csv": {"Delimiter": ";", "HeaderList": ["pk"]}},
            "InputCompressionType": "GZIP", "TableCreationParameters": create_table("Imported")
        }),
        Name::DescribeImport => {
            json!({"ImportArn": format!("{ARN}/import/01700000000000-abcdef01")})
        }
        Name::StartBulkPutItems => json!({
            "TableName": ARN, "ClientToken": "token", "MaxWriteRequestUnits": 2048, "PerformanceTier": "STANDARD",
            "InputS3Configuration": {"S3Bucket": "bucket", "S3KeyPrefix": "a/", "InputFormat": "DYNAMODB_JSON", "InputCompressionType": "GZIP"},
            "OutputS3Configuration": {"S3Bucket": "reports", "S3KeyPrefix": "b/", "OutputType": ["ERROR", "CONDITION_CHECK_FAILURE"]}
        }),
        Name::DescribeBulkOperation | Name::CancelBulkOperation => {
            json!({"BulkOperationArn": format!("{ARN}/bulk-operation/01700000000000-abcdef01")})
        }
        Name::SearchVectors => json!({
            "TableName": ARN, "IndexName": "near", "SearchVector": [{"N": "1"}, {"N": "0.5"}], "TopK": 3,
            "ProjectionExpression": "#v", "ExpressionAttributeNames": {"#v": "v"}, "ReturnConsumedCapacity": "TOTAL"
        }),
        Name::ListBulkOperations => json!({"MaxResults": 5}),
        Name::ListImports => json!({"TableArn": ARN, "PageSize": 5}),
        // Operations without members, and those that are not there yet.
        _ => json!({}),
    }
}
