use super::super::{Deployment, Encryption, cloudformation};
use super::full;
use serde_json::{Value, json};

fn table(encryption: Encryption) -> Value {
    let deployment = Deployment {
        tables: Some(encryption),
        alarms: None,
    };
    cloudformation(&full(), &deployment)["Resources"]["OrdersTable"].clone()
}

#[test]
fn a_template_has_all_that_the_model_declares() {
    let table = table(Encryption::Owned);
    assert_eq!(table["DeletionPolicy"], "Retain");
    let properties = &table["Properties"];
    assert_eq!(properties["TableName"], "Orders");
    assert_eq!(properties["BillingMode"], "PROVISIONED");
    let units = json!({ "ReadCapacityUnits": 5, "WriteCapacityUnits": 7 });
    assert_eq!(properties["ProvisionedThroughput"], units);
    assert_eq!(
        properties["TimeToLiveSpecification"],
        json!({ "AttributeName": "expiresAt", "Enabled": true })
    );
    assert_eq!(
        properties["StreamSpecification"],
        json!({ "StreamViewType": "NEW_AND_OLD_IMAGES" })
    );
    assert_eq!(
        properties["PointInTimeRecoverySpecification"],
        json!({ "PointInTimeRecoveryEnabled": true })
    );
    assert_eq!(properties["DeletionProtectionEnabled"], true);
    assert_eq!(
        properties["Tags"],
        json!([{ "Key": "cost", "Value": "${x} \"q\"" }, { "Key": "team", "Value": "shop" }])
    );
    let attributes = properties["AttributeDefinitions"].as_array().unwrap();
    let total = json!({ "AttributeName": "total", "AttributeType": "N" });
    assert_eq!(
        attributes.iter().filter(|known| **known == total).count(),
        1
    );
    assert_eq!(attributes.len(), 9);
}

#[test]
fn indexes_have_their_keys_and_projections() {
    let table = table(Encryption::Owned);
    let global = table["Properties"]["GlobalSecondaryIndexes"]
        .as_array()
        .unwrap();
    assert_eq!(global.len(), 3);
    assert_eq!(
        global[1]["Projection"],
        json!({ "ProjectionType": "INCLUDE", "NonKeyAttributes": ["state"] })
    );
    assert_eq!(
        global[2]["KeySchema"],
        json!([
            { "AttributeName": "country", "KeyType": "HASH" },
            { "AttributeName": "city", "KeyType": "HASH" },
            { "AttributeName": "street", "KeyType": "RANGE" },
            { "AttributeName": "SK", "KeyType": "RANGE" },
        ])
    );
    assert_eq!(global[0]["ProvisionedThroughput"]["WriteCapacityUnits"], 7);
    let local = table["Properties"]["LocalSecondaryIndexes"]
        .as_array()
        .unwrap();
    assert_eq!(local.len(), 1);
    assert_eq!(local[0].get("ProvisionedThroughput"), None);
}

#[test]
fn keys_of_kms_are_named() {
    let specification = |encryption| table(encryption)["Properties"]["SSESpecification"].clone();
    assert_eq!(
        specification(Encryption::Owned),
        json!({ "SSEEnabled": false })
    );
    assert_eq!(
        specification(Encryption::Managed),
        json!({ "SSEEnabled": true, "SSEType": "KMS" })
    );
    let arn = "arn:aws:kms:eu-west-1:123456789012:key/1234abcd";
    let key: Encryption = arn.parse().unwrap();
    assert_eq!(specification(key)["KMSMasterKeyId"], arn);
    for wrong in [
        "",
        "kms",
        "arn:aws:kms:eu-west-1:123456789012:alias/x",
        "arn:aws:sns:a:b:key/x",
    ] {
        assert!(wrong.parse::<Encryption>().is_err(), "{wrong}");
    }
}
