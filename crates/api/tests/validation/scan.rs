use crate::{BAD_CAPACITY, BAD_TABLE, NULL_TABLE, accepted, breaks, refused};
use monotable_api::OperationName::Scan;
use serde_json::json;

#[test]
fn constraints_are_reported_together() {
    breaks(Scan, json!({}), &[NULL_TABLE]);
    breaks(
        Scan,
        json!({"TableName": "abc;", "ReturnConsumedCapacity": "hi", "Select": "hi",
               "Segment": -1, "TotalSegments": -1, "Limit": -1}),
        &[
            "Value 'hi' at 'select' failed to satisfy constraint: Member must satisfy enum value \
             set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
            "Value '-1' at 'totalSegments' failed to satisfy constraint: Member must have value \
             greater than or equal to 1",
            BAD_CAPACITY,
            BAD_TABLE,
            "Value '-1' at 'segment' failed to satisfy constraint: Member must have value greater \
             than or equal to 0",
            "Value '-1' at 'limit' failed to satisfy constraint: Member must have value greater \
             than or equal to 1",
        ],
    );
    breaks(
        Scan,
        json!({"TableName": "abc", "Segment": 1_000_000, "TotalSegments": 1_000_001}),
        &[
            "Value '1000001' at 'totalSegments' failed to satisfy constraint: Member must have \
             value less than or equal to 1000000",
            "Value '1000000' at 'segment' failed to satisfy constraint: Member must have value \
             less than or equal to 999999",
        ],
    );
}

#[test]
fn segments_come_in_pairs() {
    refused(
        Scan,
        json!({"TableName": "abc", "Segment": 0}),
        "The TotalSegments parameter is required but was not present in the request when Segment \
         parameter is present",
    );
    refused(
        Scan,
        json!({"TableName": "abc", "TotalSegments": 1}),
        "The Segment parameter is required but was not present in the request when parameter \
         TotalSegments is present",
    );
    refused(
        Scan,
        json!({"TableName": "abc", "Segment": 1, "TotalSegments": 1}),
        "The Segment parameter is zero-based and must be less than parameter TotalSegments: \
         Segment: 1 is not less than TotalSegments: 1",
    );
    accepted(
        Scan,
        json!({"TableName": "abc", "Segment": 0, "TotalSegments": 1}),
    );
}

#[test]
fn substitutions_need_an_expression() {
    refused(
        Scan,
        json!({"TableName": "abc", "ExpressionAttributeValues": {}}),
        "ExpressionAttributeValues can only be specified when using expressions: \
         FilterExpression is null",
    );
}

#[test]
fn select_rules_are_not_wrapped_as_in_query() {
    refused(
        Scan,
        json!({"TableName": "abc", "Select": "COUNT", "ProjectionExpression": "a"}),
        "Cannot specify the ProjectionExpression when choosing to get only the Count",
    );
    refused(
        Scan,
        json!({"TableName": "abc", "Select": "ALL_PROJECTED_ATTRIBUTES"}),
        "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
    );
}

#[test]
fn the_starting_key_is_checked() {
    refused(
        Scan,
        json!({"TableName": "abc", "ExclusiveStartKey": {"a": {"NULL": false}}}),
        "The provided starting key is invalid: One or more parameter values were invalid: Null \
         attribute value types must have the value of true",
    );
}

#[test]
fn the_filter_is_parsed_before_the_projection() {
    refused(
        Scan,
        json!({"TableName": "abc", "FilterExpression": "", "ProjectionExpression": ""}),
        "Invalid FilterExpression: The expression can not be empty;",
    );
}
