use crate::{accepted, breaks, refused};
use monotable_api::OperationName::CreateTable;
use serde_json::{Value, json};

/// A request with these members over those of a good one.
fn create(members: Value) -> Value {
    let mut request = json!({
        "TableName": "abc",
        "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
        "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 1},
    });
    let members = members.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(members);
    request
}

fn definitions(names: &[&str]) -> Value {
    names
        .iter()
        .map(|name| json!({"AttributeName": name, "AttributeType": "S"}))
        .collect()
}

fn schema(hash: &str, range: &str) -> Value {
    json!([{"AttributeName": hash, "KeyType": "HASH"}, {"AttributeName": range, "KeyType": "RANGE"}])
}

fn index(name: &str, hash: &str, range: &str) -> Value {
    json!({"IndexName": name, "KeySchema": schema(hash, range), "Projection": {"ProjectionType": "ALL"}})
}

/// A request with a sort key and these local indexes.
fn with_local(names: &[&str], indexes: Value) -> Value {
    create(
        json!({"AttributeDefinitions": definitions(names), "KeySchema": schema("a", "b"),
                  "LocalSecondaryIndexes": indexes}),
    )
}

/// A request paid by use with these global indexes.
pub(crate) fn with_global(names: &[&str], indexes: Value) -> Value {
    create(
        json!({"AttributeDefinitions": definitions(names), "BillingMode": "PAY_PER_REQUEST",
                  "ProvisionedThroughput": null, "GlobalSecondaryIndexes": indexes}),
    )
}

#[test]
fn constraints_are_reported_together() {
    breaks(
        CreateTable,
        json!({"TableName": "abc", "ProvisionedThroughput": {}, "BillingMode": "hi"}),
        &[
            "Value null at 'attributeDefinitions' failed to satisfy constraint: Member must not be null",
            "Value 'hi' at 'billingMode' failed to satisfy constraint: Member must satisfy enum \
             value set: [PROVISIONED, PAY_PER_REQUEST]",
            "Value null at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: \
             Member must not be null",
            "Value null at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: \
             Member must not be null",
            "Value null at 'keySchema' failed to satisfy constraint: Member must not be null",
        ],
    );
    breaks(
        CreateTable,
        create(
            json!({"AttributeDefinitions": [{}, {"AttributeName": "b", "AttributeType": "SS"}],
                      "KeySchema": [{"AttributeName": "a", "KeyType": "INVALID"}]}),
        ),
        &[
            "Value null at 'attributeDefinitions.1.member.attributeName' failed to satisfy \
             constraint: Member must not be null",
            "Value null at 'attributeDefinitions.1.member.attributeType' failed to satisfy \
             constraint: Member must not be null",
            "Value 'SS' at 'attributeDefinitions.2.member.attributeType' failed to satisfy \
             constraint: Member must satisfy enum value set: [B, N, S]",
            "Value 'INVALID' at 'keySchema.1.member.keyType' failed to satisfy constraint: Member \
             must satisfy enum value set: [HASH, RANGE]",
        ],
    );
    breaks(
        CreateTable,
        create(json!({"KeySchema": [],
                      "ProvisionedThroughput": {"ReadCapacityUnits": -1, "WriteCapacityUnits": -1}})),
        &[
            "Value '-1' at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: \
             Member must have value greater than or equal to 1",
            "Value '-1' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: \
             Member must have value greater than or equal to 1",
            "Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length \
             greater than or equal to 1",
        ],
    );
    let element = |name: &str, role: &str| json!({"AttributeName": name, "KeyType": role});
    breaks(
        CreateTable,
        create(
            json!({"KeySchema": [element("a", "HASH"), element("b", "RANGE"), element("c", "RANGE")]}),
        ),
        &["Value '[KeySchemaElement(attributeName=a, keyType=HASH), \
             KeySchemaElement(attributeName=b, keyType=RANGE), \
             KeySchemaElement(attributeName=c, keyType=RANGE)]' at 'keySchema' failed to satisfy \
             constraint: Member must have length less than or equal to 2"],
    );
}

