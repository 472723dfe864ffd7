use crate::{BAD_CAPACITY, BAD_TABLE, NULL_TABLE, accepted, breaks, refused};
use monotable_api::OperationName::Query;
use serde_json::{Value, json};

fn query(members: Value) -> Value {
    let mut request = json!({"TableName": "abc", "KeyConditionExpression": "a = :a",
                             "ExpressionAttributeValues": {":a": {"S": "x"}}});
    let members = members.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(members);
    request
}

#[test]
fn constraints_are_reported_together() {
    breaks(Query, json!({}), &[NULL_TABLE]);
    breaks(
        Query,
        json!({"TableName": "abc;", "ReturnConsumedCapacity": "hi", "IndexName": "abc;",
               "Select": "hi", "Limit": -1}),
        &[
            "Value 'hi' at 'select' failed to satisfy constraint: Member must satisfy enum value \
             set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
            "Value 'abc;' at 'indexName' failed to satisfy constraint: Member must satisfy regular \
             expression pattern: [a-zA-Z0-9_.-]+",
            BAD_CAPACITY,
            BAD_TABLE,
            "Value at 'Limit' failed to satisfy constraint: Member must have value greater than \
             or equal to 1",
        ],
    );
    breaks(
        Query,
        json!({"TableName": "abc", "IndexName": "a;"}),
        &[
            "Value 'a;' at 'indexName' failed to satisfy constraint: Member must satisfy regular \
             expression pattern: [a-zA-Z0-9_.-]+",
            "Value 'a;' at 'indexName' failed to satisfy constraint: Member must have length \
             greater than or equal to 3",
        ],
    );
}

/// Unlike Scan's, this one is in the words of AWS's newer framework: paritysuite (2026).
#[test]
fn the_limit_is_at_least_one() {
    for limit in [0, -1] {
        breaks(
            Query,
            query(json!({"Limit": limit})),
            &[
                "Value at 'Limit' failed to satisfy constraint: Member must have value greater \
                 than or equal to 1",
            ],
        );
    }
    accepted(Query, query(json!({"Limit": 1})));
}

#[test]
fn a_key_condition_is_needed() {
    refused(
        Query,
        json!({"TableName": "abc"}),
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.",
    );
}

#[test]
fn substitutions_need_an_expression() {
    refused(
        Query,
        json!({"TableName": "abc", "ExpressionAttributeValues": {}}),
        "ExpressionAttributeValues can only be specified when using expressions: \
         FilterExpression and KeyConditionExpression are null",
    );
}

#[test]
fn the_starting_key_is_checked_first() {
    refused(
        Query,
        json!({"TableName": "abc", "ExclusiveStartKey": {"a": {}}}),
        "The provided starting key is invalid: Supplied AttributeValue is empty, must contain \
         exactly one of the supported datatypes",
    );
    refused(
        Query,
        json!({"TableName": "abc", "ExclusiveStartKey": {"a": {"N": "b"}}}),
        "The parameter cannot be converted to a numeric value: b",
    );
    refused(
        Query,
        json!({"TableName": "abc", "ExclusiveStartKey": {"a": {"SS": ["a", "a"]}}}),
        "One or more parameter values were invalid: Input collection [a, a] contains duplicates.",
    );
}

#[test]
fn select_fits_the_rest() {
    let wrapped = |rule: &str| format!("1 validation error detected: {rule}");
    for (select, rule) in [
        (
            "ALL_ATTRIBUTES",
            "Cannot specify the ProjectionExpression when choosing to get ALL_ATTRIBUTES",
        ),
        (
            "ALL_PROJECTED_ATTRIBUTES",
            "Cannot specify the ProjectionExpression when choosing to get ALL_PROJECTED_ATTRIBUTES",
        ),
        (
            "COUNT",
            "Cannot specify the ProjectionExpression when choosing to get only the Count",
        ),
    ] {
        let request = query(json!({"Select": select, "ProjectionExpression": "b"}));
        refused(Query, request, &wrapped(rule));
    }
    refused(
        Query,
        query(json!({"Select": "SPECIFIC_ATTRIBUTES"})),
        &wrapped(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
        ),
    );
    refused(
        Query,
        query(json!({"Select": "ALL_PROJECTED_ATTRIBUTES"})),
        &wrapped("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"),
    );
    accepted(
        Query,
        query(json!({"Select": "ALL_PROJECTED_ATTRIBUTES", "IndexName": "abc"})),
    );
    accepted(
        Query,
        query(json!({"Select": "SPECIFIC_ATTRIBUTES", "ProjectionExpression": "b"})),
    );
}
