//! The tables of a model as a template of CloudFormation.

use super::alarm::{
    Alarm, AlarmOptions, DATAPOINTS, EVALUATED, Metric, NAMESPACE, PERIOD, list_alarms,
};
use super::identifiers::Identifiers;
use super::table::properties;
use super::{Deployment, Encryption};
use monotable_model::model::Model;
use serde_json::{Map, Value, json};

/// The template: a resource for each table and each alarm. A stack that is deleted leaves its tables.
#[must_use]
pub fn cloudformation(model: &Model, deployment: &Deployment) -> Value {
    let mut resources = Map::new();
    let mut outputs = Map::new();
    for Resource { id, properties } in table_resources(model, deployment.tables.as_ref()) {
        outputs.insert(
            format!("{id}Arn"),
            json!({ "Value": { "Fn::GetAtt": [id, "Arn"] } }),
        );
        resources.insert(
            id,
            json!({
                "Type": "AWS::DynamoDB::Table",
                "DeletionPolicy": "Retain",
                "UpdateReplacePolicy": "Retain",
                "Properties": properties,
            }),
        );
    }
    for Resource { id, properties } in alarm_resources(model, deployment.alarms.as_ref()) {
        let alarm = json!({ "Type": "AWS::CloudWatch::Alarm", "Properties": properties });
        resources.insert(id, alarm);
    }
    let mut template = Map::new();
    template.insert("AWSTemplateFormatVersion".to_owned(), json!("2010-09-09"));
    template.insert("Description".to_owned(), json!(describe(model)));
    template.insert("Resources".to_owned(), resources.into());
    if !outputs.is_empty() {
        template.insert("Outputs".to_owned(), outputs.into());
    }
    template.into()
}

/// Something that a template makes.
pub(super) struct Resource {
    pub(super) id: String,
    pub(super) properties: Map<String, Value>,
}

/// The tables of a model.
pub(super) fn table_resources(model: &Model, encryption: Option<&Encryption>) -> Vec<Resource> {
    let mut identifiers = Identifiers::default();
    let Some(encryption) = encryption else {
        return Vec::new();
    };
    let tables = model.tables().map(|(id, table)| Resource {
        id: identifiers.logical(&[&table.name.value, "Table"]),
        properties: properties(model, id, encryption),
    });
    tables.collect()
}

/// The alarms of a model.
pub(super) fn alarm_resources(model: &Model, options: Option<&AlarmOptions>) -> Vec<Resource> {
    let mut identifiers = Identifiers::default();
    let Some(options) = options else {
        return Vec::new();
    };
    let alarms = list_alarms(model, options).into_iter().map(|alarm| {
        let words = alarm.words.iter().map(String::as_str);
        let words: Vec<&str> = words.chain(["Alarm"]).collect();
        Resource {
            id: identifiers.logical(&words),
            properties: alarm_properties(&alarm, options),
        }
    });
    alarms.collect()
}

fn describe(model: &Model) -> String {
    match &model.about {
        Some(about) => format!("Tables of the model {}: {about}", model.name),
        None => format!("Tables of the model {}", model.name),
    }
}

fn alarm_properties(alarm: &Alarm, options: &AlarmOptions) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut set = |name: &str, value: Value| properties.insert(name.to_owned(), value);
    set("AlarmName", json!(alarm.name));
    set("AlarmDescription", json!(alarm.about));
    set("ComparisonOperator", json!("GreaterThanOrEqualToThreshold"));
    set("Threshold", json!(alarm.threshold));
    set("EvaluationPeriods", json!(EVALUATED));
    set("DatapointsToAlarm", json!(DATAPOINTS));
    set("TreatMissingData", json!("notBreaching"));
    if let Some(topic) = &options.topic {
        set("AlarmActions", json!([topic]));
    }
    match (alarm.metrics.expression(), alarm.metrics.all()) {
        (None, metrics) => {
            for metric in metrics {
                set("Namespace", json!(NAMESPACE));
                set("MetricName", json!(metric.name));
                set("Dimensions", dimensions(metric));
                set("Statistic", json!("Sum"));
                set("Period", json!(PERIOD));
            }
        }
        (Some(expression), metrics) => {
            let value = json!({
                "Id": "value",
                "Expression": expression.text,
                "Label": expression.label,
                "ReturnData": true,
            });
            let parts = (1..).zip(metrics).map(|(number, metric)| {
                json!({
                    "Id": format!("m{number}"),
                    "MetricStat": {
                        "Metric": {
                            "Namespace": NAMESPACE,
                            "MetricName": metric.name,
                            "Dimensions": dimensions(metric),
                        },
                        "Period": PERIOD,
                        "Stat": expression.statistic,
                    },
                    "ReturnData": false,
                })
            });
            set("Metrics", std::iter::once(value).chain(parts).collect());
        }
    }
    properties
}

fn dimensions(metric: &Metric) -> Value {
    let dimensions = metric.dimensions.iter();
    dimensions
        .map(|(name, value)| json!({ "Name": name, "Value": value }))
        .collect()
}
