//! Policies of access keys, over HTTP with signatures.

use crate::client::Reply;
use crate::running::Running;
use crate::signed::{Signed, now};
use monotable_server::{Credentials, ServerOptions};
use serde_json::{Value, json};

const ADMIN: (&str, &str) = ("AKIDADMIN", "admins-secret");
const ADA: (&str, &str) = ("AKIDADA", "adas-secret");
pub(crate) const EVE: (&str, &str) = ("AKIDEVE", "eves-secret");

/// What a user may do with rows of their own.
pub(crate) const OWN_ROWS: &str = r#"{"Version": "2012-10-17", "Statement": [{"Effect": "Allow",
    "Action": ["dynamodb:*Item", "dynamodb:Query", "dynamodb:Scan", "dynamodb:PartiQL*"],
    "Resource": ["arn:aws:dynamodb:*:*:table/Games", "arn:aws:dynamodb:*:*:table/Games/index/*"],
    "Condition": {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["${aws:username}"]}, "Null": {"dynamodb:LeadingKeys": "false"}}}]}"#;

pub(crate) fn credentials(ada: &str, eve: &str) -> Credentials {
    let line = |policy: &str| policy.replace('\n', " ");
    let text = format!(
        "[admin]\naws_access_key_id={}\naws_secret_access_key={}\n\
         [ada]\naws_access_key_id={}\naws_secret_access_key={}\npolicy={}\n\
         [eve]\naws_access_key_id={}\naws_secret_access_key={}\npolicy={}\n",
        ADMIN.0,
        ADMIN.1,
        ADA.0,
        ADA.1,
        line(ada),
        EVE.0,
        EVE.1,
        line(eve)
    );
    Credentials::parse(&text).unwrap()
}

fn serve(ada: &str, eve: &str) -> Running {
    let options = ServerOptions::new().credentials(credentials(ada, eve));
    Running::with(options.clock(now))
}

pub(crate) fn ask(
    server: &Running,
    key: (&'static str, &'static str),
    operation: &str,
    body: &Value,
) -> Reply {
    let mut signed = Signed::by(key);
    let service = if operation.contains("Stream")
        || operation.starts_with("GetShard")
        || operation == "GetRecords"
    {
        "DynamoDBStreams_20120810"
    } else {
        "DynamoDB_20120810"
    };
    signed.headers[2].1 = format!("{service}.{operation}");
    signed.body = Box::leak(body.to_string().into_boxed_str());
    signed.sign().send(server)
}

#[track_caller]
fn allowed(
    server: &Running,
    key: (&'static str, &'static str),
    operation: &str,
    body: &Value,
) -> Value {
    let reply = ask(server, key, operation, body);
    assert_eq!(reply.status, 200, "{operation}: {}", reply.text());
    reply.json()
}

#[track_caller]
fn refused(
    server: &Running,
    key: (&'static str, &'static str),
    operation: &str,
    body: &Value,
) -> String {
    let reply = ask(server, key, operation, body);
    let found = (reply.status, reply.exception());
    assert_eq!(
        found,
        (400, "AccessDeniedException".to_owned()),
        "{operation}: {}",
        reply.text()
    );
    let json = reply.json();
    let message = json["Message"].as_str().or(json["message"].as_str());
    message.unwrap().to_owned()
}

fn create_games(server: &Running, partition: &str, sort: &str) {
    let attribute = |name: &str| json!({"AttributeName": name, "AttributeType": "S"});
    let key = |name: &str, role: &str| json!({"AttributeName": name, "KeyType": role});
    allowed(
        server,
        ADMIN,
        "CreateTable",
        &json!({
            "TableName": "Games", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [attribute(partition), attribute(sort), attribute("Team")],
            "KeySchema": [key(partition, "HASH"), key(sort, "RANGE")],
            "GlobalSecondaryIndexes": [{"IndexName": "ByTeam", "KeySchema": [key("Team", "HASH")], "Projection": {"ProjectionType": "ALL"}}],
            "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"},
        }),
    );
}

fn row(user: &str) -> Value {
    json!({"User": {"S": user}, "Game": {"S": "Go"}})
}

fn statement(text: &str) -> Value {
    json!({"Statement": text})
}

