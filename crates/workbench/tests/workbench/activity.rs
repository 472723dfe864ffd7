//! Calls with what they send, and the partitions that they use.

use crate::bench::Bench;
use bytes::Bytes;
use http::{HeaderMap, Method};
use monotable_api::{Dynamo, Request as DynamoRequest};
use monotable_rest::Request;
use monotable_workbench::{CallKind, CallRecord, Mode};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Calls the REST API as the server does.
async fn call(bench: &Bench, method: Method, path: &str, body: &str) -> u16 {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", "application/json".parse().unwrap());
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let request = Request {
        method,
        path: format!("/v1/yggdrasil/{path}"),
        query: query.to_owned(),
        headers,
        body: Bytes::from(body.to_owned()),
        client: IpAddr::V4(Ipv4Addr::LOCALHOST),
    };
    let record = CallRecord::new(Some("yggdrasil"), CallKind::Write)
        .with_operation("call", path)
        .with_caller("test");
    let activity = bench.workbench.activity();
    let (answer, record) = activity.follow(record, bench.rest.answer(request)).await;
    activity.note(record);
    answer.status.as_u16()
}

#[tokio::test]
async fn a_call_opens_into_its_requests_and_into_what_it_wrote() {
    let bench = Bench::of_family(Mode::On).await;
    let path = "entities/Person/ada/george";
    assert_eq!(call(&bench, Method::DELETE, path, "").await, 200);
    let page = bench.page("/ui/activity?call=1").await;
    for text in [
        "TransactWriteItems",
        "ParentChild",
        "entity.ParentChild",
        "entity.Person.unique.PersonId",
        "PERSON#",
        "USER#",
        "Hottest partitions",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(
        page.contains("5 items") || page.contains("of 4 items"),
        "{page}"
    );
}

/// How long the windows are in which partitions are counted.
const WINDOW: u64 = 5;

fn find_window() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap().as_secs() / WINDOW
}

/// The page after calls that were all made in one window. Calls that a window ended between are made again in another store.
async fn read_after_calls_of_one_window(path: &str, calls: usize) -> String {
    loop {
        let bench = Bench::of_family(Mode::On).await;
        let window = find_window();
        for _ in 0..calls {
            assert_eq!(call(&bench, Method::GET, path, "").await, 200);
        }
        if find_window() == window {
            return bench.page("/ui/activity").await;
        }
    }
}

#[tokio::test]
async fn the_hottest_partition_is_the_one_that_is_used_most() {
    let path = "patterns/persons_of_tree?TreeId=byron";
    let page = read_after_calls_of_one_window(path, 20).await;
    let first = page.split("class=\"heat\"").nth(1).expect("a partition");
    assert!(first.contains("Yggdrasil/GSI2"), "{first}");
    assert!(
        first.contains("2 read"),
        "20 half units in 5 seconds: {first}"
    );
    assert!(
        first.contains("/ui/yggdrasil/items/Yggdrasil/GSI2?partition=TREE%23byron"),
        "{first}"
    );
}

/// Requests of the DynamoDB API are calls by themselves, with their units and the partitions that they use.
#[tokio::test]
async fn requests_of_the_dynamodb_api_are_measured() {
    let bench = Bench::of_family(Mode::On).await;
    let watched = bench.workbench.watch(Arc::new(bench.engine.clone()));
    let body = br#"{"TableName": "Yggdrasil", "Item": {"PK": {"S": "USER#new"}, "SK": {"S": "x"}, "GSI1PK": {"S": "p"}, "GSI1SK": {"S": "q"}}}"#;
    for _ in 0..10 {
        let put = DynamoRequest::decode(monotable_api::OperationName::PutItem, body).unwrap();
        watched.call(put).await.unwrap();
    }
    let page = bench.page("/ui/activity").await;
    let hottest: Vec<&str> = page.split("class=\"heat\"").skip(1).collect();
    let has = |text: &str| hottest.iter().any(|partition| partition.contains(text));
    assert!(has("items/Yggdrasil/table?partition=USER%23new"), "{page}");
    assert!(has("items/Yggdrasil/GSI1?partition=p"), "{page}");
    assert!(has(" write "), "{page}");
    let call = bench.page("/ui/activity?call=1").await;
    assert!(call.contains("PutItem") && call.contains("USER#"), "{call}");
}

#[tokio::test]
async fn what_the_page_itself_reads_is_not_heat() {
    let bench = Bench::of_family(Mode::On).await;
    bench.page("/ui/").await;
    bench
        .page("/ui/yggdrasil/patterns/whole_tree?p.TreeId=byron")
        .await;
    let page = bench.page("/ui/activity").await;
    assert!(page.contains("No partition was used"), "{page}");
}

