use crate::{BAD_CAPACITY, BAD_METRICS, accepted, breaks, refused};
use monotable_api::OperationName::TransactWriteItems;
use serde_json::{Value, json};

fn request(actions: Value) -> Value {
    json!({"TransactItems": actions})
}

#[test]
fn constraints_are_reported_together() {
    breaks(
        TransactWriteItems,
        json!({}),
        &["Value null at 'transactItems' failed to satisfy constraint: Member must not be null"],
    );
    breaks(
        TransactWriteItems,
        json!({"TransactItems": [], "ReturnConsumedCapacity": "hi", "ReturnItemCollectionMetrics": "hi",
               "ClientRequestToken": "x".repeat(37)}),
        &[
            "Value 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' at 'clientRequestToken' failed to \
             satisfy constraint: Member must have length less than or equal to 36",
            BAD_CAPACITY,
            BAD_METRICS,
            "Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length \
             greater than or equal to 1",
        ],
    );
    breaks(
        TransactWriteItems,
        request(json!([{"ConditionCheck": {}}, {"Put": {}}, {"Delete": {}}])),
        &[
            "Value null at 'transactItems.1.member.conditionCheck.key' failed to satisfy constraint: \
             Member must not be null",
            "Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed to \
             satisfy constraint: Member must not be null",
            "Value null at 'transactItems.1.member.conditionCheck.tableName' failed to satisfy \
             constraint: Member must not be null",
            "Value null at 'transactItems.2.member.put.item' failed to satisfy constraint: \
             Member must not be null",
            "Value null at 'transactItems.2.member.put.tableName' failed to satisfy constraint: \
             Member must not be null",
            "Value null at 'transactItems.3.member.delete.key' failed to satisfy constraint: \
             Member must not be null",
            "Value null at 'transactItems.3.member.delete.tableName' failed to satisfy constraint: \
             Member must not be null",
        ],
    );
}

#[test]
fn a_transaction_has_a_largest_length() {
    let put = json!({"Put": {"TableName": "abc", "Item": {"a": {"S": "x"}}}});
    accepted(TransactWriteItems, request(json!(vec![put.clone(); 100])));
    let shown = "TransactWriteItem(conditionCheck=null, put=Put(item={a=AttributeValue(s=x)}, \
                 tableName=abc, conditionExpression=null, expressionAttributeNames=null, \
                 expressionAttributeValues=null, returnValuesOnConditionCheckFailure=null), \
                 delete=null, update=null)";
    let listed = vec![shown; 101].join(", ");
    breaks(
        TransactWriteItems,
        request(json!(vec![put; 101])),
        &[&format!(
            "Value '[{listed}]' at 'transactItems' failed to satisfy constraint: Member must have \
             length less than or equal to 100"
        )],
    );
}

#[test]
fn each_action_is_exactly_one() {
    refused(
        TransactWriteItems,
        request(json!([{}])),
        "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request",
    );
    refused(
        TransactWriteItems,
        request(json!([{
            "Put": {"TableName": "abc", "Item": {}},
            "Delete": {"TableName": "abc", "Key": {}},
        }])),
        "TransactItems can only contain one of Check, Put, Update or Delete",
    );
}

#[test]
fn the_first_action_that_fails_is_reported() {
    let check = json!({"ConditionCheck": {"TableName": "abc", "Key": {}, "ConditionExpression": "attribute_not_exists("}});
    let mut deep = json!({"S": "leaf"});
    for _ in 0..33 {
        deep = json!({"M": {"n": deep}});
    }
    let put = json!({"Put": {"TableName": "abc", "Item": {"a": deep}}});
    const SYNTAX: &str = "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"(\"";
    const NESTING: &str = "Nesting Levels have exceeded supported limits: Attributes in the item \
         have nested levels beyond supported limit";
    refused(TransactWriteItems, request(json!([check, put])), SYNTAX);
    refused(TransactWriteItems, request(json!([put, check])), NESTING);
}

#[test]
fn expressions_are_looked_at_before_keys() {
    refused(
        TransactWriteItems,
        request(
            json!([{"Delete": {"TableName": "abc", "Key": {"a": {}}, "ConditionExpression": "a = = b"}}]),
        ),
        "Invalid ConditionExpression: Syntax error; token: \"=\", near: \"= = b\"",
    );
}

#[test]
fn all_substitutions_are_used() {
    refused(
        TransactWriteItems,
        request(json!([{"ConditionCheck": {
            "TableName": "abc", "Key": {"a": {"S": "x"}}, "ConditionExpression": "attribute_not_exists(a)",
            "ExpressionAttributeValues": {":v": {"S": "x"}},
        }}])),
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}",
    );
    refused(
        TransactWriteItems,
        request(json!([{"Put": {
            "TableName": "abc", "Item": {"a": {"S": "x"}}, "ExpressionAttributeValues": {":v": {"S": "x"}},
        }}])),
        "ExpressionAttributeValues can only be specified when using expressions: \
         ConditionExpression is null",
    );
}

#[test]
fn all_four_actions_pass() {
    accepted(
        TransactWriteItems,
        json!({"ClientRequestToken": "t", "TransactItems": [
            {"Put": {"TableName": "abc", "Item": {"a": {"S": "1"}}, "ConditionExpression": "attribute_not_exists(a)"}},
            {"Update": {"TableName": "abc", "Key": {"a": {"S": "2"}}, "UpdateExpression": "SET b = :b",
                        "ExpressionAttributeValues": {":b": {"N": "1"}}}},
            {"Delete": {"TableName": "abc", "Key": {"a": {"S": "3"}}}},
            {"ConditionCheck": {"TableName": "abc", "Key": {"a": {"S": "4"}}, "ConditionExpression": "attribute_exists(a)"}},
        ]}),
    );
}
