use super::*;

const WITHOUT: &str = "ConditionalOperator cannot be used without Filter or Expected";
const OF_ONE: &str =
    "ConditionalOperator can only be used when Filter or Expected has two or more elements";

fn mixed(legacy: &str, expressions: &str) -> String {
    format!(
        "Can not use both expression and non-expression parameters in the same request: \
         Non-expression parameters: {{{legacy}}} Expression parameters: {{{expressions}}}"
    )
}

fn one() -> Value {
    json!({"a": comparison("EQ", json!([{"S": "x"}]))})
}

fn two() -> Value {
    json!({"a": comparison("NULL", json!([])), "b": comparison("NOT_NULL", json!([]))})
}

#[test]
fn legacy_parameters_do_not_go_with_expressions() {
    refused(
        GetItem,
        request(
            GetItem,
            json!({"AttributesToGet": ["a"], "ProjectionExpression": "a"}),
        ),
        &mixed("AttributesToGet", "ProjectionExpression"),
    );
    refused(
        BatchGetItem,
        json!({"RequestItems": {"abc": {"Keys": [{}], "AttributesToGet": ["a"],
               "ProjectionExpression": "a"}}}),
        &mixed("AttributesToGet", "ProjectionExpression"),
    );
    for operation in [PutItem, DeleteItem] {
        refused(
            operation,
            request(
                operation,
                json!({"Expected": {}, "ConditionalOperator": "OR",
                       "ConditionExpression": "attribute_not_exists(a)"}),
            ),
            &mixed("Expected, ConditionalOperator", "ConditionExpression"),
        );
    }
    refused(
        UpdateItem,
        request(
            UpdateItem,
            json!({"AttributeUpdates": {}, "Expected": {}, "ConditionalOperator": "AND",
                   "UpdateExpression": "", "ConditionExpression": ""}),
        ),
        &mixed(
            "AttributeUpdates, Expected, ConditionalOperator",
            "UpdateExpression, ConditionExpression",
        ),
    );
    refused(
        Scan,
        request(
            Scan,
            json!({"AttributesToGet": ["a"], "ScanFilter": one(), "ConditionalOperator": "AND",
                   "FilterExpression": "a = :v", "ProjectionExpression": "b"}),
        ),
        &mixed(
            "AttributesToGet, ScanFilter, ConditionalOperator",
            "ProjectionExpression, FilterExpression",
        ),
    );
    refused(
        Query,
        request(
            Query,
            json!({"AttributesToGet": ["a"], "QueryFilter": {}, "ConditionalOperator": "AND",
                   "KeyConditions": {}, "ProjectionExpression": "", "FilterExpression": "",
                   "KeyConditionExpression": ""}),
        ),
        &mixed(
            "AttributesToGet, QueryFilter, ConditionalOperator, KeyConditions",
            "ProjectionExpression, FilterExpression, KeyConditionExpression",
        ),
    );
}

#[test]
fn key_conditions_go_with_other_expressions() {
    accepted(
        Query,
        query(
            json!({"FilterExpression": "a = :v", "ProjectionExpression": "b",
                     "ExpressionAttributeValues": {":v": {"S": "x"}}}),
        ),
    );
    // They are not named beside what is wrong, unless there are two key conditions.
    refused(
        Query,
        query(json!({"QueryFilter": {}, "ProjectionExpression": "b"})),
        &mixed("QueryFilter", "ProjectionExpression"),
    );
    refused(
        Query,
        query(json!({"KeyConditionExpression": "k = :v"})),
        &mixed("KeyConditions", "KeyConditionExpression"),
    );
}

#[test]
fn names_and_values_need_an_expression() {
    refused(
        Query,
        query(json!({"ExpressionAttributeNames": {"#a": "a"}})),
        "ExpressionAttributeNames can only be specified when using expressions",
    );
    refused(
        PutItem,
        request(
            PutItem,
            json!({"Expected": {}, "ExpressionAttributeValues": {":a": {"S": "a"}}}),
        ),
        "ExpressionAttributeValues can only be specified when using expressions: \
         ConditionExpression is null",
    );
}

#[test]
fn an_operator_needs_two_conditions() {
    for (operation, map) in [
        (Query, "QueryFilter"),
        (Scan, "ScanFilter"),
        (PutItem, "Expected"),
        (DeleteItem, "Expected"),
        (UpdateItem, "Expected"),
    ] {
        for operator in ["AND", "OR"] {
            let with = |conditions: Value| {
                let mut members = json!({"ConditionalOperator": operator});
                if !conditions.is_null() {
                    members[map] = conditions;
                }
                match operation {
                    Query => query(members),
                    operation => request(operation, members),
                }
            };
            refused(operation, with(Value::Null), WITHOUT);
            refused(operation, with(json!({})), WITHOUT);
            refused(operation, with(one()), OF_ONE);
            accepted(operation, with(two()));
        }
        breaks(
            operation,
            request(operation, json!({"ConditionalOperator": "and"})),
            &[
                "Value 'and' at 'conditionalOperator' failed to satisfy constraint: Member must \
               satisfy enum value set: [OR, AND]",
            ],
        );
    }
    // That is asked before the key condition is missed.
    refused(
        Query,
        request(Query, json!({"ConditionalOperator": "AND"})),
        WITHOUT,
    );
}