#[test]
fn global_indexes_are_reported_before_local_ones() {
    let short = |name: &str, member: &str| {
        format!(
            "Value '{name}' at '{member}.1.member.indexName' failed to satisfy constraint: Member \
             must have length greater than or equal to 3"
        )
    };
    breaks(
        CreateTable,
        create(json!({"LocalSecondaryIndexes": [index("aa", "a", "b")],
                      "GlobalSecondaryIndexes": [index("zz", "a", "b")]})),
        &[
            &short("zz", "globalSecondaryIndexes"),
            &short("aa", "localSecondaryIndexes"),
        ],
    );
}

#[test]
fn throughput_fits_the_billing_mode() {
    refused(
        CreateTable,
        create(json!({"BillingMode": "PAY_PER_REQUEST"})),
        "One or more parameter values were invalid: Neither ReadCapacityUnits nor \
         WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST",
    );
    refused(
        CreateTable,
        create(json!({"ProvisionedThroughput": null})),
        "One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must \
         both be specified when BillingMode is PROVISIONED",
    );
    let units = |read: i64, write: i64| {
        create(
            json!({"ProvisionedThroughput": {"ReadCapacityUnits": read, "WriteCapacityUnits": write}}),
        )
    };
    refused(
        CreateTable,
        units(1_000_000_000_001, 1_000_000_000_001),
        "Given value 1000000000001 for ReadCapacityUnits is out of bounds",
    );
    refused(
        CreateTable,
        units(1_000_000_000_000, 1_000_000_000_001),
        "Given value 1000000000001 for WriteCapacityUnits is out of bounds",
    );
    refused(
        CreateTable,
        create(json!({"OnDemandThroughput": {"MaxReadRequestUnits": 5}})),
        "One or more parameter values were invalid: MaxReadRequestUnits for OnDemandThroughput \
         cannot be specified when table BillingMode is PROVISIONED.",
    );
    refused(
        CreateTable,
        create(
            json!({"BillingMode": "PAY_PER_REQUEST", "ProvisionedThroughput": null,
                      "OnDemandThroughput": {"MaxWriteRequestUnits": 0}}),
        ),
        "One or more parameter values were invalid: Requested MaxWriteRequestUnits for \
         OnDemandThroughput for table is outside of valid range",
    );
}

#[test]
fn encryption_makes_sense() {
    for (specification, rule) in [
        (
            json!({"SSEType": "KMS"}),
            "SSEType can not be specified if Enabled is false",
        ),
        (
            json!({"KMSMasterKeyId": "k"}),
            "KMSMasterKeyId can not be specified if Enabled is false",
        ),
        (
            json!({"Enabled": true, "SSEType": "AES256"}),
            "SSEType AES256 is not supported",
        ),
        (
            json!({"Enabled": true, "KMSMasterKeyId": "k"}),
            "SSEType KMS is required if KMSMasterKeyId is specified",
        ),
    ] {
        refused(
            CreateTable,
            create(json!({"SSESpecification": specification})),
            &format!("One or more parameter values were invalid: {rule}"),
        );
    }
}

#[test]
fn limits_on_demand_are_for_what_is_paid_by_use() {
    let mut limited = index("abc", "a", "b");
    limited["OnDemandThroughput"] = json!({"MaxReadRequestUnits": -1});
    refused(
        CreateTable,
        with_global(&["a", "b"], json!([limited])),
        "One or more parameter values were invalid: Requested MaxReadRequestUnits for \
         OnDemandThroughput for index : abc is outside of valid range",
    );
    limited["ProvisionedThroughput"] = json!({"ReadCapacityUnits": 1, "WriteCapacityUnits": 1});
    refused(
        CreateTable,
        create(json!({"AttributeDefinitions": definitions(&["a", "b"]),
                      "GlobalSecondaryIndexes": [limited]})),
        "One or more parameter values were invalid: MaxReadRequestUnits for OnDemandThroughput \
         for index : abc cannot be specified when the table BillingMode is PROVISIONED",
    );
}

#[test]
fn key_attributes_are_defined() {
    refused(
        CreateTable,
        create(json!({"KeySchema": schema("a", "b")})),
        "Invalid KeySchema: Some index key attribute have no definition",
    );
    refused(
        CreateTable,
        create(json!({"KeySchema": [{"AttributeName": "b", "KeyType": "HASH"}]})),
        "One or more parameter values were invalid: Some index key attributes are not defined in \
         AttributeDefinitions. Keys: [b], AttributeDefinitions: [a]",
    );
    refused(
        CreateTable,
        create(json!({"AttributeDefinitions": definitions(&["a", "b"])})),
        "One or more parameter values were invalid: Number of attributes in KeySchema does not \
         exactly match number of attributes defined in AttributeDefinitions",
    );
    refused(
        CreateTable,
        create(json!({"AttributeDefinitions": definitions(&["a", "a"])})),
        "Attribute Name is duplicated: a",
    );
}

