//! Values as clients write and read them, beside DynamoDB's JSON of them.

use monotable_item::EncodedItem;
use monotable_store::wire::{PlainItem, read_item};
use serde_json::{Value, json};

/// Plain JSON of one attribute.
const PLAIN: &[&str] = &[
    r#""""#,
    r#""text""#,
    r#""quoted \" and \\ and \n and ü and 😀""#,
    "true",
    "null",
    "0",
    "-7",
    "9007199254740991",
    r#"{"$number":"9007199254740993"}"#,
    r#"{"$number":"-0.000000000000000000000000000000000001"}"#,
    r#"{"$number":"12345678901234567890123456789012345678"}"#,
    "0.5",
    r#"{"$bytes":""}"#,
    r#"{"$bytes":"AAECAwQ="}"#,
    "[]",
    r#"[1,"two",[3],{"four":4}]"#,
    "{}",
    r#"{"a":{"b":{"c":null}}}"#,
    r#"{"$map":{"$bytes":"a map that looks like a mark"}}"#,
    r#"{"$map":{"$map":1}}"#,
    r#"{"$set":["a","b"]}"#,
    r#"{"$set":[1,2]}"#,
    r#"{"$set":[{"$bytes":"AA=="},{"$bytes":"AQ=="}]}"#,
];

pub(crate) fn list() -> String {
    let vectors: Vec<String> = PLAIN
        .iter()
        .map(|plain| describe(plain).to_string())
        .collect();
    format!("[\n  {}\n]\n", vectors.join(",\n  "))
}

fn describe(plain: &str) -> Value {
    let item = read_item(&format!(r#"{{"value":{plain}}}"#)).unwrap();
    // Numbers are written in one form, whatever form they were given in.
    let written = serde_json::to_value(PlainItem(&item)).unwrap();
    let again = read_item(&written.to_string()).unwrap();
    assert_eq!(again, item, "{plain} is read as it is written");
    let stored = serde_json::to_value(EncodedItem::from(&item)).unwrap();
    json!({ "plain": written["value"], "stored": stored["value"] })
}