#[test]
fn users_reach_rows_of_their_own_alone() {
    let server = serve(OWN_ROWS, OWN_ROWS);
    create_games(&server, "User", "Game");
    for (key, own, other) in [(ADA, "ada", "eve"), (EVE, "eve", "ada")] {
        let on = |user: &str| json!({"TableName": "Games", "Key": row(user)});
        let put = |user: &str| json!({"TableName": "Games", "Item": row(user)});
        let query = |user: &str| {
            json!({"TableName": "Games", "KeyConditionExpression": "#u = :u", "ExpressionAttributeNames": {"#u": "User"},
                   "ExpressionAttributeValues": {":u": {"S": user}}})
        };
        let batch = |users: &[&str]| {
            let keys: Vec<_> = users.iter().map(|user| row(user)).collect();
            json!({"RequestItems": {"Games": {"Keys": keys}}})
        };
        let transaction = |users: &[&str]| {
            let puts: Vec<_> = users.iter().map(|user| json!({"Put": put(user)})).collect();
            json!({"TransactItems": puts})
        };
        allowed(&server, key, "PutItem", &put(own));
        assert_eq!(allowed(&server, key, "GetItem", &on(own))["Item"], row(own));
        assert_eq!(allowed(&server, key, "Query", &query(own))["Count"], 1);
        allowed(&server, key, "BatchGetItem", &batch(&[own]));
        allowed(&server, key, "TransactWriteItems", &transaction(&[own]));
        allowed(
            &server,
            key,
            "ExecuteStatement",
            &statement(&format!("SELECT * FROM Games WHERE \"User\" = '{own}'")),
        );

        let message = refused(&server, key, "GetItem", &on(other));
        assert_eq!(
            message,
            format!(
                "User: arn:aws:iam::000000000000:user/{own} is not authorized to perform: dynamodb:GetItem on resource: \
                 arn:aws:dynamodb:local:000000000000:table/Games because no identity-based policy allows the dynamodb:GetItem action"
            )
        );
        refused(&server, key, "PutItem", &put(other));
        refused(&server, key, "DeleteItem", &on(other));
        refused(&server, key, "Query", &query(other));
        refused(&server, key, "BatchGetItem", &batch(&[own, other]));
        let message = refused(
            &server,
            key,
            "TransactWriteItems",
            &transaction(&[own, other]),
        );
        assert!(message.contains("dynamodb:PutItem"), "{message}");
        for text in [
            format!("SELECT * FROM Games WHERE \"User\" = '{other}'"),
            format!("SELECT * FROM Games WHERE \"User\" IN ['{own}', '{other}']"),
            "SELECT * FROM Games".to_owned(),
            format!("DELETE FROM Games WHERE \"User\" = '{other}' AND Game = 'Go'"),
        ] {
            refused(&server, key, "ExecuteStatement", &statement(&text));
        }
        refused(&server, key, "Scan", &json!({"TableName": "Games"}));
        let by_team = |team: &str| {
            json!({"TableName": "Games", "IndexName": "ByTeam", "KeyConditionExpression": "Team = :t",
                   "ExpressionAttributeValues": {":t": {"S": team}}})
        };
        let message = refused(&server, key, "Query", &by_team(other));
        assert!(message.contains("table/Games/index/ByTeam"), "{message}");
        allowed(&server, key, "Query", &by_team(own));
        for operation in ["DescribeTable", "DeleteTable"] {
            refused(&server, key, operation, &json!({"TableName": "Games"}));
        }
        refused(&server, key, "ListTables", &json!({}));
    }
    assert_eq!(
        allowed(&server, ADMIN, "Scan", &json!({"TableName": "Games"}))["Count"],
        2
    );
}

#[test]
fn a_deny_wins_and_says_so() {
    let deny = r#"{"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"},
        {"Effect": "Deny", "Action": "dynamodb:DeleteTable", "Resource": "*"}]}"#;
    let server = serve(deny, OWN_ROWS);
    create_games(&server, "User", "Game");
    allowed(&server, ADA, "ListTables", &json!({}));
    let message = refused(&server, ADA, "DeleteTable", &json!({"TableName": "Games"}));
    assert_eq!(
        message,
        "User: arn:aws:iam::000000000000:user/ada is not authorized to perform: dynamodb:DeleteTable on resource: \
         arn:aws:dynamodb:local:000000000000:table/Games with an explicit deny in an identity-based policy"
    );
    allowed(
        &server,
        ADMIN,
        "DescribeTable",
        &json!({"TableName": "Games"}),
    );
}

#[test]
fn a_table_made_anew_is_judged_by_its_new_key() {
    let server = serve(OWN_ROWS, OWN_ROWS);
    let get = |user: &str, game: &str| json!({"TableName": "Games", "Key": {"User": {"S": user}, "Game": {"S": game}}});
    create_games(&server, "User", "Game");
    allowed(&server, ADA, "GetItem", &get("ada", "eve"));
    refused(&server, ADA, "GetItem", &get("eve", "ada"));
    for _ in 0..3 {
        allowed(
            &server,
            ADMIN,
            "DeleteTable",
            &json!({"TableName": "Games"}),
        );
        create_games(&server, "Game", "User");
        refused(&server, ADA, "GetItem", &get("ada", "eve"));
        allowed(&server, ADA, "GetItem", &get("eve", "ada"));
        allowed(
            &server,
            ADMIN,
            "DeleteTable",
            &json!({"TableName": "Games"}),
        );
        create_games(&server, "User", "Game");
        allowed(&server, ADA, "GetItem", &get("ada", "eve"));
        refused(&server, ADA, "GetItem", &get("eve", "ada"));
    }
}

