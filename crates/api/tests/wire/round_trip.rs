//! What is read is what was written.

use crate::{members, values};
use monotable_api::{OperationName, Request, Response};
use proptest::prelude::*;
use serde_json::{Value, json};

fn operation() -> impl Strategy<Value = OperationName> {
    proptest::sample::select(OperationName::ALL)
}

fn request() -> impl Strategy<Value = (OperationName, Value)> {
    operation().prop_flat_map(|operation| {
        let members = members::of_request(operation);
        (
            Just(operation),
            values::of_operation(operation.as_str(), members),
        )
    })
}

fn response() -> impl Strategy<Value = (OperationName, Value)> {
    operation().prop_flat_map(|operation| {
        let members = members::of_response(operation);
        (
            Just(operation),
            values::of_operation(operation.as_str(), members),
        )
    })
}

/// Answers write some members even when they are zero or empty, as AWS does.
fn without_defaults(mut body: Value) -> Value {
    let members = body.as_object_mut().unwrap();
    for (member, default) in [
        ("Count", json!(0)),
        ("ScannedCount", json!(0)),
        ("Responses", json!({})),
        ("UnprocessedKeys", json!({})),
        ("UnprocessedItems", json!({})),
        ("TableNames", json!([])),
        ("Streams", json!([])),
        ("BackupSummaries", json!([])),
        ("ExportSummaries", json!([])),
        ("ImportSummaryList", json!([])),
        ("BulkOperationsSummaryList", json!([])),
        ("Records", json!([])),
        ("Endpoints", json!([])),
    ] {
        if members.get(member) == Some(&default) {
            members.remove(member);
        }
    }
    body
}

proptest! {
    #[test]
    fn requests((operation, body) in request()) {
        let request = Request::decode(operation, body.to_string().as_bytes()).unwrap();
        prop_assert_eq!(request.operation(), operation);
        let written = request.encode().unwrap();
        prop_assert_eq!(serde_json::from_slice::<Value>(&written).unwrap(), body);
        prop_assert_eq!(Request::decode(operation, &written).unwrap(), request);
    }

    #[test]
    fn answers((operation, body) in response()) {
        let response = Response::decode(operation, body.to_string().as_bytes()).unwrap();
        prop_assert_eq!(response.operation(), operation);
        let written = response.encode().unwrap();
        let read: Value = serde_json::from_slice(&written).unwrap();
        prop_assert_eq!(without_defaults(read), without_defaults(body));
        prop_assert_eq!(Response::decode(operation, &written).unwrap(), response);
    }
}
