use crate::{
    BAD_CAPACITY, BAD_METRICS, BAD_RETURN_VALUES, BAD_TABLE, NO_TYPE, NULL_KEY, NULL_TABLE,
    accepted, breaks, refused,
};
use monotable_api::OperationName::UpdateItem;
use serde_json::json;

#[test]
fn constraints_are_reported_together() {
    breaks(UpdateItem, json!({}), &[NULL_TABLE, NULL_KEY]);
    breaks(
        UpdateItem,
        json!({"TableName": "abc;", "ReturnConsumedCapacity": "hi", "ReturnItemCollectionMetrics": "hi",
               "ReturnValues": "hi"}),
        &[
            BAD_CAPACITY,
            BAD_TABLE,
            BAD_METRICS,
            BAD_RETURN_VALUES,
            NULL_KEY,
        ],
    );
}

#[test]
fn key_values_are_checked_before_expressions() {
    refused(
        UpdateItem,
        json!({"TableName": "abc", "Key": {"a": {}}, "UpdateExpression": ""}),
        NO_TYPE,
    );
}

#[test]
fn values_need_an_expression() {
    refused(
        UpdateItem,
        json!({"TableName": "abc", "Key": {}, "ExpressionAttributeValues": {}}),
        "ExpressionAttributeValues can only be specified when using expressions: \
         UpdateExpression and ConditionExpression are null",
    );
}

#[test]
fn the_update_is_parsed_before_the_condition() {
    refused(
        UpdateItem,
        json!({"TableName": "abc", "Key": {}, "UpdateExpression": "", "ConditionExpression": ""}),
        "Invalid UpdateExpression: The expression can not be empty;",
    );
    refused(
        UpdateItem,
        json!({"TableName": "abc", "Key": {}, "UpdateExpression": "SET a = :a",
               "ConditionExpression": "", "ExpressionAttributeValues": {":a": {"S": "x"}}}),
        "Invalid ConditionExpression: The expression can not be empty;",
    );
}

#[test]
fn requests_with_and_without_an_update_pass() {
    accepted(
        UpdateItem,
        json!({"TableName": "abc", "Key": {"a": {"S": "b"}}}),
    );
    accepted(
        UpdateItem,
        json!({"TableName": "abc", "Key": {"a": {"S": "b"}}, "ReturnValues": "UPDATED_NEW",
               "UpdateExpression": "SET #n = #n + :one", "ConditionExpression": "attribute_exists(#n)",
               "ExpressionAttributeNames": {"#n": "Count"},
               "ExpressionAttributeValues": {":one": {"N": "1"}}}),
    );
}
