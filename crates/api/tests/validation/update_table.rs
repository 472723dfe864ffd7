use crate::{accepted, breaks, refused};
use monotable_api::OperationName::UpdateTable;
use serde_json::{Value, json};

fn update(members: Value) -> Value {
    let mut request = json!({"TableName": "abc"});
    let members = members.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(members);
    request
}

fn indexes(updates: Value) -> Value {
    update(json!({"GlobalSecondaryIndexUpdates": updates}))
}

fn units() -> Value {
    json!({"ReadCapacityUnits": 1, "WriteCapacityUnits": 1})
}

fn new_index(name: &str) -> Value {
    json!({"IndexName": name, "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
           "Projection": {"ProjectionType": "ALL"}})
}

#[test]
fn something_is_to_be_changed() {
    const NOTHING: &str = "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, \
         GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, \
         ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, \
         OnDemandThroughput, WarmThroughput or TableClass is required";
    refused(UpdateTable, update(json!({})), NOTHING);
    refused(UpdateTable, indexes(json!([])), NOTHING);
}

#[test]
fn constraints_are_reported_together() {
    breaks(
        UpdateTable,
        update(
            json!({"ProvisionedThroughput": {"ReadCapacityUnits": 0, "WriteCapacityUnits": 0},
                      "GlobalSecondaryIndexUpdates": [{"Update": {}}]}),
        ),
        &[
            "Value '0' at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: \
             Member must have value greater than or equal to 1",
            "Value '0' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: \
             Member must have value greater than or equal to 1",
            "Value null at 'globalSecondaryIndexUpdates.1.member.update.indexName' failed to \
             satisfy constraint: Member must not be null",
        ],
    );
}

#[test]
fn throughput_fits_the_billing_mode() {
    refused(
        UpdateTable,
        update(json!({"BillingMode": "PROVISIONED"})),
        "One or more parameter values were invalid: ProvisionedThroughput must be specified when \
         BillingMode is PROVISIONED",
    );
    refused(
        UpdateTable,
        update(json!({"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": units()})),
        "One or more parameter values were invalid: Neither ReadCapacityUnits nor \
         WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
    );
    accepted(
        UpdateTable,
        update(json!({"BillingMode": "PROVISIONED", "ProvisionedThroughput": units()})),
    );
    accepted(
        UpdateTable,
        update(json!({"BillingMode": "PAY_PER_REQUEST"})),
    );
}

#[test]
fn each_index_update_is_exactly_one() {
    refused(
        UpdateTable,
        indexes(json!([{}])),
        "One or more parameter values were invalid: One of GlobalSecondaryIndexUpdate.Update, \
         GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null",
    );
    refused(
        UpdateTable,
        indexes(json!([{"Create": new_index("abc"), "Delete": {"IndexName": "abc"}}])),
        "One or more parameter values were invalid: Only one global secondary index action is \
         allowed per GlobalSecondaryIndexUpdate object",
    );
    refused(
        UpdateTable,
        indexes(json!([{"Delete": {"IndexName": "abc"}}, {"Delete": {"IndexName": "abc"}}])),
        "One or more parameter values were invalid: Only one global secondary index update per \
         index is allowed simultaneously. Index: abc",
    );
}

#[test]
fn the_key_of_a_new_index_is_defined() {
    refused(
        UpdateTable,
        indexes(json!([{"Create": new_index("abc")}])),
        "One or more parameter values were invalid: AttributeDefinitions is not specified for \
         index: abc",
    );
    let defined = |name: &str| {
        update(
            json!({"GlobalSecondaryIndexUpdates": [{"Create": new_index("abc")}],
                      "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"}]}),
        )
    };
    refused(
        UpdateTable,
        defined("x"),
        "One or more parameter values were invalid: Some index key attributes are not defined in \
         AttributeDefinitions. Keys: [g], AttributeDefinitions: [x]",
    );
    accepted(UpdateTable, defined("g"));
}

#[test]
fn most_changes_are_made_one_at_a_time() {
    let sse = json!({"Enabled": true});
    for (members, rule) in [
        (
            json!({"SSESpecification": sse, "DeletionProtectionEnabled": true}),
            "Server-Side Encryption modification must be the only operation in the request",
        ),
        (
            json!({"TableClass": "STANDARD", "BillingMode": "PAY_PER_REQUEST"}),
            "TableClass modification must be the only operation in the request",
        ),
        (
            json!({"DeletionProtectionEnabled": true, "BillingMode": "PAY_PER_REQUEST"}),
            "DeletionProtection modification must be the only operation in the request",
        ),
        (
            json!({"WarmThroughput": {}, "BillingMode": "PAY_PER_REQUEST"}),
            "WarmThroughput must be the only operation in the request",
        ),
        (
            json!({"OnDemandThroughput": {"MaxReadRequestUnits": 1},
                   "StreamSpecification": {"StreamEnabled": false}}),
            "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request",
        ),
        (
            json!({"BillingMode": "PAY_PER_REQUEST", "GlobalSecondaryIndexUpdates": []}),
            "List of GlobalSecondaryIndexUpdates is empty",
        ),
        (
            json!({"StreamSpecification": {"StreamEnabled": true}}),
            "If stream is being enabled then UpdateViewType is required",
        ),
        (
            json!({"StreamSpecification": {"StreamEnabled": false, "StreamViewType": "KEYS_ONLY"}}),
            "If stream is being disabled, then UpdateViewType must not be specified",
        ),
        (
            json!({"ProvisionedThroughput": units(), "StreamSpecification": {"StreamEnabled": false}}),
            "You cannot modify stream status while updating table IOPS",
        ),
        (
            json!({"ProvisionedThroughput": units(),
                   "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "abc"}}]}),
            "You cannot create or delete index while updating table IOPS",
        ),
        (
            json!({"StreamSpecification": {"StreamEnabled": false},
                   "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "abc"}}]}),
            "You cannot create or delete index while changing stream status",
        ),
    ] {
        refused(
            UpdateTable,
            update(members),
            &format!("One or more parameter values were invalid: {rule}"),
        );
    }
}

#[test]
fn parameters_of_missing_features_are_not_ignored() {
    refused(
        UpdateTable,
        update(json!({"ReplicaUpdates": [{"Create": {"RegionName": "eu-west-2"}}]})),
        "Unsupported input parameter: {ReplicaUpdates}",
    );
}