#[test]
fn a_table_that_is_not_there_is_told_to_those_who_may_ask_for_it() {
    let open = OWN_ROWS.replace(r#", "Null": {"dynamodb:LeadingKeys": "false"}"#, "");
    let server = serve(OWN_ROWS, &open);
    let get = json!({"TableName": "Games", "Key": row("eve")});
    refused(&server, ADA, "GetItem", &get);
    let reply = ask(&server, EVE, "GetItem", &get);
    assert_eq!(
        reply.exception(),
        "ResourceNotFoundException",
        "{}",
        reply.text()
    );
    // What is wrong whatever the tables are, is said before.
    let reply = ask(&server, ADA, "GetItem", &json!({"TableName": "Games"}));
    assert_eq!(reply.exception(), "ValidationException", "{}", reply.text());
}

#[test]
fn streams_are_resources_of_their_own() {
    let streams = r#"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": ["dynamodb:DescribeStream",
        "dynamodb:GetShardIterator", "dynamodb:GetRecords"], "Resource": "arn:aws:dynamodb:*:*:table/Games/stream/*"}}"#;
    let server = serve(streams, &streams.replace("Games", "Other"));
    create_games(&server, "User", "Game");
    let table = allowed(
        &server,
        ADMIN,
        "DescribeTable",
        &json!({"TableName": "Games"}),
    );
    let stream = &table["Table"]["LatestStreamArn"];
    let described = allowed(
        &server,
        ADA,
        "DescribeStream",
        &json!({"StreamArn": stream}),
    );
    let shard = &described["StreamDescription"]["Shards"][0]["ShardId"];
    let begin = json!({"StreamArn": stream, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"});
    let iterator = allowed(&server, ADA, "GetShardIterator", &begin);
    let records = json!({"ShardIterator": iterator["ShardIterator"]});
    allowed(&server, ADA, "GetRecords", &records);
    refused(
        &server,
        EVE,
        "DescribeStream",
        &json!({"StreamArn": stream}),
    );
    refused(&server, EVE, "GetShardIterator", &begin);
    let message = refused(&server, EVE, "GetRecords", &records);
    assert!(message.contains("table/Games/stream/"), "{message}");
    refused(
        &server,
        ADA,
        "GetItem",
        &json!({"TableName": "Games", "Key": row("ada")}),
    );
}

#[test]
fn a_session_has_values_of_its_own() {
    let policy = OWN_ROWS
        .replace("${aws:username}", "${cognito-identity.amazonaws.com:sub}#*")
        .replace('\n', " ");
    let text = format!(
        "[admin]\naws_access_key_id={}\naws_secret_access_key={}\n\
         [ada]\naws_access_key_id={}\naws_secret_access_key={}\naws_session_token=tok\n\
         arn = arn:aws:sts::000000000000:assumed-role/Player/ada\n\
         context.cognito-identity.amazonaws.com:sub = eu:1\npolicy={policy}\n",
        ADMIN.0, ADMIN.1, ADA.0, ADA.1
    );
    let options = ServerOptions::new().credentials(Credentials::parse(&text).unwrap());
    let server = Running::with(options.clock(now));
    create_games(&server, "User", "Game");
    let get = |user: &str| {
        let mut signed = Signed::by(ADA);
        signed.token = Some("tok");
        signed.headers[2].1 = "DynamoDB_20120810.GetItem".to_owned();
        let body = json!({"TableName": "Games", "Key": row(user)}).to_string();
        signed.body = Box::leak(body.into_boxed_str());
        signed.sign().send(&server)
    };
    assert_eq!(get("eu:1#a").status, 200);
    let reply = get("eu:12#a");
    assert!(
        reply
            .text()
            .contains("User: arn:aws:sts::000000000000:assumed-role/Player/ada is not"),
        "{}",
        reply.text()
    );
}

#[test]
fn keys_and_policies_are_replaced_while_it_runs() {
    let server = serve(OWN_ROWS, OWN_ROWS);
    create_games(&server, "User", "Game");
    refused(&server, ADA, "ListTables", &json!({}));
    let everything = r#"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "*", "Resource": "*"}}"#;
    server.keys.replace(credentials(everything, OWN_ROWS));
    allowed(&server, ADA, "ListTables", &json!({}));
    refused(&server, EVE, "ListTables", &json!({}));
    let other = format!(
        "[ada]\naws_access_key_id={}\naws_secret_access_key=new\n",
        ADA.0
    );
    server.keys.replace(Credentials::parse(&other).unwrap());
    let reply = ask(&server, ADA, "ListTables", &json!({}));
    assert_eq!(reply.exception(), "InvalidSignatureException");
    allowed(&server, (ADA.0, "new"), "ListTables", &json!({}));
    let reply = ask(&server, EVE, "ListTables", &json!({}));
    assert_eq!(reply.exception(), "UnrecognizedClientException");
}

#[test]
fn resources_are_named_by_the_scope_of_the_server() {
    let here = r#"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "dynamodb:ListTables",
        "Resource": "arn:aws:dynamodb:eu-west-1:123456789012:table/*"}}"#;
    let scope = monotable_policy::Scope {
        region: "eu-west-1".to_owned(),
        account: "123456789012".to_owned(),
    };
    let keys = credentials(here, &here.replace("eu-west-1", "local"));
    assert_eq!(keys.warnings(&scope).len(), 1);
    let options = ServerOptions::new().credentials(keys).scope(scope);
    let server = Running::with(options.clock(now));
    allowed(&server, ADA, "ListTables", &json!({}));
    let message = refused(&server, EVE, "ListTables", &json!({}));
    assert!(
        message.contains("arn:aws:dynamodb:eu-west-1:123456789012:table/*"),
        "{message}"
    );
}

