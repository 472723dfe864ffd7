//! What AWS says about parameters from before expressions.
//!
//! Sources: dynalite 4.0.0 with its tests, which were recorded from AWS; ExtendDB's tests of mixing and of
//! `ConditionalOperator`, which ran against AWS in 2026; moto's of `Select` (2026); the tests of ScyllaDB's
//! Alternator for what is refused at all.

mod attribute_updates;
mod attributes_to_get;
mod comparisons;
mod expected;
mod mixing;

use crate::{accepted, breaks, refused};
use monotable_api::OperationName::{
    self, BatchGetItem, DeleteItem, GetItem, PutItem, Query, Scan, UpdateItem,
};
use serde_json::{Value, json};

/// A request of the operation with the members that every such request needs, and these.
fn request(operation: OperationName, members: Value) -> Value {
    let mut request = match operation {
        PutItem => json!({"TableName": "abc", "Item": {}}),
        Query | Scan => json!({"TableName": "abc"}),
        _ => json!({"TableName": "abc", "Key": {}}),
    };
    let members = members.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(members);
    request
}

/// A comparison of one attribute.
fn comparison(operator: &str, values: Value) -> Value {
    json!({"ComparisonOperator": operator, "AttributeValueList": values})
}

/// A Query with a good key condition and these members.
fn query(members: Value) -> Value {
    let mut request = request(
        Query,
        json!({"KeyConditions": {"k": comparison("EQ", json!([{"S": "x"}]))}}),
    );
    let members = members.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(members);
    request
}
