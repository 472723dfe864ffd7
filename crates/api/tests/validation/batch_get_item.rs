use crate::{BAD_CAPACITY, NO_TYPE, accepted, breaks, refused};
use monotable_api::OperationName::BatchGetItem;
use serde_json::{Value, json};

fn keys(count: usize) -> Vec<Value> {
    (0..count)
        .map(|at| json!({"a": {"S": at.to_string()}}))
        .collect()
}

#[test]
fn constraints_are_reported_together() {
    breaks(
        BatchGetItem,
        json!({"ReturnConsumedCapacity": "hi"}),
        &[
            "Value null at 'requestItems' failed to satisfy constraint: Member must not be null",
            BAD_CAPACITY,
        ],
    );
    breaks(
        BatchGetItem,
        json!({"RequestItems": {"bad!name": {"Keys": [{"pk": {"S": "a"}}]}}, "ReturnConsumedCapacity": "hi"}),
        &[
            "Value '{bad!name=KeysAndAttributes(keys=[{pk=AttributeValue(s=a)}], attributesToGet=null, consistentRead=null, projectionExpression=null, expressionAttributeNames=null)}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]",
            BAD_CAPACITY,
        ],
    );
    breaks(
        BatchGetItem,
        json!({"RequestItems": {"abc": {}, "abd": {"Keys": []}}}),
        &[
            "Value null at 'requestItems.abc.member.keys' failed to satisfy constraint: \
             Member must not be null",
            "Value '[]' at 'requestItems.abd.member.keys' failed to satisfy constraint: \
             Member must have length greater than or equal to 1",
        ],
    );
}

#[test]
fn a_batch_is_not_empty() {
    refused(
        BatchGetItem,
        json!({"RequestItems": {}}),
        "The requestItems parameter is required for BatchGetItem",
    );
}

#[test]
fn a_batch_has_a_largest_length() {
    refused(
        BatchGetItem,
        json!({"RequestItems": {"abc": {"Keys": keys(100)}, "abd": {"Keys": keys(1)}}}),
        "Too many items requested for the BatchGetItem call",
    );
    breaks(
        BatchGetItem,
        json!({"RequestItems": {"abc": {"Keys": keys(101)}}}),
        &[
            "Value at 'RequestItems.abc.member.Keys' failed to satisfy constraint: Member must have \
             length less than or equal to 100",
        ],
    );
    accepted(
        BatchGetItem,
        json!({"RequestItems": {"abc": {"Keys": keys(100)}}}),
    );
}

#[test]
fn a_table_has_one_entry() {
    refused(
        BatchGetItem,
        json!({"RequestItems": {
            "abc": {"Keys": keys(1)},
            "arn:aws:dynamodb:eu-west-2:000000000000:table/abc": {"Keys": keys(1)},
        }}),
        "Provided list of table names contains duplicates",
    );
}

#[test]
fn keys_and_expressions_are_checked_per_table() {
    refused(
        BatchGetItem,
        json!({"RequestItems": {"abc": {"Keys": [{"a": {}}]}}}),
        NO_TYPE,
    );
    refused(
        BatchGetItem,
        json!({"RequestItems": {"abc": {"Keys": keys(1), "ProjectionExpression": ""}}}),
        "Invalid ProjectionExpression: The expression can not be empty;",
    );
    refused(
        BatchGetItem,
        json!({"RequestItems": {"abc": {"Keys": keys(1), "AttributesToGet": ["a"], "ProjectionExpression": "a"}}}),
        "Can not use both expression and non-expression parameters in the same request: \
         Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}",
    );
}
