use super::super::{AlarmOptions, Deployment, cloudformation};
use super::{everything, full};
use serde_json::json;

#[test]
fn every_table_and_global_index_is_watched() {
    let template = cloudformation(&full(), &everything());
    let resources = template["Resources"].as_object().unwrap();
    for id in [
        "OrdersReadThrottlesAlarm",
        "OrdersWriteThrottlesAlarm",
        "OrdersGSI1ReadThrottlesAlarm",
        "OrdersByDayWriteThrottlesAlarm",
        "OrdersSystemErrorsAlarm",
        "OrdersReadLatencyAlarm",
        "OrdersWriteLatencyAlarm",
        "ShopUserErrorsAlarm",
    ] {
        assert!(resources.contains_key(id), "{id} of {:?}", resources.keys());
    }
    assert!(!resources.keys().any(|id| id.contains("LSI1")));
    assert_eq!(
        resources["OrdersGSI1ReadThrottlesAlarm"]["Properties"]["Dimensions"],
        json!([
            { "Name": "TableName", "Value": "Orders" },
            { "Name": "GlobalSecondaryIndexName", "Value": "GSI1" },
        ])
    );
}

#[test]
fn an_expression_has_at_most_ten_metrics() {
    let template = cloudformation(&full(), &everything());
    for (id, resource) in template["Resources"].as_object().unwrap() {
        let Some(metrics) = resource["Properties"]["Metrics"].as_array() else {
            continue;
        };
        assert!((2..=11).contains(&metrics.len()), "{id}");
        let returned = metrics.iter().filter(|metric| metric["ReturnData"] == true);
        assert_eq!(returned.count(), 1, "{id}");
    }
}

#[test]
fn alarms_can_be_all_that_there_is() {
    let deployment = Deployment {
        tables: None,
        alarms: Some(AlarmOptions {
            latency: 20,
            topic: Some("arn:aws:sns:eu-west-1:123456789012:on-call".to_owned()),
        }),
    };
    let template = cloudformation(&full(), &deployment);
    assert_eq!(template.get("Outputs"), None);
    let latency = &template["Resources"]["OrdersReadLatencyAlarm"]["Properties"];
    assert_eq!(latency["Threshold"], 20);
    for (id, resource) in template["Resources"].as_object().unwrap() {
        assert_eq!(resource["Type"], "AWS::CloudWatch::Alarm", "{id}");
        let told = json!(["arn:aws:sns:eu-west-1:123456789012:on-call"]);
        assert_eq!(resource["Properties"]["AlarmActions"], told, "{id}");
    }
}
