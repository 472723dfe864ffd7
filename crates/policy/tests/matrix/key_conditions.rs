//! Every way to name a partition, by ada, who may touch partitions called ada alone: by policies that say so in four ways, each
//! request is allowed exactly if all the partitions that it names are hers.

use crate::judge;
use crate::table::Outcome;

/// Bodies of requests; `USER` stands for the partition that is named.
const FORMS: &[(&str, &str)] = &[
    // Query: each comparison of a sort key, names and values by placeholders, either side, and parentheses.
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": "UserId = :u", "ExpressionAttributeValues": {":u": {"S": "USER"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": ":u = UserId", "ExpressionAttributeValues": {":u": {"S": "USER"}}}"#,
    ),
    (
        "Query",
        r##"{"TableName": "Games", "KeyConditionExpression": "#k = :u", "ExpressionAttributeNames": {"#k": "UserId"}, "ExpressionAttributeValues": {":u": {"S": "USER"}}}"##,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": "(UserId = :u) AND (GameTitle = :g)", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":g": {"S": "ada"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": "GameTitle = :g AND UserId = :u", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":g": {"S": "ada"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": "UserId = :u AND GameTitle < :g", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":g": {"S": "ada"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": "UserId = :u AND GameTitle <= :g", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":g": {"S": "ada"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": "UserId = :u AND GameTitle > :g", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":g": {"S": "ada"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": "UserId = :u AND :g >= GameTitle", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":g": {"S": "ada"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": "UserId = :u AND GameTitle BETWEEN :g AND :h", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":g": {"S": "ada"}, ":h": {"S": "eve"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": "begins_with(GameTitle, :g) AND UserId = :u", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":g": {"S": "ada"}}}"#,
    ),
    // A page that goes on in another partition than the one that is named.
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditionExpression": "UserId = :u", "ExpressionAttributeValues": {":u": {"S": "USER"}}, "ExclusiveStartKey": {"UserId": {"S": "ada"}, "GameTitle": {"S": "Go"}}}"#,
    ),
    // Before expressions.
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditions": {"UserId": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "USER"}]}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "KeyConditions": {"GameTitle": {"ComparisonOperator": "BETWEEN", "AttributeValueList": [{"S": "ada"}, {"S": "b"}]}, "UserId": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "USER"}]}}}"#,
    ),
    // Indexes: the partition is that of the index.
    (
        "Query",
        r#"{"TableName": "Games", "IndexName": "ByScore", "KeyConditionExpression": "UserId = :u AND Score BETWEEN :s AND :t", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":s": {"N": "1"}, ":t": {"N": "2"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "IndexName": "ByTitle", "KeyConditionExpression": "GameTitle = :u AND TopScore > :s", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":s": {"N": "1"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "Games", "IndexName": "ByPlace", "KeyConditionExpression": "City = :c AND Country = :u AND begins_with(Street, :c)", "ExpressionAttributeValues": {":u": {"S": "USER"}, ":c": {"S": "ada"}}}"#,
    ),
    // Single items.
    (
        "GetItem",
        r#"{"TableName": "Games", "Key": {"GameTitle": {"S": "ada"}, "UserId": {"S": "USER"}}}"#,
    ),
    (
        "PutItem",
        r#"{"TableName": "Games", "Item": {"GameTitle": {"S": "ada"}, "UserId": {"S": "USER"}}}"#,
    ),
    (
        "UpdateItem",
        r#"{"TableName": "Games", "Key": {"GameTitle": {"S": "ada"}, "UserId": {"S": "USER"}}}"#,
    ),
    (
        "DeleteItem",
        r#"{"TableName": "Games", "Key": {"GameTitle": {"S": "ada"}, "UserId": {"S": "USER"}}}"#,
    ),
    // Several: one that is not hers is enough.
    (
        "BatchGetItem",
        r#"{"RequestItems": {"Games": {"Keys": [{"UserId": {"S": "ada"}, "GameTitle": {"S": "1"}}, {"UserId": {"S": "USER"}, "GameTitle": {"S": "2"}}]}}}"#,
    ),
    (
        "BatchWriteItem",
        r#"{"RequestItems": {"Games": [{"PutRequest": {"Item": {"UserId": {"S": "ada"}, "GameTitle": {"S": "1"}}}}, {"DeleteRequest": {"Key": {"UserId": {"S": "USER"}, "GameTitle": {"S": "2"}}}}]}}"#,
    ),
    (
        "TransactGetItems",
        r#"{"TransactItems": [{"Get": {"TableName": "Games", "Key": {"UserId": {"S": "ada"}, "GameTitle": {"S": "1"}}}}, {"Get": {"TableName": "Games", "Key": {"UserId": {"S": "USER"}, "GameTitle": {"S": "2"}}}}]}"#,
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems": [{"Put": {"TableName": "Games", "Item": {"UserId": {"S": "USER"}, "GameTitle": {"S": "1"}}}}]}"#,
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems": [{"Update": {"TableName": "Games", "Key": {"UserId": {"S": "USER"}, "GameTitle": {"S": "1"}}, "UpdateExpression": "REMOVE x"}}]}"#,
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems": [{"Delete": {"TableName": "Games", "Key": {"UserId": {"S": "USER"}, "GameTitle": {"S": "1"}}}}]}"#,
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems": [{"ConditionCheck": {"TableName": "Games", "Key": {"UserId": {"S": "USER"}, "GameTitle": {"S": "1"}}, "ConditionExpression": "attribute_exists(x)"}}]}"#,
    ),
    // Statements.
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM Games WHERE UserId = 'USER'"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM Games WHERE 'USER' = UserId AND GameTitle BETWEEN 'a' AND 'b'"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM Games WHERE UserId = ? AND begins_with(GameTitle, ?)", "Parameters": [{"S": "USER"}, {"S": "ada"}]}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM Games WHERE UserId IN ['ada', 'USER'] AND GameTitle = 'ada'"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM Games WHERE (UserId = 'USER' AND GameTitle = 'a') OR (UserId = 'ada' AND GameTitle > 'b')"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM \"Games\".\"ByScore\" WHERE UserId = 'USER' AND Score > 3"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "INSERT INTO Games VALUE {'UserId': 'USER', 'GameTitle': 'ada'}"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "UPDATE Games SET x = 1 WHERE GameTitle = 'ada' AND UserId = 'USER'"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "DELETE FROM Games WHERE UserId = 'USER' AND GameTitle = 'ada'"}"#,
    ),
    (
        "BatchExecuteStatement",
        r#"{"Statements": [{"Statement": "SELECT * FROM Games WHERE UserId = 'ada' AND GameTitle = 'a'"}, {"Statement": "SELECT * FROM Games WHERE UserId = 'USER' AND GameTitle = 'a'"}]}"#,
    ),
    (
        "ExecuteTransaction",
        r#"{"TransactStatements": [{"Statement": "EXISTS(SELECT * FROM Games WHERE UserId = 'USER' AND GameTitle = 'a' AND x = 1)"}, {"Statement": "DELETE FROM Games WHERE UserId = 'ada' AND GameTitle = 'a'"}]}"#,
    ),
];

