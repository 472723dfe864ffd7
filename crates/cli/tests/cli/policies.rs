//! `policy test`, and policies of a server that runs.

use crate::sandbox::Sandbox;
use serde_json::Value;

const GAMES: &str = r#"{"Version": "2012-10-17", "Statement": [
    {"Sid": "Own", "Effect": "Allow", "Action": ["dynamodb:*Item", "dynamodb:ListTables"], "Resource": "*",
     "Condition": {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": "${aws:username}"}}},
    {"Effect": "Deny", "Action": "dynamodb:DeleteItem", "Resource": "*"}]}"#;

/// For the examples of the help.
pub(crate) const KEYS: &str =
    "[alice]\naws_access_key_id = AKIDALICE\naws_secret_access_key = hunter2\n";
pub(crate) const REQUEST: &str = r#"{"AccessKey": "AKIDALICE", "Operation": "GetItem",
    "Body": {"TableName": "Games", "Key": {"UserId": {"S": "alice"}}},
    "Tables": [{"TableName": "Games", "KeySchema": [{"AttributeName": "UserId", "KeyType": "HASH"}]}]}"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.path().join("conf")).unwrap();
    sandbox.write("conf/keys.ini", format!("{KEYS}policy = games.json\n"));
    sandbox.write("conf/games.json", GAMES);
    sandbox
}

fn request(operation: &str, user: &str) -> String {
    REQUEST
        .replace("GetItem", operation)
        .replace("\"alice\"", &format!("{user:?}"))
}

#[test]
fn the_deciding_statement_is_shown() {
    let sandbox = sandbox();
    let test = |request: &str, form: &str| {
        let arguments = ["policy", "test", "conf/keys.ini", "-", "--output", form];
        sandbox.feed(&arguments, request.as_bytes())
    };
    let allowed = test(&request("GetItem", "alice"), "text").succeeded();
    assert_eq!(
        allowed.stdout,
        "allowed: GetItem by arn:aws:iam::000000000000:user/alice\n  dynamodb:GetItem on \
         arn:aws:dynamodb:local:000000000000:table/Games: allowed by games.json Statement[0] \"Own\" (Allow)\n    \
         games.json Statement[1] (Deny) does not apply: it is about other actions\n"
    );
    let refused = test(&request("GetItem", "eve"), "text");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.stdout.contains(
            "games.json Statement[0] \"Own\" (Allow) does not apply: ForAllValues:StringEquals does not hold of \
             dynamodb:LeadingKeys, which is eve\n"
        ),
        "{}",
        refused.stdout
    );
    assert!(
        refused
            .stdout
            .ends_with("because no identity-based policy allows the dynamodb:GetItem action\n")
    );

    let denied = test(&request("DeleteItem", "alice"), "json");
    assert_eq!(denied.code, Some(1), "{denied:?}");
    let report: Value = serde_json::from_str(&denied.stdout).unwrap();
    assert_eq!(report["allowed"], false);
    let access = &report["accesses"][0];
    assert_eq!(
        (
            access["verdict"].as_str(),
            access["decided_by"]["statement"].as_u64()
        ),
        (Some("denied"), Some(1))
    );
    assert_eq!(access["partitions"][0][0], "alice");
    assert!(
        report["message"]
            .as_str()
            .unwrap()
            .ends_with("with an explicit deny in an identity-based policy")
    );
    // Without a body, and without tables.
    test(
        r#"{"AccessKey": "AKIDALICE", "Operation": "ListTables"}"#,
        "json",
    )
    .succeeded();
}

