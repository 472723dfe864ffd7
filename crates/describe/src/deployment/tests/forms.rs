use super::super::{cdk, cloudformation, terraform, yaml};
use super::{everything, full};
use serde_json::{Value, json};

#[test]
fn the_cdk_has_names_of_its_own() {
    let made = cdk(&full(), &everything());
    let table = &made["tables"]["OrdersTable"];
    assert_eq!(table["tableName"], "Orders");
    assert_eq!(table["sseSpecification"], json!({ "sseEnabled": false }));
    assert_eq!(
        table["keySchema"][0],
        json!({ "attributeName": "PK", "keyType": "HASH" })
    );
    assert_eq!(table["tags"][1], json!({ "key": "team", "value": "shop" }));
    let alarm = &made["alarms"]["OrdersReadThrottlesAlarm"];
    assert_eq!(alarm["metricName"], "ReadThrottleEvents");
    let resources = cloudformation(&full(), &everything());
    let resources = resources["Resources"].as_object().unwrap().len();
    let count = |part: &str| made[part].as_object().unwrap().len();
    assert_eq!(count("tables") + count("alarms"), resources);
}

#[test]
fn terraform_has_the_blocks_of_its_provider() {
    let text = terraform(&full(), &everything());
    for part in [
        "      version = \">= 6.37\"\n",
        "resource \"aws_dynamodb_table\" \"orders\" {\n  name                        = \"Orders\"\n",
        "  read_capacity               = 5\n",
        "  tags = {\n    \"cost\" = \"$${x} \\\"q\\\"\"\n    \"team\" = \"shop\"\n  }\n",
        "  attribute {\n    name = \"total\"\n    type = \"N\"\n  }\n",
        "    key_schema {\n      attribute_name = \"city\"\n      key_type       = \"HASH\"\n    }\n",
        "  local_secondary_index {\n    name            = \"LSI1\"\n    range_key       = \"total\"\n",
        "    non_key_attributes = [\"state\"]\n",
        "  ttl {\n    attribute_name = \"expiresAt\"\n    enabled        = true\n  }\n",
        "resource \"aws_cloudwatch_metric_alarm\" \"orders_gsi1_read_throttles\" {\n",
        "    expression  = \"MAX(METRICS())\"\n",
    ] {
        assert!(text.contains(part), "{part} is not in:\n{text}");
    }
}

#[test]
fn yaml_keeps_texts_apart_from_numbers() {
    let value = json!({
        "Format": "2010-09-09",
        "On": true,
        "on": [],
        "Nested": [{ "A": 1, "Bc": { "De": "yes: \"no\"" } }, [1, "2"], {}],
    });
    let text = yaml(&value);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "Format: \"2010-09-09\"",
            "Nested:",
            "  - \"A\": 1",
            "    Bc:",
            "      De: \"yes: \\\"no\\\"\"",
            "  - - 1",
            "    - \"2\"",
            "  - {}",
            "\"On\": true",
            "\"on\": []",
        ]
    );
}

#[test]
fn an_export_is_the_same_every_time() {
    let once: Value = cloudformation(&full(), &everything());
    assert_eq!(
        once.to_string(),
        cloudformation(&full(), &everything()).to_string()
    );
    assert_eq!(
        terraform(&full(), &everything()),
        terraform(&full(), &everything())
    );
}
