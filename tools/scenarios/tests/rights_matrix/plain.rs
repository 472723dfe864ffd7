//! Values as plain JSON: what the evaluator holds in memory, and what fixtures say.

use monotable_item::{AttributeValue, Item};
use serde_json::{Map, Number, Value};

/// The attributes of a row.
pub(crate) type Values = Map<String, Value>;

/// An item as plain JSON.
pub(crate) fn read_item(item: &Item) -> Values {
    let entries = item.iter();
    entries
        .map(|(name, value)| (name.clone(), read_value(value)))
        .collect()
}

pub(crate) fn read_value(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::Null => Value::Null,
        AttributeValue::Bool(flag) => Value::Bool(*flag),
        AttributeValue::S(text) => Value::String(text.clone()),
        AttributeValue::N(number) => read_number(&number.to_string()),
        AttributeValue::L(values) => values.iter().map(read_value).collect(),
        AttributeValue::M(item) => Value::Object(read_item(item)),
        AttributeValue::Ss(texts) => texts
            .iter()
            .map(|text| Value::from(text.as_str()))
            .collect(),
        other => Value::String(format!("{other:?}")),
    }
}

/// A number of its digits; one that is no number stays a text.
pub(crate) fn read_number(digits: &str) -> Value {
    let whole = digits.parse::<i64>().map(Number::from).ok();
    let number = whole.or_else(|| digits.parse::<f64>().ok().and_then(Number::from_f64));
    number.map_or_else(|| Value::from(digits), Value::Number)
}

/// Plain JSON as an item.
pub(crate) fn write_item(values: &Values) -> Item {
    let entries = values.iter();
    entries
        .map(|(name, value)| (name.clone(), write_value(value)))
        .collect()
}

fn write_value(value: &Value) -> AttributeValue {
    match value {
        Value::Null => AttributeValue::Null,
        Value::Bool(flag) => AttributeValue::Bool(*flag),
        Value::Number(number) => AttributeValue::N(number.to_string().parse().unwrap()),
        Value::String(text) => AttributeValue::S(text.clone()),
        Value::Array(values) => AttributeValue::L(values.iter().map(write_value).collect()),
        Value::Object(values) => AttributeValue::M(write_item(values)),
    }
}

/// Every text inside a value.
pub(crate) fn collect_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect_texts(value, texts)),
        Value::Object(values) => values
            .values()
            .for_each(|value| collect_texts(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
