//! The policy that `export iam-policy` prints for the values model, at a server that runs, with two users: each does everything
//! with rows of their own that the model needs, and nothing reaches rows of the other.
#![cfg(feature = "aws")]

use crate::sandbox::{Sandbox, Served};
use crate::versions::MODEL;
use monotable_api::{
    BatchStatementErrorCode, Chosen, Dynamo, Error, OperationName, Request, Response,
};
use monotable_aws::{Remote, RemoteOptions};

/// What a user sends; `OWN` and `OTHER` stand for partitions. All of them are allowed where every partition is the user's own.
const ALLOWED: &[(&str, &str)] = &[
    (
        "PutItem",
        r#"{"TableName": "App", "Item": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}, "v": {"N": "1"}}}"#,
    ),
    (
        "PutItem",
        r#"{"TableName": "App", "Item": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}, "ReturnValues": "ALL_OLD"}"#,
    ),
    (
        "GetItem",
        r#"{"TableName": "App", "Key": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}}"#,
    ),
    (
        "GetItem",
        r#"{"TableName": "arn:aws:dynamodb:local:000000000000:table/App", "Key": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}}"#,
    ),
    (
        "UpdateItem",
        r#"{"TableName": "App", "Key": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}, "UpdateExpression": "SET v = :v", "ExpressionAttributeValues": {":v": {"N": "2"}}, "ReturnValues": "ALL_NEW"}"#,
    ),
    (
        "Query",
        r#"{"TableName": "App", "KeyConditionExpression": "PK = :p", "ExpressionAttributeValues": {":p": {"S": "OTHER"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "App", "KeyConditionExpression": ":p = PK AND begins_with(SK, :s)", "ExpressionAttributeValues": {":p": {"S": "OTHER"}, ":s": {"S": "x"}}}"#,
    ),
    (
        "Query",
        r#"{"TableName": "App", "KeyConditionExpression": "SK BETWEEN :s AND :t AND PK = :p", "ExpressionAttributeValues": {":p": {"S": "OTHER"}, ":s": {"S": "a"}, ":t": {"S": "z"}}, "Select": "COUNT"}"#,
    ),
    (
        "Query",
        r#"{"TableName": "App", "KeyConditions": {"PK": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "OTHER"}]}}}"#,
    ),
    (
        "BatchGetItem",
        r#"{"RequestItems": {"App": {"Keys": [{"PK": {"S": "OWN"}, "SK": {"S": "1"}}, {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}]}}}"#,
    ),
    (
        "BatchWriteItem",
        r#"{"RequestItems": {"App": [{"PutRequest": {"Item": {"PK": {"S": "OWN"}, "SK": {"S": "1"}}}}, {"PutRequest": {"Item": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}}}]}}"#,
    ),
    (
        "BatchWriteItem",
        r#"{"RequestItems": {"App": [{"DeleteRequest": {"Key": {"PK": {"S": "OTHER"}, "SK": {"S": "y"}}}}]}}"#,
    ),
    (
        "TransactGetItems",
        r#"{"TransactItems": [{"Get": {"TableName": "App", "Key": {"PK": {"S": "OWN"}, "SK": {"S": "1"}}}}, {"Get": {"TableName": "App", "Key": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}}}]}"#,
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems": [{"Put": {"TableName": "App", "Item": {"PK": {"S": "OWN"}, "SK": {"S": "1"}}}}, {"Put": {"TableName": "App", "Item": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}}}]}"#,
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems": [{"Update": {"TableName": "App", "Key": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}, "UpdateExpression": "SET v = :v", "ExpressionAttributeValues": {":v": {"N": "3"}}}}]}"#,
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems": [{"Put": {"TableName": "App", "Item": {"PK": {"S": "OWN"}, "SK": {"S": "2"}}}}, {"ConditionCheck": {"TableName": "App", "Key": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}, "ConditionExpression": "attribute_exists(PK)"}}]}"#,
    ),
    (
        "TransactWriteItems",
        r#"{"TransactItems": [{"Delete": {"TableName": "App", "Key": {"PK": {"S": "OTHER"}, "SK": {"S": "z"}}}}]}"#,
    ),
    (
        "DeleteItem",
        r#"{"TableName": "App", "Key": {"PK": {"S": "OTHER"}, "SK": {"S": "x"}}, "ReturnValues": "ALL_OLD"}"#,
    ),
];

