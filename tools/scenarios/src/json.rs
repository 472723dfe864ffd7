//! Values as plain JSON: what a script says, and what it is compared with.

use monotable_item::{AttributeValue, Item};
use serde_json::{Map, Number, Value};

/// Plain JSON as a value of DynamoDB's.
pub(crate) fn to_value(json: &Value) -> Result<AttributeValue, String> {
    Ok(match json {
        Value::Null => AttributeValue::Null,
        Value::Bool(flag) => AttributeValue::Bool(*flag),
        Value::Number(number) => {
            let number = number.to_string().parse();
            AttributeValue::N(number.map_err(|error| format!("{error}"))?)
        }
        Value::String(text) => AttributeValue::S(text.clone()),
        Value::Array(values) => {
            let values: Result<_, _> = values.iter().map(to_value).collect();
            AttributeValue::L(values?)
        }
        Value::Object(_) => AttributeValue::M(to_item(json)?),
    })
}

/// A JSON object as an item.
pub(crate) fn to_item(json: &Value) -> Result<Item, String> {
    let Value::Object(map) = json else {
        return Err(format!("an object is needed here, not {json}"));
    };
    map.iter()
        .map(|(name, value)| Ok((name.clone(), to_value(value)?)))
        .collect()
}

/// An item as a JSON object.
pub(crate) fn of_item(item: &Item) -> Value {
    let map: Map<String, Value> = item
        .iter()
        .map(|(name, value)| (name.clone(), of_value(value)))
        .collect();
    Value::Object(map)
}

fn of_value(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::Null => Value::Null,
        AttributeValue::Bool(flag) => Value::Bool(*flag),
        AttributeValue::S(text) => Value::String(text.clone()),
        AttributeValue::N(number) => {
            let text = number.to_string();
            match text.parse::<i64>() {
                Ok(number) => Value::Number(Number::from(number)),
                Err(_) => Value::String(text),
            }
        }
        AttributeValue::L(values) => Value::Array(values.iter().map(of_value).collect()),
        AttributeValue::M(item) => of_item(item),
        AttributeValue::Ss(values) => Value::Array(
            values
                .iter()
                .map(|text| Value::String(text.clone()))
                .collect(),
        ),
        other => Value::String(format!("{other:?}")),
    }
}