#[test]
fn a_key_is_hash_then_range() {
    let two = |first: Value, second: Value| {
        create(
            json!({"AttributeDefinitions": definitions(&["a", "b"]), "KeySchema": [first, second]}),
        )
    };
    let element = |name: &str, kind: &str| json!({"AttributeName": name, "KeyType": kind});
    refused(
        CreateTable,
        two(element("a", "HASH"), element("a", "RANGE")),
        "Both the Hash Key and the Range Key element in the KeySchema have the same name",
    );
    refused(
        CreateTable,
        two(element("a", "RANGE"), element("b", "HASH")),
        "Invalid KeySchema: The first KeySchemaElement is not a HASH key type",
    );
    refused(
        CreateTable,
        two(element("a", "HASH"), element("b", "HASH")),
        "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type",
    );
    accepted(
        CreateTable,
        two(element("a", "HASH"), element("b", "RANGE")),
    );
}

#[test]
fn local_indexes_share_the_partition_key() {
    refused(
        CreateTable,
        with_local(&["a", "b"], json!([])),
        "One or more parameter values were invalid: List of LocalSecondaryIndexes is empty",
    );
    refused(
        CreateTable,
        create(json!({"LocalSecondaryIndexes": [index("abc", "a", "b")]})),
        "One or more parameter values were invalid: Table KeySchema does not have a range key, \
         which is required when specifying a LocalSecondaryIndex",
    );
    let hash_only = json!([{"IndexName": "abc", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
                            "Projection": {"ProjectionType": "ALL"}}]);
    refused(
        CreateTable,
        with_local(&["a", "b"], hash_only),
        "One or more parameter values were invalid: Index KeySchema does not have a range key for \
         index: abc",
    );
    refused(
        CreateTable,
        with_local(&["a", "b"], json!([index("abc", "b", "a")])),
        "One or more parameter values were invalid: Index KeySchema does not have the same leading \
         hash key as table KeySchema for index: abc. index hash key: b, table hash key: a",
    );
    accepted(
        CreateTable,
        with_local(&["a", "b", "c"], json!([index("abc", "a", "c")])),
    );
}

