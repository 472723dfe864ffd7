use crate::{accepted, breaks};
use monotable_api::OperationName::ListTables;
use serde_json::json;

#[test]
fn constraints_are_reported_together() {
    breaks(
        ListTables,
        json!({"Limit": 0, "ExclusiveStartTableName": "a;"}),
        &[
            "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater \
             than or equal to 1",
            "Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: Member must \
             satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
            "Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: Member must \
             have length greater than or equal to 3",
        ],
    );
    breaks(
        ListTables,
        json!({"Limit": 2_147_483_647_i64}),
        &[
            "Value '2147483647' at 'limit' failed to satisfy constraint: Member must have value \
             less than or equal to 100",
        ],
    );
}

#[test]
fn a_plain_request_passes() {
    accepted(ListTables, json!({}));
    accepted(
        ListTables,
        json!({"Limit": 100, "ExclusiveStartTableName": "abc"}),
    );
}
