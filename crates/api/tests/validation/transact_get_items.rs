use crate::{BAD_CAPACITY, NO_TYPE, accepted, breaks, refused};
use monotable_api::OperationName::TransactGetItems;
use serde_json::json;

#[test]
fn constraints_are_reported_together() {
    breaks(
        TransactGetItems,
        json!({"ReturnConsumedCapacity": "hi"}),
        &[
            BAD_CAPACITY,
            "Value null at 'transactItems' failed to satisfy constraint: Member must not be null",
        ],
    );
    breaks(
        TransactGetItems,
        json!({"TransactItems": [{}, {"Get": {"TableName": "abc"}}]}),
        &[
            "Value null at 'transactItems.1.member.get' failed to satisfy constraint: \
             Member must not be null",
            "Value null at 'transactItems.2.member.get.key' failed to satisfy constraint: \
             Member must not be null",
        ],
    );
    breaks(
        TransactGetItems,
        json!({"TransactItems": []}),
        &[
            "Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length \
             greater than or equal to 1",
        ],
    );
}

#[test]
fn keys_and_projections_are_checked() {
    refused(
        TransactGetItems,
        json!({"TransactItems": [{"Get": {"TableName": "abc", "Key": {"a": {}}}}]}),
        NO_TYPE,
    );
    refused(
        TransactGetItems,
        json!({"TransactItems": [{"Get": {"TableName": "abc", "Key": {}, "ProjectionExpression": ""}}]}),
        "Invalid ProjectionExpression: The expression can not be empty;",
    );
    accepted(
        TransactGetItems,
        json!({"TransactItems": [{"Get": {"TableName": "abc", "Key": {"a": {"S": "x"}}, "ProjectionExpression": "a"}}]}),
    );
}
