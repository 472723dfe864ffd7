use crate::{BAD_CAPACITY, BAD_TABLE, NO_TYPE, NULL_KEY, NULL_TABLE, accepted, breaks, refused};
use monotable_api::OperationName::GetItem;
use serde_json::json;

#[test]
fn constraints_are_reported_together() {
    breaks(GetItem, json!({}), &[NULL_TABLE, NULL_KEY]);
    breaks(
        GetItem,
        json!({"TableName": "abc;", "ReturnConsumedCapacity": "hi"}),
        &[BAD_CAPACITY, BAD_TABLE, NULL_KEY],
    );
}

#[test]
fn key_values_are_checked_before_expressions() {
    refused(
        GetItem,
        json!({"TableName": "abc", "Key": {"a": {}}, "ProjectionExpression": "a,,"}),
        NO_TYPE,
    );
    refused(
        GetItem,
        json!({"TableName": "abc", "Key": {"a": {"N": ""}}}),
        "The parameter cannot be converted to a numeric value",
    );
}

#[test]
fn names_need_an_expression() {
    refused(
        GetItem,
        json!({"TableName": "abc", "Key": {"a": {}}, "ExpressionAttributeNames": {"#a": "a"}}),
        "ExpressionAttributeNames can only be specified when using expressions",
    );
}

#[test]
fn a_plain_request_passes() {
    accepted(
        GetItem,
        json!({"TableName": "abc", "Key": {"a": {"S": "b"}}, "ConsistentRead": true,
               "ProjectionExpression": "#b, c[0].d", "ExpressionAttributeNames": {"#b": "b"}}),
    );
}