#[tokio::test]
async fn without_a_page_nothing_is_noted() {
    let bench = Bench::of_family(Mode::Off).await;
    let watched = bench.workbench.watch(Arc::new(bench.engine.clone()));
    let list = DynamoRequest::ListTables(monotable_api::ListTablesInput::default());
    watched.call(list).await.unwrap();
    let noted = format!("{:?}", bench.workbench.activity());
    assert!(noted.contains("calls: []"), "{noted}");
}

/// A request that is watched is answered as if nobody had watched it, whatever it asks to be told of its capacity.
#[tokio::test]
async fn answers_are_those_that_were_asked_for() {
    let bench = Bench::of_family(Mode::On).await;
    let watched = bench.workbench.watch(Arc::new(bench.engine.clone()));
    let key = r#""Key": {"PK": {"S": "USER#ada"}, "SK": {"S": "TREE#byron"}}"#;
    let table = r#""TableName": "Yggdrasil""#;
    let item =
        r#"{"PK": {"S": "x"}, "SK": {"S": "y"}, "GSI1PK": {"S": "p"}, "GSI1SK": {"S": "q"}}"#;
    let requests = [
        ("GetItem", format!("{table}, {key}")),
        (
            "Query",
            format!(
                r#"{table}, "KeyConditionExpression": "PK = :p", "ExpressionAttributeValues": {{":p": {{"S": "USER#ada"}}}}"#
            ),
        ),
        ("Scan", table.to_owned()),
        ("PutItem", format!(r#"{table}, "Item": {item}"#)),
        (
            "UpdateItem",
            format!(
                r#"{table}, {key}, "UpdateExpression": "SET a = :a", "ExpressionAttributeValues": {{":a": {{"N": "1"}}}}"#
            ),
        ),
        (
            "BatchGetItem",
            format!(
                r#""RequestItems": {{"Yggdrasil": {{"Keys": [{{{}}}]}}}}"#,
                strip(key)
            ),
        ),
        (
            "BatchWriteItem",
            format!(r#""RequestItems": {{"Yggdrasil": [{{"PutRequest": {{"Item": {item}}}}}]}}"#),
        ),
        (
            "TransactWriteItems",
            format!(r#""TransactItems": [{{"Put": {{{table}, "Item": {item}}}}}]"#),
        ),
        (
            "TransactGetItems",
            format!(r#""TransactItems": [{{"Get": {{{table}, {key}}}}}]"#),
        ),
        (
            "DeleteItem",
            format!(r#"{table}, {key}, "ReturnConsumedCapacity": "SOME""#),
        ),
    ];
    for (operation, body) in requests {
        for wish in [
            "",
            r#", "ReturnConsumedCapacity": "TOTAL""#,
            r#", "ReturnConsumedCapacity": "INDEXES""#,
        ] {
            if body.contains("ReturnConsumedCapacity") && !wish.is_empty() {
                continue;
            }
            let text = format!("{{{body}{wish}}}");
            let read = || {
                let name = monotable_api::OperationName::ALL
                    .iter()
                    .copied()
                    .find(|known| known.as_str() == operation);
                DynamoRequest::decode(name.unwrap(), text.as_bytes()).unwrap()
            };
            let plain = bench.engine.call(read()).await;
            let seen = watched.call(read()).await;
            assert_eq!(
                format!("{seen:?}"),
                format!("{plain:?}"),
                "{operation} {wish}"
            );
        }
    }
}

/// What stands inside of the braces of a key.
fn strip(key: &str) -> &str {
    let inside = key.strip_prefix("\"Key\": {").unwrap();
    inside.strip_suffix('}').unwrap()
}

/// The list of calls holds ten thousand: of a busy program those of two seconds, and what they say of a minute would be wrong.
#[tokio::test]
async fn every_call_of_a_busy_program_is_in_the_numbers() {
    let bench = Bench::of_family(Mode::On).await;
    let activity = bench.workbench.activity();
    for _ in 0..30_000 {
        activity.note(CallRecord::new(Some("yggdrasil"), CallKind::Read));
    }
    let followed = bench.page("/ui/activity").await;
    assert!(followed.contains("Calls</div><b>3000</b>"), "{followed}");
    assert_eq!(followed.matches("class=\"call\"").count(), 200);
    for _ in 0..20_000 {
        activity.pass(CallKind::Read);
    }
    let passed = bench.page("/ui/activity").await;
    assert!(passed.contains("Calls</div><b>5000</b>"), "{passed}");
    assert!(
        passed.contains("of the calls that are followed"),
        "{passed}"
    );
}
