use crate::{
    BAD_CAPACITY, BAD_METRICS, BAD_RETURN_VALUES, BAD_TABLE, NO_TYPE, NULL_KEY, NULL_TABLE,
    accepted, breaks, refused,
};
use monotable_api::OperationName::DeleteItem;
use serde_json::json;

#[test]
fn constraints_are_reported_together() {
    breaks(DeleteItem, json!({}), &[NULL_TABLE, NULL_KEY]);
    breaks(
        DeleteItem,
        json!({"TableName": "abc;", "ReturnConsumedCapacity": "hi", "ReturnItemCollectionMetrics": "hi",
               "ReturnValues": "hi"}),
        &[
            BAD_CAPACITY,
            BAD_TABLE,
            BAD_RETURN_VALUES,
            BAD_METRICS,
            NULL_KEY,
        ],
    );
}

#[test]
fn key_values_are_checked() {
    refused(
        DeleteItem,
        json!({"TableName": "abc", "Key": {"a": {}}}),
        NO_TYPE,
    );
}

#[test]
fn only_the_old_item_can_be_returned() {
    refused(
        DeleteItem,
        json!({"TableName": "abc", "Key": {}, "ReturnValues": "ALL_NEW"}),
        "ReturnValues can only be ALL_OLD or NONE",
    );
}

#[test]
fn values_need_an_expression() {
    refused(
        DeleteItem,
        json!({"TableName": "abc", "Key": {}, "ExpressionAttributeValues": {}}),
        "ExpressionAttributeValues can only be specified when using expressions: \
         ConditionExpression is null",
    );
}

#[test]
fn a_conditional_request_passes() {
    accepted(
        DeleteItem,
        json!({"TableName": "abc", "Key": {"a": {"S": "b"}}, "ConditionExpression": "b = :b",
               "ExpressionAttributeValues": {":b": {"N": "1"}}}),
    );
}
