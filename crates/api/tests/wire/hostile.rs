//! No bytes make the reader or the checks panic.

use crate::members;
use monotable_api::{Error, OperationName, Request, Response};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Whatever comes of the bytes, it is a request or one of these two exceptions.
fn survives(operation: OperationName, body: &[u8]) {
    let _ = Response::decode(operation, body);
    let _ = Error::from_body(400, body);
    let checked = Request::decode(operation, body).and_then(Request::check);
    if let Err(error) = checked {
        let expected = ["SerializationException", "ValidationException"];
        assert!(expected.contains(&error.code()), "{operation}: {error}");
    }
}

/// Words that mean something somewhere, so that random JSON gets past the first structure.
const WORDS: &[&str] = &[
    "S",
    "N",
    "B",
    "BOOL",
    "NULL",
    "M",
    "L",
    "SS",
    "NS",
    "BS",
    "HASH",
    "ALL_OLD",
    "INCLUDE",
    "abc",
    "AttributeName",
    "KeyType",
    "IndexName",
    "Keys",
    "Item",
    "Key",
    "Put",
    "Update",
    "Get",
    "Create",
    "PutRequest",
    "#a",
    ":a",
    "SET a = :a",
    "SELECT a.b[0] FROM abc WHERE a IN ['x', ?] AND NOT b = <<1>> ORDER BY a",
    "UPDATE abc SET a = {'b': [1, null]} REMOVE c WHERE d = 1 RETURNING ALL OLD *",
    "a = :a AND b < :b",
    "1",
    "",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::sample::select(WORDS).prop_map(str::to_owned),
        any::<String>()
    ]
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(word(), inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

fn operation() -> impl Strategy<Value = OperationName> {
    proptest::sample::select(OperationName::ALL)
}

/// The operation's own members with anything in them.
fn request() -> impl Strategy<Value = (OperationName, Value)> {
    operation().prop_flat_map(|operation| {
        let members = members::of_request(operation);
        let some = proptest::sample::subsequence(members, 0..=members.len());
        let body = some.prop_flat_map(|members| {
            let values: Vec<_> = members
                .iter()
                .map(|member| (Just(*member), anything()))
                .collect();
            values.prop_map(|values| {
                json!(
                    values
                        .into_iter()
                        .collect::<std::collections::BTreeMap<_, _>>()
                )
            })
        });
        (Just(operation), body)
    })
}

proptest! {
    #[test]
    fn random_bytes(operation in operation(), body in vec(any::<u8>(), 0..200)) {
        survives(operation, &body);
    }

    #[test]
    fn random_json(operation in operation(), body in anything()) {
        survives(operation, body.to_string().as_bytes());
    }

    #[test]
    fn random_members((operation, body) in request()) {
        survives(operation, body.to_string().as_bytes());
    }

    #[test]
    fn random_errors(body in anything(), status in any::<u16>()) {
        let _ = Error::from_body(status, body.to_string().as_bytes());
    }
}

/// Pieces of PartiQL, so that random statements get past the first token.
const PIECES: &[&str] = &[
    "SELECT",
    "*",
    "FROM",
    "abc",
    "\"a b\"",
    ".",
    "WHERE",
    "INSERT INTO",
    "VALUE",
    "UPDATE",
    "SET",
    "REMOVE",
    "DELETE",
    "EXISTS",
    "RETURNING",
    "ALL",
    "OLD",
    "MODIFIED",
    "NEW",
    "ORDER BY",
    "LIMIT",
    "AND",
    "OR",
    "NOT",
    "IN",
    "IS",
    "MISSING",
    "NULL",
    "BETWEEN",
    "size",
    "begins_with",
    "set_add",
    "list_append",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<<",
    ">>",
    ",",
    ":",
    ";",
    "?",
    "=",
    "<",
    "<>",
    "-",
    "+",
    "'a'",
    "''",
    "1",
    "1e5",
    ".5",
    "-1e400",
    "--",
    "/*",
    "*/",
    "'",
    "\"",
    "`",
    "#",
    "true",
    "é",
];

fn statement() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        20 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    let pieces = vec(piece, 0..30).prop_map(|pieces| pieces.join(" "));
    let select = pieces
        .clone()
        .prop_map(|pieces| format!("SELECT * FROM abc WHERE {pieces}"));
    let update = pieces
        .clone()
        .prop_map(|pieces| format!("UPDATE abc SET a = {pieces}"));
    prop_oneof![pieces, select, update]
}

proptest! {
    #[test]
    fn random_statements(text in statement(), parameters in 0..3_usize) {
        let parameters = vec![json!({"S": "a"}); parameters];
        let body = json!({"Statement": text, "Parameters": parameters});
        survives(OperationName::ExecuteStatement, body.to_string().as_bytes());
    }
}

#[test]
fn deep_statements_are_refused_not_followed() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("<<", ">>"),
        ("{'a':", "}"),
        ("NOT ", ""),
        ("- ", ""),
        ("f(", ")"),
        ("a[", "]"),
        ("a = ", ""),
        ("a + ", ""),
        ("a AND (", ")"),
        ("SELECT * FROM ", ""),
        ("EXISTS(SELECT * FROM a WHERE ", ")"),
        ("a BETWEEN 1 AND ", ""),
        ("a IN (", ")"),
    ] {
        let room = 8_000 / (open.len() + close.len());
        for count in [10, 90, 110, room] {
            let inside = format!("{}1{}", open.repeat(count), close.repeat(count));
            for text in [
                inside.clone(),
                format!("SELECT * FROM abc WHERE {inside}"),
                format!("UPDATE abc SET a = {inside}"),
            ] {
                let body = json!({"Statement": text}).to_string();
                survives(OperationName::ExecuteStatement, body.as_bytes());
            }
        }
    }
}

#[test]
fn deep_nesting_is_refused_not_followed() {
    for (open, close) in [("[", "]"), (r#"{"M":{"a":"#, "}}")] {
        let value = format!("{}{}", open.repeat(100_000), close.repeat(100_000));
        let item = format!(r#"{{"TableName":"abc","Item":{{"a":{value}}}}}"#);
        for body in [&value, &item] {
            survives(OperationName::PutItem, body.as_bytes());
            let error = Request::decode(OperationName::PutItem, body.as_bytes()).unwrap_err();
            assert_eq!(error.code(), "SerializationException");
        }
    }
}

#[test]
fn what_is_skipped_may_nest_as_it_likes() {
    let value = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for member in ["Unknown", "Expected"] {
        survives(
            OperationName::PutItem,
            format!(r#"{{"{member}":{value}}}"#).as_bytes(),
        );
    }
}
