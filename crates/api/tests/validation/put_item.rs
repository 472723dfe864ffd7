use crate::{
    BAD_CAPACITY, BAD_METRICS, BAD_RETURN_VALUES, BAD_TABLE, NO_TYPE, NULL_TABLE, accepted, breaks,
    refused,
};
use monotable_api::OperationName::PutItem;
use serde_json::json;

const NULL_ITEM: &str =
    "Value null at 'item' failed to satisfy constraint: Member must not be null";

#[test]
fn constraints_are_reported_together() {
    breaks(PutItem, json!({}), &[NULL_TABLE, NULL_ITEM]);
    breaks(
        PutItem,
        json!({"TableName": "abc;", "ReturnConsumedCapacity": "hi", "ReturnItemCollectionMetrics": "hi",
               "ReturnValues": "hi", "ReturnValuesOnConditionCheckFailure": "hi"}),
        &[
            BAD_CAPACITY,
            BAD_TABLE,
            NULL_ITEM,
            BAD_RETURN_VALUES,
            BAD_METRICS,
            "Value 'hi' at 'returnValuesOnConditionCheckFailure' failed to satisfy constraint: \
             Member must satisfy enum value set: [ALL_OLD, NONE]",
        ],
    );
}

#[test]
fn only_the_old_item_can_be_returned() {
    for values in ["UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"] {
        refused(
            PutItem,
            json!({"TableName": "abc", "Item": {}, "ReturnValues": values}),
            "ReturnValues can only be ALL_OLD or NONE",
        );
    }
    accepted(
        PutItem,
        json!({"TableName": "abc", "Item": {}, "ReturnValues": "ALL_OLD"}),
    );
}

#[test]
fn values_are_checked_before_return_values_and_expressions() {
    refused(
        PutItem,
        json!({"TableName": "abc", "Item": {"a": {}}, "ReturnValues": "ALL_NEW",
               "ConditionExpression": "("}),
        NO_TYPE,
    );
    refused(
        PutItem,
        json!({"TableName": "abc", "Item": {"a": {"S": "a", "N": "1"}}}),
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes",
    );
    refused(
        PutItem,
        json!({"TableName": "abc", "Item": {"a": {"NS": ["1", "b", "a"]}}}),
        "The parameter cannot be converted to a numeric value: b",
    );
    refused(
        PutItem,
        json!({"TableName": "abc", "Item": {"a": {"SS": ["a", "a"]}}}),
        "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
    );
}

#[test]
fn an_item_has_a_largest_size() {
    let item = json!({"a": {"S": "k"}, "b": {"S": "x".repeat(400 * 1024)}});
    refused(
        PutItem,
        json!({"TableName": "abc", "Item": item}),
        "Item size has exceeded the maximum allowed size",
    );
    let item = json!({"a": {"S": "x".repeat(400 * 1024 - 1)}});
    accepted(PutItem, json!({"TableName": "abc", "Item": item}));
}