/// Requests that name no partition at all.
const EMPTY: &[(&str, &str)] = &[
    ("Scan", r#"{"TableName": "Games"}"#),
    (
        "Scan",
        r#"{"TableName": "Games", "FilterExpression": "UserId = :u", "ExpressionAttributeValues": {":u": {"S": "ada"}}}"#,
    ),
    ("Scan", r#"{"TableName": "Games", "IndexName": "ByScore"}"#),
    (
        "Scan",
        r#"{"TableName": "Games", "Segment": 0, "TotalSegments": 2}"#,
    ),
    (
        "Scan",
        r#"{"TableName": "Games", "ExclusiveStartKey": {"UserId": {"S": "ada"}, "GameTitle": {"S": "Go"}}}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM Games"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM Games WHERE UserId > 'ada'"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM Games WHERE begins_with(UserId, 'ada')"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM Games WHERE NOT UserId = 'ada'"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM Games WHERE UserId = 'ada' OR GameTitle = 'ada'"}"#,
    ),
];

/// Policies that all mean the same: her own partitions, and nothing without one.
const POLICIES: &[(&str, &str)] = &[
    (
        "all values, and some",
        r#"{"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": "${aws:username}"}, "Null": {"dynamodb:LeadingKeys": "false"}}}"#,
    ),
    (
        "by patterns",
        r#"{"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["${aws:username}", "${aws:username}#*"]}, "Null": {"dynamodb:LeadingKeys": "false"}}}"#,
    ),
    (
        "by a Deny of others",
        r#"{"Effect": "Allow", "Action": "*", "Resource": "*"}, {"Effect": "Deny", "Action": "*", "Resource": "*", "Condition": {"ForAnyValue:StringNotEquals": {"dynamodb:LeadingKeys": "ada"}}}, {"Effect": "Deny", "Action": "*", "Resource": "*", "Condition": {"Null": {"dynamodb:LeadingKeys": "true"}}}"#,
    ),
    (
        "by a Deny in any case",
        r#"{"Effect": "Allow", "Action": "*", "Resource": "*", "Condition": {"Null": {"dynamodb:LeadingKeys": "false"}}}, {"Effect": "Deny", "Action": "*", "Resource": "*", "Condition": {"ForAnyValue:StringNotLike": {"dynamodb:LeadingKeys": ["ada", "ada#*"]}}}"#,
    ),
];

/// A partition of hers, and what looks like one.
const PARTITIONS: &[(&str, bool)] = &[
    ("ada", true),
    ("eve", false),
    ("ADA", false),
    ("adaline", false),
    ("*", false),
    ("ad?", false),
];

#[test]
fn each_way_to_name_a_partition_is_judged_by_it() {
    let (mut wrong, mut cases) = (Vec::new(), 0);
    for (policy, statements) in POLICIES {
        let document = format!(r#"{{"Version": "2012-10-17", "Statement": [{statements}]}}"#);
        let identity = judge::identity(&document);
        let mut try_case = |operation: &str, body: &str, is_hers: bool| {
            let found = judge::outcome(&identity, &judge::accesses(operation, body));
            cases += 1;
            if (found == Outcome::Allowed) != is_hers {
                wrong.push(format!("{policy}: {found:?}: {operation} {body}"));
            }
        };
        for (operation, form) in FORMS {
            for (partition, is_hers) in PARTITIONS {
                try_case(operation, &form.replace("USER", partition), *is_hers);
            }
        }
        for (operation, body) in EMPTY {
            try_case(operation, body, false);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        cases,
        POLICIES.len() * (FORMS.len() * PARTITIONS.len() + EMPTY.len())
    );
}
