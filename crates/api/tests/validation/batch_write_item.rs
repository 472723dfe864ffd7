use crate::{BAD_CAPACITY, BAD_METRICS, NO_TYPE, accepted, breaks, refused};
use monotable_api::OperationName::BatchWriteItem;
use serde_json::{Value, json};

fn puts(count: usize) -> Vec<Value> {
    (0..count)
        .map(|at| json!({"PutRequest": {"Item": {"a": {"S": at.to_string()}}}}))
        .collect()
}

#[test]
fn constraints_are_reported_together() {
    breaks(
        BatchWriteItem,
        json!({"ReturnConsumedCapacity": "hi", "ReturnItemCollectionMetrics": "hi"}),
        &[
            BAD_CAPACITY,
            BAD_METRICS,
            "Value null at 'requestItems' failed to satisfy constraint: Member must not be null",
        ],
    );
    breaks(
        BatchWriteItem,
        json!({"RequestItems": {"abc": [{"PutRequest": {}}, {"DeleteRequest": {}}]}}),
        &[
            "Value null at 'requestItems.abc.member.1.member.putRequest.item' failed to satisfy \
             constraint: Member must not be null",
            "Value null at 'requestItems.abc.member.2.member.deleteRequest.key' failed to satisfy \
             constraint: Member must not be null",
        ],
    );
    breaks(
        BatchWriteItem,
        json!({"RequestItems": {"abc": []}}),
        &[
            "Value '{abc=[]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]",
        ],
    );
}

#[test]
fn a_bad_table_name_is_reported_alone() {
    breaks(
        BatchWriteItem,
        json!({"RequestItems": {"b!": puts(1)}, "ReturnConsumedCapacity": "hi"}),
        &[BAD_CAPACITY],
    );
    breaks(
        BatchWriteItem,
        json!({"RequestItems": {"b!": puts(1)}}),
        &[
            "Value '{b!=[WriteRequest(putRequest=PutRequest(item={a=AttributeValue(s=0)}), deleteRequest=null)]}' at 'requestItems' failed to satisfy constraint: Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]",
        ],
    );
}

#[test]
fn a_batch_is_not_empty_and_not_too_long() {
    refused(
        BatchWriteItem,
        json!({"RequestItems": {}}),
        "The requestItems parameter is required for BatchWriteItem",
    );
    refused(
        BatchWriteItem,
        json!({"RequestItems": {"abc": puts(25), "abd": puts(1)}}),
        "Too many items requested for the BatchWriteItem call",
    );
    accepted(BatchWriteItem, json!({"RequestItems": {"abc": puts(25)}}));
}

#[test]
fn each_write_is_exactly_one() {
    const MANY: &str = "Supplied AttributeValue has more than one datatypes set, must contain \
         exactly one of the supported datatypes";
    refused(BatchWriteItem, json!({"RequestItems": {"abc": [{}]}}), MANY);
    let both = json!({"PutRequest": {"Item": {}}, "DeleteRequest": {"Key": {}}});
    refused(
        BatchWriteItem,
        json!({"RequestItems": {"abc": [both]}}),
        MANY,
    );
}

#[test]
fn values_are_checked() {
    refused(
        BatchWriteItem,
        json!({"RequestItems": {"abc": [{"DeleteRequest": {"Key": {"a": {}}}}]}}),
        NO_TYPE,
    );
    let large = json!({"a": {"S": "x".repeat(400 * 1024)}});
    refused(
        BatchWriteItem,
        json!({"RequestItems": {"abc": [{"PutRequest": {"Item": large}}]}}),
        "Item size has exceeded the maximum allowed size",
    );
}
