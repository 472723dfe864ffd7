//! The cases that all clients share are JSON as on the wire; the SDK has types.

use crate::library::Item;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use serde_json::Value;
use std::collections::HashMap;

pub fn cases() -> Value {
    let file = std::env::var("MONOTABLE_EXPRESSIONS").expect("tests/clients/run sets it");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

pub fn item(value: &Value) -> Item {
    let members = value.as_object().unwrap().iter();
    members
        .map(|(name, value)| (name.clone(), attribute(value)))
        .collect()
}

pub fn names(value: &Value) -> HashMap<String, String> {
    let members = value.as_object().unwrap().iter();
    members
        .map(|(name, value)| (name.clone(), text(value)))
        .collect()
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn attribute(value: &Value) -> AttributeValue {
    let (kind, content) = value.as_object().unwrap().iter().next().unwrap();
    match kind.as_str() {
        "S" => AttributeValue::S(text(content)),
        "N" => AttributeValue::N(text(content)),
        "B" => AttributeValue::B(bytes(content)),
        "BOOL" => AttributeValue::Bool(content.as_bool().unwrap()),
        "NULL" => AttributeValue::Null(true),
        "SS" => AttributeValue::Ss(list(content, text)),
        "NS" => AttributeValue::Ns(list(content, text)),
        "BS" => AttributeValue::Bs(list(content, bytes)),
        "L" => AttributeValue::L(list(content, attribute)),
        "M" => AttributeValue::M(item(content)),
        other => panic!("no type {other}"),
    }
}

fn list<T>(value: &Value, each: impl Fn(&Value) -> T) -> Vec<T> {
    value.as_array().unwrap().iter().map(each).collect()
}

fn bytes(value: &Value) -> Blob {
    Blob::new(aws_smithy_types::base64::decode(value.as_str().unwrap()).unwrap())
}

/// Sets have no order, and only tops of items are sets in the cases.
pub fn unordered(item: Item) -> Item {
    item.into_iter()
        .map(|(name, value)| (name, in_order(value)))
        .collect()
}

fn in_order(value: AttributeValue) -> AttributeValue {
    match value {
        AttributeValue::Ss(mut members) => {
            members.sort();
            AttributeValue::Ss(members)
        }
        AttributeValue::Ns(mut members) => {
            members.sort();
            AttributeValue::Ns(members)
        }
        AttributeValue::Bs(mut members) => {
            members.sort_by(|a, b| a.as_ref().cmp(b.as_ref()));
            AttributeValue::Bs(members)
        }
        other => other,
    }
}
