//! The table name, in operations on tables and in operations on items.

use crate::{accepted, breaks, refused};
use monotable_api::OperationName::{CreateTable, DeleteTable, DescribeTable, GetItem, UpdateTable};
use serde_json::json;

#[test]
fn table_operations_say_that_it_is_missing_in_their_own_words() {
    for operation in [CreateTable, DeleteTable, DescribeTable, UpdateTable] {
        refused(
            operation,
            json!({}),
            "The parameter 'TableName' is required but was not present in the request",
        );
    }
}

#[test]
fn table_operations_report_it_alone() {
    for operation in [CreateTable, DeleteTable, DescribeTable, UpdateTable] {
        breaks(
            operation,
            json!({"TableName": "ab"}),
            &[
                "Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length \
                 greater than or equal to 3",
            ],
        );
    }
}

#[test]
fn item_operations_report_it_among_the_rest() {
    const NULL_KEY: &str =
        "Value null at 'key' failed to satisfy constraint: Member must not be null";
    breaks(
        GetItem,
        json!({"TableName": ""}),
        &[
            "Value '' at 'tableName' failed to satisfy constraint: Member must have length greater \
             than or equal to 1",
            NULL_KEY,
        ],
    );
    breaks(
        GetItem,
        json!({"TableName": "a;"}),
        &[
            "Value 'a;' at 'tableName' failed to satisfy constraint: Member must satisfy regular \
             expression pattern: [a-zA-Z0-9_.-]+",
            "Value 'a;' at 'tableName' failed to satisfy constraint: Member must have length \
             greater than or equal to 3",
            NULL_KEY,
        ],
    );
}

#[test]
fn an_arn_will_do() {
    let arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Music";
    accepted(DescribeTable, json!({"TableName": arn}));
    accepted(GetItem, json!({"TableName": arn, "Key": {}}));
}
