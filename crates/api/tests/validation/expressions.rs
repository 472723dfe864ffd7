//! Substitutions, which the operations with expressions share.

use crate::{accepted, refused};
use monotable_api::OperationName::PutItem;
use serde_json::{Value, json};

fn put(members: Value) -> Value {
    let mut request = json!({"TableName": "abc", "Item": {"a": {"S": "b"}}});
    let members = members.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(members);
    request
}

#[test]
fn substitutions_need_an_expression() {
    refused(
        PutItem,
        put(json!({"ExpressionAttributeNames": {}, "ExpressionAttributeValues": {}})),
        "ExpressionAttributeNames can only be specified when using expressions",
    );
    refused(
        PutItem,
        put(json!({"ExpressionAttributeValues": {}})),
        "ExpressionAttributeValues can only be specified when using expressions: \
         ConditionExpression is null",
    );
}

#[test]
fn substitutions_are_not_empty() {
    refused(
        PutItem,
        put(
            json!({"ExpressionAttributeNames": {}, "ExpressionAttributeValues": {}, "ConditionExpression": ""}),
        ),
        "ExpressionAttributeNames must not be empty",
    );
    refused(
        PutItem,
        put(json!({"ExpressionAttributeValues": {}, "ConditionExpression": ""})),
        "ExpressionAttributeValues must not be empty",
    );
}

#[test]
fn names_of_attributes_have_a_length() {
    let named = |length: usize| {
        let names = json!({"#a": "a".repeat(length)});
        put(
            json!({"ExpressionAttributeNames": names, "ConditionExpression": "attribute_exists(#a)"}),
        )
    };
    accepted(PutItem, named(65_535));
    refused(
        PutItem,
        named(65_536),
        "1 validation error detected: Value at 'expressionAttributeNames' failed to satisfy constraint: \
         Map value must satisfy constraint: [Member must have length less than or equal to 65535, \
         Member must have length greater than or equal to 0]",
    );
}

#[test]
fn substitutions_are_named_by_rules() {
    refused(
        PutItem,
        put(json!({"ExpressionAttributeNames": {"a": "a"}, "ConditionExpression": ""})),
        "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\"",
    );
    refused(
        PutItem,
        put(json!({"ExpressionAttributeValues": {"b": {"S": "a"}}, "ConditionExpression": ""})),
        "ExpressionAttributeValues contains invalid key: Syntax error; key: \"b\"",
    );
}

#[test]
fn a_broken_value_is_named() {
    refused(
        PutItem,
        put(
            json!({"ExpressionAttributeValues": {":b": {"NS": []}}, "ConditionExpression": "a = :b"}),
        ),
        "ExpressionAttributeValues contains invalid value: One or more parameter values were \
         invalid: An number set  may not be empty for key :b",
    );
    refused(
        PutItem,
        put(json!({"ExpressionAttributeValues": {":b": {}}, "ConditionExpression": "a = :b"})),
        "ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must \
         contain exactly one of the supported datatypes for key :b",
    );
}

#[test]
fn all_substitutions_are_used() {
    refused(
        PutItem,
        put(json!({"ConditionExpression": "attribute_exists(a)",
                   "ExpressionAttributeNames": {"#a": "a"}, "ExpressionAttributeValues": {":v": {"S": "x"}}})),
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}",
    );
    refused(
        PutItem,
        put(
            json!({"ConditionExpression": "attribute_exists(a)", "ExpressionAttributeValues": {":v": {"S": "x"}}}),
        ),
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
    );
}

#[test]
fn an_expression_is_not_empty() {
    refused(
        PutItem,
        put(json!({"ConditionExpression": ""})),
        "Invalid ConditionExpression: The expression can not be empty;",
    );
}

#[test]
fn expressions_pass() {
    accepted(
        PutItem,
        put(
            json!({"ConditionExpression": "#a = :v OR attribute_not_exists(#a)",
                   "ExpressionAttributeNames": {"#a": "a"}, "ExpressionAttributeValues": {":v": {"S": "x"}}}),
        ),
    );
}
