//! The tables of a model as properties that the CDK's `CfnTable` and `CfnAlarm` take as they are.

use super::Deployment;
use super::cloudformation::{Resource, alarm_resources, table_resources};
use monotable_model::model::Model;
use serde_json::{Map, Value, json};

/// `tables` and `alarms`: the properties of each construct, by its id.
#[must_use]
pub fn cdk(model: &Model, deployment: &Deployment) -> Value {
    let tables = table_resources(model, deployment.tables.as_ref());
    let alarms = alarm_resources(model, deployment.alarms.as_ref());
    json!({ "tables": constructs(tables), "alarms": constructs(alarms) })
}

fn constructs(resources: Vec<Resource>) -> Map<String, Value> {
    let constructs = resources.into_iter();
    constructs
        .map(|resource| (resource.id, spell(resource.properties.into())))
        .collect()
}

/// Names of CloudFormation as the CDK spells them, at any depth.
fn spell(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter();
            let members = members.map(|(name, value)| (spell_name(&name), spell(value)));
            Value::Object(members.collect())
        }
        Value::Array(elements) => elements.into_iter().map(spell).collect(),
        other => other,
    }
}

/// `TableName` is `tableName`, `SSESpecification` is `sseSpecification`.
fn spell_name(name: &str) -> String {
    let capitals = name.chars().take_while(char::is_ascii_uppercase).count();
    let lowered = if capitals > 1 && capitals < name.len() {
        capitals - 1
    } else {
        capitals
    };
    let (head, tail) = name.split_at_checked(lowered).unwrap_or((name, ""));
    format!("{}{tail}", head.to_ascii_lowercase())
}
