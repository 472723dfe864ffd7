//! Operations as JSON: what is written is read again, and the JSON Schema says exactly what is taken.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

use monotable_item::{AttributeValue, Item};
use monotable_store::{AnyOperation, OPERATIONS, operations_schema};
use serde_json::Value;
use std::collections::BTreeSet;

/// One text for each operation, with every member that it can have.
const WHOLE: &[&str] = &[
    r#"{"create":"Person","values":{"FirstName":"Ann"}}"#,
    r#"{"get":"Person","key":{"PersonId":"p1"}}"#,
    r#"{"update":"Person","key":{"PersonId":"p1"},"set":{"a":1},"unset":["b"],"add":{"c":2},"append":{"d":["x"]}}"#,
    r#"{"put":"Person","values":{"FirstName":"Ann"}}"#,
    r#"{"delete":"Person","key":{"PersonId":"p1"}}"#,
    r#"{"attach":"ParentChild","values":{"ParentId":"p1","ChildId":"p2"}}"#,
    r#"{"detach":"ParentChild","key":{"ParentId":"p1","ChildId":"p2"}}"#,
    r#"{"move":"transfer_tree","key":{"TreeId":"t1"},"set":{"UserId":"u2"}}"#,
    r#"{"query":"persons_of_tree","parameters":{"TreeId":"t1"},"limit":5,"after":"c","descending":true}"#,
    r#"{"check_secret":"User","key":{"UserId":"u1"},"attribute":"PasswordHash","text":"correct horse"}"#,
    r#"{"transact":[{"create":"Person","values":{}},{"delete":"Person","key":{}}]}"#,
    r#"{"commit":"values","key":{"userId":"u1"},"values":{"message":"m"},"rebase":"r1","changes":[{"create":"ValuesNode","values":{}}]}"#,
    r#"{"commit_all":[{"commit":"values","key":{"userId":"u1"},"parent":null}]}"#,
    r#"{"log":"values","key":{"userId":"u1"},"limit":5,"after":"c","oldest_first":true}"#,
    r#"{"show":"values","key":{"userId":"u1"},"at":{"time":"2026-01-01T00:00:00Z"},"with_tombstones":true,"under":"d1"}"#,
    r#"{"diff":"values","key":{"userId":"u1"},"from":{"revision":"r1"},"to":"head"}"#,
    r#"{"rollback":"values","key":{"userId":"u1"},"to":"r1","from":"r2"}"#,
    r#"{"revert":"values","key":{"userId":"u1"},"to":{"revision":"r1"},"values":{"message":"m"},"parent":"r2"}"#,
    r#"{"carry":"rollover","key":{"userId":"u1"},"values":{"message":"m"}}"#,
    r#"{"sweep":"values","key":{"userId":"u1"},"older_than":60}"#,
    r#"{"purge":{"userId":"u1"}}"#,
];

fn parse(text: &str) -> AnyOperation {
    AnyOperation::from_json(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_operation_is_the_same_after_json_and_back() {
    let mut names = BTreeSet::new();
    for text in WHOLE {
        let operation = parse(text);
        names.insert(operation.name());
        let written: Value = serde_json::to_value(&operation).unwrap();
        assert_eq!(written, serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(parse(&written.to_string()), operation);
    }
    let all: BTreeSet<_> = OPERATIONS.iter().map(|entry| entry.name).collect();
    assert_eq!(names, all, "each operation has a text here");
}

/// The schema is written by hand beside the structs; here both are held against each other.
#[test]
fn the_schema_lists_exactly_the_members_that_operations_take() {
    let schema = operations_schema();
    for text in WHOLE {
        let json: Value = serde_json::from_str(text).unwrap();
        let name = parse(text).name();
        let definition = &schema["$defs"][name];
        let listed: BTreeSet<_> = definition["properties"]
            .as_object()
            .unwrap()
            .keys()
            .collect();
        let given: BTreeSet<_> = json.as_object().unwrap().keys().collect();
        // A commit and a revert have a parent or a rebase, never both.
        let left: Vec<_> = listed
            .symmetric_difference(&given)
            .filter(|member| !matches!(member.as_str(), "parent" | "rebase"))
            .collect();
        assert!(left.is_empty(), "{name}: {left:?}");
        let required = definition["required"].as_array().unwrap();
        for member in json.as_object().unwrap().keys() {
            let mut without = json.clone();
            without.as_object_mut().unwrap().remove(member);
            let taken = AnyOperation::from_json(&without.to_string()).is_ok();
            let needed = required.contains(&Value::String(member.clone()));
            assert_eq!(taken, !needed, "{name} without `{member}`");
        }
    }
}

#[test]
fn what_is_wrong_with_an_operation_is_said() {
    let problem = |text: &str| AnyOperation::from_json(text).unwrap_err().to_string();
    assert!(
        problem(r#"{"crate": "Person"}"#)
            .contains("none of its members (crate) names an operation")
    );
    assert!(
        problem(r#"{"create": "A", "get": "B"}"#).contains("two operations, `create` and `get`")
    );
    assert!(problem(r#"{"create": "A", "value": {}}"#).contains("unknown field `value`"));
    assert!(problem(r#"{"create": "A"}"#).contains("missing field `values`"));
    let both = r#"{"commit": "v", "key": {}, "parent": "a", "rebase": "b"}"#;
    assert!(problem(both).contains("cannot both be given"));
}

#[test]
fn values_keep_what_json_lacks() {
    let text = r#"{"create":"A","values":{"b":{"$bytes":"AP8="},"n":{"$number":"12345678901234567890.5"},"s":{"$set":["x","y"]}}}"#;
    let AnyOperation::Create(create) = parse(text) else {
        panic!("it is a create");
    };
    let expected = Item::new()
        .with("b", AttributeValue::B(vec![0, 255]))
        .with(
            "n",
            AttributeValue::N("12345678901234567890.5".parse().unwrap()),
        )
        .with(
            "s",
            AttributeValue::Ss(["x".to_owned(), "y".to_owned()].into()),
        );
    assert_eq!(create.values, expected);
    let again = serde_json::to_string(&AnyOperation::from(create)).unwrap();
    assert_eq!(again, text);
}

/// The file is for readers of other languages; this keeps it true.
#[test]
fn the_committed_schema_is_the_one_that_is_made() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/operations.schema.json"
    );
    let made = serde_json::to_string_pretty(&operations_schema()).unwrap() + "\n";
    if std::env::var_os("MONOTABLE_BLESS").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(path).unwrap_or_default(),
        made,
        "MONOTABLE_BLESS=1 cargo test -p monotable-store --test operations writes it anew"
    );
}