#[test]
fn projections_say_what_they_include() {
    let projected = |projection: Value| {
        let mut index = index("abc", "a", "b");
        index["Projection"] = projection;
        with_global(&["a", "b"], json!([index]))
    };
    refused(
        CreateTable,
        projected(json!({})),
        "One or more parameter values were invalid: Unknown ProjectionType: null",
    );
    refused(
        CreateTable,
        projected(json!({"ProjectionType": "ALL", "NonKeyAttributes": ["a"]})),
        "One or more parameter values were invalid: ProjectionType is ALL, but NonKeyAttributes is \
         specified",
    );
    refused(
        CreateTable,
        projected(json!({"ProjectionType": "INCLUDE"})),
        "One or more parameter values were invalid: ProjectionType is INCLUDE, but \
         NonKeyAttributes is not specified",
    );
    refused(
        CreateTable,
        projected(json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x", "x"]})),
        "One or more parameter values were invalid: Duplicate element in NonKeyAttributes: x",
    );
    breaks(
        CreateTable,
        projected(json!({"ProjectionType": "abc", "NonKeyAttributes": []})),
        &[
            "Value 'abc' at 'globalSecondaryIndexes.1.member.projection.projectionType' failed to \
             satisfy constraint: Member must satisfy enum value set: [ALL, INCLUDE, KEYS_ONLY]",
            "Value '[]' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to \
             satisfy constraint: Member must have length greater than or equal to 1",
        ],
    );
    accepted(
        CreateTable,
        projected(json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x", "y"]})),
    );
}

#[test]
fn index_names_are_unique_and_few() {
    refused(
        CreateTable,
        with_global(
            &["a", "b"],
            json!([index("abc", "a", "b"), index("abc", "b", "a")]),
        ),
        "One or more parameter values were invalid: Duplicate index name: abc",
    );
    let many = |count: usize| -> Value {
        (0..count)
            .map(|at| index(&format!("abc{at}"), "a", "b"))
            .collect()
    };
    refused(
        CreateTable,
        with_global(&["a", "b"], many(21)),
        "One or more parameter values were invalid: GlobalSecondaryIndex count exceeds the \
         per-table limit of 20",
    );
    refused(
        CreateTable,
        with_local(&["a", "b"], many(6)),
        "One or more parameter values were invalid: Number of LocalSecondaryIndexes exceeds \
         per-table limit of 5",
    );
    refused(
        CreateTable,
        with_global(&["a", "b"], json!([])),
        "One or more parameter values were invalid: List of GlobalSecondaryIndexes is empty",
    );
}

#[test]
fn projections_name_few_attributes_in_all() {
    let including = |at: usize| {
        let mut index = index(&format!("abc{at}"), "a", "b");
        let names: Vec<_> = (0..20).map(|name| format!("n{name}")).collect();
        index["Projection"] = json!({"ProjectionType": "INCLUDE", "NonKeyAttributes": names});
        index
    };
    let indexes = |count: usize| -> Value { (0..count).map(including).collect() };
    accepted(CreateTable, with_global(&["a", "b"], indexes(5)));
    refused(
        CreateTable,
        with_global(&["a", "b"], indexes(6)),
        "One or more parameter values were invalid: Number of NonKeyAttributes of all indexes \
         exceeds the per-table limit of 100",
    );
}

#[test]
fn indexes_are_paid_for_as_the_table_is() {
    let mut provisioned = index("abc", "a", "b");
    provisioned["ProvisionedThroughput"] = json!({"ReadCapacityUnits": 1, "WriteCapacityUnits": 1});
    refused(
        CreateTable,
        with_global(&["a", "b"], json!([provisioned])),
        "One or more parameter values were invalid: ProvisionedThroughput should not be specified \
         for index: abc when BillingMode is PAY_PER_REQUEST",
    );
    refused(
        CreateTable,
        create(json!({"AttributeDefinitions": definitions(&["a", "b"]),
                      "GlobalSecondaryIndexes": [index("abc", "a", "b")]})),
        "One or more parameter values were invalid: ProvisionedThroughput is not specified for \
         index: abc",
    );
}

#[test]
fn only_key_attributes_are_defined() {
    refused(
        CreateTable,
        with_global(&["a", "b", "c"], json!([index("abc", "a", "b")])),
        "One or more parameter values were invalid: Some AttributeDefinitions are not used. \
         AttributeDefinitions: [a, b, c], keys used: [a, b]",
    );
}

#[test]
fn streams_have_a_view_if_they_are_enabled() {
    refused(
        CreateTable,
        create(json!({"StreamSpecification": {"StreamEnabled": true}})),
        "One or more parameter values were invalid: Table is being created with a stream enabled, \
         UpdateViewType is required",
    );
    refused(
        CreateTable,
        create(
            json!({"StreamSpecification": {"StreamEnabled": false, "StreamViewType": "KEYS_ONLY"}}),
        ),
        "One or more parameter values were invalid: Table is being created with a stream disabled, \
         UpdateViewType should not be specified",
    );
}

#[test]
fn settings_are_known() {
    refused(
        CreateTable,
        create(json!({"TableClass": "COLD"})),
        "Invalid table-class parameter provided. Please try again with a valid table-class value: \
         [STANDARD, STANDARD_INFREQUENT_ACCESS].",
    );
    refused(
        CreateTable,
        create(json!({"GlobalTableSettingsReplicationMode": "x", "GlobalTableSourceArn": "x"})),
        "Unsupported input parameter: {GlobalTableSourceArn, GlobalTableSettingsReplicationMode}",
    );
    let tags = |count: usize| {
        let tags = (0..count).map(|number| json!({"Key": number.to_string(), "Value": "v"}));
        create(json!({"Tags": tags.collect::<Vec<_>>()}))
    };
    refused(
        CreateTable,
        tags(51),
        "Number of Tags exceed the current limit for the provided ResourceArn",
    );
    accepted(CreateTable, tags(50));
    accepted(
        CreateTable,
        create(
            json!({"TableClass": "STANDARD", "DeletionProtectionEnabled": true,
                      "SSESpecification": {"Enabled": true, "SSEType": "KMS"},
                      "Tags": [{"Key": "k", "Value": ""}]}),
        ),
    );
}