/// What no user may do, with their own rows neither.
const REFUSED: &[(&str, &str)] = &[
    ("Scan", r#"{"TableName": "App"}"#),
    (
        "Scan",
        r#"{"TableName": "App", "ExclusiveStartKey": {"PK": {"S": "OWN"}, "SK": {"S": "a"}}}"#,
    ),
    (
        "Scan",
        r#"{"TableName": "App", "FilterExpression": "PK = :p", "ExpressionAttributeValues": {":p": {"S": "OWN"}}, "TotalSegments": 2, "Segment": 1}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM App WHERE PK = 'OWN'"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "SELECT * FROM App WHERE PK IN ['OWN', 'OTHER']"}"#,
    ),
    ("ExecuteStatement", r#"{"Statement": "SELECT * FROM App"}"#),
    (
        "ExecuteStatement",
        r#"{"Statement": "INSERT INTO App VALUE {'PK': 'OWN', 'SK': 'p'}"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "UPDATE App SET v = 9 WHERE PK = 'OTHER' AND SK = 'x'"}"#,
    ),
    (
        "ExecuteStatement",
        r#"{"Statement": "DELETE FROM App WHERE PK = 'OTHER' AND SK = 'x'"}"#,
    ),
    (
        "BatchExecuteStatement",
        r#"{"Statements": [{"Statement": "SELECT * FROM App WHERE PK = 'OTHER' AND SK = 'x'"}]}"#,
    ),
    (
        "ExecuteTransaction",
        r#"{"TransactStatements": [{"Statement": "DELETE FROM App WHERE PK = 'OTHER' AND SK = 'x'"}]}"#,
    ),
    ("ListTables", "{}"),
    ("DescribeTable", r#"{"TableName": "App"}"#),
    ("DeleteTable", r#"{"TableName": "App"}"#),
    (
        "UpdateTable",
        r#"{"TableName": "App", "DeletionProtectionEnabled": false}"#,
    ),
    (
        "UpdateTimeToLive",
        r#"{"TableName": "App", "TimeToLiveSpecification": {"Enabled": true, "AttributeName": "v"}}"#,
    ),
    (
        "CreateBackup",
        r#"{"TableName": "App", "BackupName": "theft"}"#,
    ),
    ("ListBackups", "{}"),
    (
        "RestoreTableToPointInTime",
        r#"{"SourceTableName": "App", "TargetTableName": "Mine", "UseLatestRestorableTime": true}"#,
    ),
    (
        "ExportTableToPointInTime",
        r#"{"TableArn": "arn:aws:dynamodb:local:000000000000:table/App", "S3Bucket": "mine"}"#,
    ),
    ("ListStreams", r#"{"TableName": "App"}"#),
    ("DescribeStream", r#"{"StreamArn": "STREAM"}"#),
    (
        "GetShardIterator",
        r#"{"StreamArn": "STREAM", "ShardId": "SHARD", "ShardIteratorType": "TRIM_HORIZON"}"#,
    ),
    ("GetRecords", r#"{"ShardIterator": "ITERATOR"}"#),
];

async fn connect(url: &str, user: &str) -> Remote {
    let options = RemoteOptions::new().endpoint_url(url).max_attempts(1);
    let options = options.credentials(format!("AKID{user}"), "hunter2", None);
    options.connect().await.unwrap()
}

async fn send(remote: &Remote, operation: &str, body: &str) -> Result<Response, Error> {
    let operation: OperationName = operation.parse().unwrap();
    let request = Request::decode(operation, body.as_bytes())
        .unwrap_or_else(|error| panic!("{body}: {error}"));
    remote.call(request).await
}

async fn ask(remote: &Remote, operation: &str, body: &str) -> serde_json::Value {
    let answer = send(remote, operation, body).await;
    let answer = answer.unwrap_or_else(|error| panic!("{operation} {body}: {error}"));
    serde_json::from_slice(&answer.encode().unwrap()).unwrap()
}

/// A server with the table of the model and its stream, for an administrator and two users.
fn serve(sandbox: &Sandbox) -> Served {
    sandbox.write("model.toml", MODEL);
    let policy = sandbox
        .run(&["export", "iam-policy", "model.toml"])
        .succeeded();
    sandbox.write("policy.json", policy.stdout);
    let user = |name: &str, sub: &str| {
        format!(
            "[{name}]\naws_access_key_id = AKID{name}\naws_secret_access_key = hunter2\npolicy = policy.json\n\
             context.cognito-identity.amazonaws.com:sub = {sub}\n"
        )
    };
    let keys = format!(
        "[admin]\naws_access_key_id = AKIDadmin\naws_secret_access_key = hunter2\n{}{}",
        user("ada", "abc"),
        user("eve", "abcd")
    );
    sandbox.write("keys.ini", keys);
    Served::start(sandbox, &["--in-memory", "--credentials", "keys.ini"])
}

const TABLE: &str = r#"{"TableName": "App", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}, {"AttributeName": "SK", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"}}"#;

/// An iterator of the table's stream, as the administrator gets it.
async fn find_iterator(admin: &Remote) -> (String, String, String) {
    let table = ask(admin, "DescribeTable", r#"{"TableName": "App"}"#).await;
    let stream = table["Table"]["LatestStreamArn"]
        .as_str()
        .unwrap()
        .to_owned();
    let described = ask(
        admin,
        "DescribeStream",
        &format!(r#"{{"StreamArn": "{stream}"}}"#),
    )
    .await;
    let shard = described["StreamDescription"]["Shards"][0]["ShardId"]
        .as_str()
        .unwrap()
        .to_owned();
    let body = format!(
        r#"{{"StreamArn": "{stream}", "ShardId": "{shard}", "ShardIteratorType": "TRIM_HORIZON"}}"#
    );
    let iterator = ask(admin, "GetShardIterator", &body).await;
    (
        stream,
        shard,
        iterator["ShardIterator"].as_str().unwrap().to_owned(),
    )
}

/// The partitions of one user that the other must not reach, and what looks like them.
fn list_foreign(own: &str, other: &str) -> Vec<String> {
    let shapes = [
        other.to_owned(),
        format!("{other}#VALUES#r"),
        format!("{other}#PLAN#2026-01-01"),
        format!("{own}x"),
        "U#".to_owned(),
        "U#*".to_owned(),
        format!("{}?", own.trim_end_matches('c')),
        own.to_lowercase(),
        "monotable#token#0".to_owned(),
    ];
    shapes.into_iter().collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_users_never_reach_rows_of_each_other() {
    let sandbox = Sandbox::new();
    let served = serve(&sandbox);
    let admin = connect(&served.url, "admin").await;
    ask(&admin, "CreateTable", TABLE).await;
    for partition in ["U#abc", "U#abcd", "U#abc#VALUES#r", "U#abcd#VALUES#r"] {
        for row in ["k", "x"] {
            let body = format!(
                r#"{{"TableName": "App", "Item": {{"PK": {{"S": "{partition}"}}, "SK": {{"S": "{row}"}}, "secret": {{"S": "of {partition}"}}}}}}"#
            );
            ask(&admin, "PutItem", &body).await;
        }
    }
    let (stream, shard, iterator) = find_iterator(&admin).await;
    for (user, own, other) in [("ada", "U#abc", "U#abcd"), ("eve", "U#abcd", "U#abc")] {
        let remote = connect(&served.url, user).await;
        let before = ask(&admin, "Scan", r#"{"TableName": "App"}"#).await;
        for foreign in list_foreign(own, other) {
            for (operation, body) in ALLOWED {
                let body = body.replace("OWN", own).replace("OTHER", &foreign);
                let answer = send(&remote, operation, &body).await;
                assert!(is_denied(&answer), "{user} {operation} {body}: {answer:?}");
            }
        }
        for (operation, body) in REFUSED {
            let body = body.replace("OWN", own).replace("OTHER", other);
            let body = body
                .replace("STREAM", &stream)
                .replace("SHARD", &shard)
                .replace("ITERATOR", &iterator);
            let answer = send(&remote, operation, &body).await;
            assert!(is_denied(&answer), "{user} {operation} {body}: {answer:?}");
        }
        let after = ask(&admin, "Scan", r#"{"TableName": "App"}"#).await;
        assert_eq!(
            before["Items"], after["Items"],
            "{user} has changed something"
        );
        // The requests themselves are good: with the user's own partitions all of them are carried out.
        for partition in [own.to_owned(), format!("{own}#VALUES#r")] {
            for (operation, body) in ALLOWED {
                ask(
                    &remote,
                    operation,
                    &body.replace("OWN", own).replace("OTHER", &partition),
                )
                .await;
            }
        }
    }
    served.stop();
}

/// A page of one's own partition cannot go on in that of the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_start_of_a_page_leads_nowhere_else() {
    let sandbox = Sandbox::new();
    let served = serve(&sandbox);
    let admin = connect(&served.url, "admin").await;
    ask(&admin, "CreateTable", TABLE).await;
    for (partition, row) in [
        ("U#abc", "a"),
        ("U#abc", "b"),
        ("U#abcd", "a"),
        ("U#abcd", "b"),
    ] {
        let body = format!(
            r#"{{"TableName": "App", "Item": {{"PK": {{"S": "{partition}"}}, "SK": {{"S": "{row}"}}}}}}"#
        );
        ask(&admin, "PutItem", &body).await;
    }
    let ada = connect(&served.url, "ada").await;
    let page = |start: &str| {
        format!(
            r#"{{"TableName": "App", "KeyConditionExpression": "PK = :p", "ExpressionAttributeValues": {{":p": {{"S": "U#abc"}}}},
                "ExclusiveStartKey": {{"PK": {{"S": "{start}"}}, "SK": {{"S": "a"}}}}}}"#
        )
    };
    let own = ask(&ada, "Query", &page("U#abc")).await;
    assert_eq!(own["Count"], 1, "{own}");
    let foreign = send(&ada, "Query", &page("U#abcd")).await;
    assert!(
        matches!(
            foreign,
            Err(Error::ValidationException { .. } | Error::AccessDeniedException { .. })
        ),
        "{foreign:?}"
    );
    served.stop();
}

/// Cursors of the data layer serve the caller that they were given to.
/// Whether nothing of it was carried out for want of rights. Of a batch of statements each has an answer of its own.
fn is_denied(answer: &Result<Response, Error>) -> bool {
    match answer {
        Err(Error::AccessDeniedException { .. }) => true,
        Ok(Response::BatchExecuteStatement(batch)) => {
            let mut responses = batch.responses.iter().flatten();
            responses.all(|response| {
                let error = response.error.as_ref();
                let code = error.and_then(|error| error.code.as_ref());
                matches!(
                    code,
                    Some(Chosen::Known(BatchStatementErrorCode::AccessDenied))
                )
            })
        }
        _ => false,
    }
}

#[test]
fn a_cursor_of_the_other_user_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("model.toml", MODEL);
    let row = |user: &str, node: &str| {
        format!(
            r#"{{"create": "ValuesNode", "values": {{"nodeId": "{node}", "nodeType": "DRIVER", "title": "{user} {node}"}}}}"#
        )
    };
    for user in ["abc", "abcd"] {
        let changes = format!(
            "{}\n{}\n{}\n",
            row(user, "d1"),
            row(user, "d2"),
            row(user, "d3")
        );
        sandbox.write("changes.jsonl", changes);
        let owner = format!("userId={user}");
        let arguments = [
            "commit",
            "-m",
            "model.toml",
            "values",
            &owner,
            "--as",
            &owner,
            "--set",
            "message=begin",
            "--set",
            "source=weekly_review",
            "--changes",
            "changes.jsonl",
        ];
        sandbox.run(&arguments).succeeded();
        sandbox.write("changes.jsonl", format!("{}\n", row(user, "d4")));
        sandbox.run(&arguments).succeeded();
    }
    let log = |user: &str, caller: &str, rest: &[&str]| {
        let (owner, caller) = (format!("userId={user}"), format!("userId={caller}"));
        let arguments = [
            &[
                "query",
                "-m",
                "model.toml",
                "values_history",
                &owner,
                "--as",
                &caller,
                "--limit",
                "1",
                "--output",
                "json",
            ],
            rest,
        ]
        .concat();
        sandbox.run(&arguments)
    };
    let page: serde_json::Value =
        serde_json::from_str(&log("abc", "abc", &[]).succeeded().stdout).unwrap();
    let cursor = page["cursor"]
        .as_str()
        .unwrap_or_else(|| panic!("{page}"))
        .to_owned();
    log("abc", "abc", &["--cursor", &cursor]).succeeded();
    for (user, caller) in [("abcd", "abcd"), ("abc", "abcd"), ("abcd", "abc")] {
        let outcome = log(user, caller, &["--cursor", &cursor]);
        assert_ne!(outcome.code, Some(0), "{user} by {caller}: {outcome:?}");
        assert!(!outcome.stdout.contains("begin"), "{outcome:?}");
    }
}
