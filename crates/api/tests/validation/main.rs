//! What AWS says about requests it refuses, operation by operation.
//!
//! Sources, per case or per file: dynalite 4.0.0 (recorded from AWS), the answers of AWS recorded in
//! paritysuite/dynamodb-conformance (2026), and the message catalogue of ack-api-quirks (2026). Those of
//! legacy parameters are named in `legacy.rs`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod batch_get_item;
mod batch_write_item;
mod create_table;
mod delete_item;
mod expressions;
mod get_item;
mod legacy;
mod list_tables;
mod put_item;
mod query;
mod scan;
mod several_key_attributes;
mod table_name;
mod transact_get_items;
mod transact_write_items;
mod update_item;
mod update_table;

use monotable_api::{Error, OperationName, Request};
use serde_json::Value;

/// Decodes and validates a request.
fn validate(operation: OperationName, request: &Value) -> Result<(), Error> {
    Request::decode(operation, &serde_json::to_vec(request).unwrap())?.check()
}

/// The request is refused in these words.
#[track_caller]
fn refused(operation: OperationName, request: Value, message: &str) {
    let error = validate(operation, &request).expect_err(&request.to_string());
    assert_eq!(
        (error.code(), error.message().as_ref()),
        ("ValidationException", message),
        "{request}"
    );
}

/// The request is refused because it breaks these constraints, in this order.
#[track_caller]
fn breaks(operation: OperationName, request: Value, broken: &[&str]) {
    let plural = if broken.len() == 1 { "" } else { "s" };
    let message = format!(
        "{} validation error{plural} detected: {}",
        broken.len(),
        broken.join("; ")
    );
    refused(operation, request, &message);
}

/// The request passes.
#[track_caller]
fn accepted(operation: OperationName, request: Value) {
    assert_eq!(validate(operation, &request), Ok(()), "{request}");
}

const NULL_TABLE: &str =
    "Value null at 'tableName' failed to satisfy constraint: Member must not be null";
const NULL_KEY: &str = "Value null at 'key' failed to satisfy constraint: Member must not be null";
const BAD_TABLE: &str = "Value 'abc;' at 'tableName' failed to satisfy constraint: \
     Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
const BAD_CAPACITY: &str = "Value 'hi' at 'returnConsumedCapacity' failed to satisfy constraint: \
     Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
const BAD_METRICS: &str = "Value 'hi' at 'returnItemCollectionMetrics' failed to satisfy constraint: \
     Member must satisfy enum value set: [SIZE, NONE]";
const BAD_RETURN_VALUES: &str = "Value 'hi' at 'returnValues' failed to satisfy constraint: \
     Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]";
const NO_TYPE: &str =
    "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