#[test]
fn statements_of_a_batch_are_judged_one_by_one() {
    let server = serve(OWN_ROWS, OWN_ROWS);
    create_games(&server, "User", "Game");
    for user in ["ada", "eve"] {
        let put = json!({"TableName": "Games", "Item": row(user)});
        allowed(&server, ADMIN, "PutItem", &put);
    }
    let read = |table: &str, user: &str| {
        statement(&format!(
            "SELECT * FROM {table} WHERE \"User\" = '{user}' AND Game = 'Go'"
        ))
    };
    let batch = json!({"Statements": [read("Games", "eve"), read("Games", "ada"), statement("SELECT"), read("Others", "ada")]});
    let answer = allowed(&server, ADA, "BatchExecuteStatement", &batch);
    let responses = answer["Responses"].as_array().unwrap();
    assert_eq!(responses.len(), 4);
    let denied = "User: arn:aws:iam::000000000000:user/ada is not authorized to perform: dynamodb:PartiQLSelect on resource: \
                  arn:aws:dynamodb:local:000000000000:table/Games because no identity-based policy allows the \
                  dynamodb:PartiQLSelect action";
    assert_eq!(
        responses[0],
        json!({"Error": {"Code": "AccessDenied", "Message": denied}, "TableName": "Games"})
    );
    assert_eq!(
        responses[1],
        json!({"TableName": "Games", "Item": row("ada")})
    );
    assert_eq!(responses[2]["Error"]["Code"], "ValidationError");
    // Tables of which the policy does not speak are not told from those that do not exist.
    assert_eq!(responses[3]["Error"]["Code"], "AccessDenied");
    let delete = |user: &str| {
        statement(&format!(
            "DELETE FROM Games WHERE \"User\" = '{user}' AND Game = 'Go'"
        ))
    };
    let batch = json!({"Statements": [delete("eve"), delete("ada")]});
    let answer = allowed(&server, ADA, "BatchExecuteStatement", &batch);
    assert_eq!(answer["Responses"][0]["Error"]["Code"], "AccessDenied");
    assert_eq!(answer["Responses"][1], json!({"TableName": "Games"}));
    let batch = json!({"Statements": [delete("eve")]});
    let answer = allowed(&server, ADA, "BatchExecuteStatement", &batch);
    assert_eq!(answer["Responses"][0]["Error"]["Code"], "AccessDenied");
    let scan = json!({"TableName": "Games"});
    assert_eq!(
        allowed(&server, ADMIN, "Scan", &scan)["Items"],
        json!([row("eve")])
    );
    let mixed = json!({"Statements": [read("Games", "ada"), delete("ada")]});
    let reply = ask(&server, ADA, "BatchExecuteStatement", &mixed);
    assert_eq!(reply.status, 400);
}

#[test]
fn keys_in_lists_of_partitions_are_judged_with_a_negated_sort_key() {
    let server = serve(OWN_ROWS, OWN_ROWS);
    create_games(&server, "User", "Game");
    let select = |users: &str| {
        statement(&format!(
            "SELECT * FROM Games WHERE \"User\" IN [{users}] AND Game <> 'Chess' AND NOT Game = 'Nim'"
        ))
    };
    allowed(&server, ADA, "ExecuteStatement", &select("'ada'"));
    refused(&server, ADA, "ExecuteStatement", &select("'ada', 'eve'"));
}