#[test]
fn what_cannot_be_tried_is_told_by_the_exit_code() {
    let sandbox = sandbox();
    let test = |request: &str| {
        sandbox.feed(
            &["policy", "test", "conf/keys.ini", "-"],
            request.as_bytes(),
        )
    };
    test("{").failed(255, "the request -");
    test(r#"{"AccessKey": "AKIDALICE", "Operation": "GetItem", "Bodi": {}}"#).failed(255, "Bodi");
    test(&REQUEST.replace("AKIDALICE", "AKIDBOB")).failed(253, "no access key \"AKIDBOB\"");
    test(&request("GetItemz", "alice")).failed(254, "GetItemz");
    test(&request("PutItem", "alice")).failed(254, "Member must not be null");
    test(&REQUEST.replace("[{\"TableName\": \"Games\"", "[{\"TableName\": \"Other\""))
        .failed(255, "partition key");
    sandbox.write(
        "conf/games.json",
        GAMES.replace("StringEquals", "StringEquals2"),
    );
    let outcome = test(REQUEST).failed(
        253,
        "games.json, Statement[0].Condition.ForAllValues:StringEquals2",
    );
    assert!(!outcome.stderr.contains("hunter2"));
    sandbox.write("conf/keys.ini", format!("{KEYS}policy = nowhere.json\n"));
    test(REQUEST).failed(253, "cannot read the policy nowhere.json");
}

#[test]
fn the_trap_of_the_empty_set_is_warned_about() {
    let sandbox = sandbox();
    let outcome = sandbox.feed(
        &["policy", "test", "conf/keys.ini", "-"],
        REQUEST.as_bytes(),
    );
    let outcome = outcome.succeeded();
    assert!(
        outcome.stderr.contains("warning: policy games.json, Statement[0].Condition.ForAllValues:StringEquals.dynamodb:LeadingKeys"),
        "{}",
        outcome.stderr
    );
}

#[cfg(feature = "aws")]
mod served {
    use super::{GAMES, KEYS};
    use crate::sandbox::{Sandbox, Served};
    use crate::versions::MODEL;
    use monotable_api::{
        AttributeDefinition, BatchGetItemInput, CreateTableInput, DeleteItemInput, DynamoExt,
        Error, ExecuteStatementInput, GetItemInput, KeyRole, KeySchemaElement, KeysAndAttributes,
        ListTablesInput, PutItemInput, QueryInput, ScalarAttributeType, ScanInput, TransactPut,
        TransactWriteItemsInput, UpdateItemInput,
    };
    use monotable_aws::{Remote, RemoteOptions};
    use monotable_item::Item;

    fn key(partition: &str) -> Item {
        Item::new().with("PK", partition).with("SK", "x")
    }

    async fn connect(url: &str, id: &str) -> Remote {
        let options = RemoteOptions::new().endpoint_url(url).max_attempts(1);
        options
            .credentials(id, "hunter2", None)
            .connect()
            .await
            .unwrap()
    }

    #[track_caller]
    fn is_denied<T: std::fmt::Debug>(answer: Result<T, Error>) {
        assert!(
            matches!(answer, Err(Error::AccessDeniedException { .. })),
            "{answer:?}"
        );
    }

    /// Everything that could be done with the items of some partitions.
    async fn touch(remote: &Remote, partitions: &[&str]) -> Vec<Result<(), Error>> {
        let first = partitions.last().copied().unwrap();
        let keys = partitions
            .iter()
            .map(|partition| key(partition).into())
            .collect();
        let batch = KeysAndAttributes {
            keys: Some(keys),
            ..KeysAndAttributes::default()
        };
        let puts = partitions
            .iter()
            .map(|partition| TransactPut::new("App", key(partition)));
        let query = QueryInput::new("App", "PK = :p").value(":p", first);
        let update = UpdateItemInput::new("App", key(first))
            .update("SET n = :n")
            .value(":n", 1);
        let mut answers = vec![
            remote
                .put_item(PutItemInput::new("App", key(first)))
                .await
                .map(drop),
            remote
                .get_item(GetItemInput::new("App", key(first)))
                .await
                .map(drop),
            remote.update_item(update).await.map(drop),
            remote.query(query).await.map(drop),
            remote
                .batch_get_item(BatchGetItemInput::new("App", batch))
                .await
                .map(drop),
            remote
                .transact_write_items(TransactWriteItemsInput::new(puts))
                .await
                .map(drop),
        ];
        answers.push(
            remote
                .delete_item(DeleteItemInput::new("App", key(first)))
                .await
                .map(drop),
        );
        answers
    }

    #[test]
    fn a_request_that_policies_refuse_makes_no_region() {
        let sandbox = super::sandbox();
        let keys = format!("{KEYS}policy = games.json\n");
        sandbox.write("conf/keys.ini", keys);
        sandbox.write(
            "conf/games.json",
            GAMES.replace("ListTables", "ListBackups"),
        );
        let options = ["--regions", "--credentials", "conf/keys.ini"];
        let served = Served::start(&sandbox, &options);
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let options = RemoteOptions::new()
                .endpoint_url(&served.url)
                .max_attempts(1);
            let options = options.region("eu-west-1");
            let alice = options.credentials("AKIDALICE", "hunter2", None);
            let alice = alice.connect().await.unwrap();
            let refused = alice.list_tables(ListTablesInput::default()).await;
            assert_eq!(refused.unwrap_err().code(), "AccessDeniedException");
            let key = Item::new().with("UserId", "alice");
            let missing = alice.get_item(GetItemInput::new("Games", key)).await;
            assert_eq!(missing.unwrap_err().code(), "ResourceNotFoundException");
        });
        served.stop();
        assert!(!sandbox.path().join("data/regions").exists());
    }

    #[test]
    fn the_exported_policy_keeps_two_users_apart() {
        let sandbox = Sandbox::new();
        sandbox.write("model.toml", MODEL);
        let policy = sandbox
            .run(&["export", "iam-policy", "model.toml"])
            .succeeded()
            .stdout;
        sandbox.write("policy.json", policy);
        let user = |name: &str, sub: &str| {
            format!(
                "[{name}]\naws_access_key_id = AKID{name}\naws_secret_access_key = hunter2\npolicy = policy.json\n\
                 context.cognito-identity.amazonaws.com:sub = {sub}\n"
            )
        };
        let keys = format!("{KEYS}{}{}", user("ada", "abc"), user("eve", "abcd"));
        sandbox.write("keys.ini", keys);
        let served = Served::start(&sandbox, &["--in-memory", "--credentials", "keys.ini"]);
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let admin = connect(&served.url, "AKIDALICE").await;
            let mut table = CreateTableInput::new("App", "PK", ScalarAttributeType::S);
            table
                .attribute_definitions
                .get_or_insert_default()
                .push(AttributeDefinition::new("SK", ScalarAttributeType::S));
            table
                .key_schema
                .get_or_insert_default()
                .push(KeySchemaElement::new("SK", KeyRole::Range));
            admin.create_table(table).await.unwrap();
            for (id, own, other) in [
                ("AKIDada", "U#abc", "U#abcd"),
                ("AKIDeve", "U#abcd", "U#abc"),
            ] {
                let remote = connect(&served.url, id).await;
                let deeper = format!("{own}#VALUES#r");
                for partitions in [&[own][..], &[&deeper], &[own, &deeper]] {
                    for answer in touch(&remote, partitions).await {
                        answer.unwrap();
                    }
                }
                let deeper = format!("{other}#VALUES#r");
                for partitions in [
                    &[other][..],
                    &[&deeper],
                    &[own, other],
                    &["U#"],
                    &["U#abcde"],
                    &["U#*"],
                    &["monotable#token#0"],
                ] {
                    for answer in touch(&remote, partitions).await {
                        is_denied(answer);
                    }
                }
                let own_item = GetItemInput::new("App", key("monotable#store"));
                remote.get_item(own_item).await.unwrap();
                is_denied(
                    remote
                        .put_item(PutItemInput::new("App", key("monotable#store")))
                        .await,
                );
                is_denied(remote.scan(ScanInput::new("App")).await);
                is_denied(remote.list_tables(ListTablesInput::default()).await);
                let statement = format!("SELECT * FROM App WHERE PK = '{own}'");
                is_denied(
                    remote
                        .execute_statement(ExecuteStatementInput::new(statement))
                        .await,
                );
            }
        });
        served.stop();
    }

    #[test]
    fn a_hangup_reads_the_credentials_again() {
        let sandbox = Sandbox::new();
        let none = "policy = {\"Version\": \"2012-10-17\", \"Statement\": {\"Effect\": \"Deny\", \"Action\": \"*\", \"Resource\": \"*\"}}\n";
        sandbox.write("keys.ini", KEYS);
        let served = Served::start(&sandbox, &["--in-memory", "--credentials", "keys.ini"]);
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let allowed = || {
            runtime.block_on(async {
                let remote = connect(&served.url, "AKIDALICE").await;
                remote.list_tables(ListTablesInput::default()).await.is_ok()
            })
        };
        let becomes = |expected: bool| {
            for _ in 0..2000 {
                if allowed() == expected {
                    return;
                }
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            panic!("still {}", !expected);
        };
        assert!(allowed());
        sandbox.write("keys.ini", format!("{KEYS}{none}"));
        assert!(allowed());
        served.signal("HUP");
        becomes(false);
        // What cannot be used changes nothing.
        sandbox.write("keys.ini", "[broken");
        served.signal("HUP");
        sandbox.write("keys.ini", KEYS);
        served.signal("HUP");
        becomes(true);
        let outcome = served.stop();
        assert!(
            outcome.stderr.contains("credentials read again"),
            "{}",
            outcome.stderr
        );
        assert!(!outcome.stderr.contains("hunter2"));
    }
}
