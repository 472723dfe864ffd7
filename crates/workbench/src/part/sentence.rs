//! A request as a sentence: which partition it reads, and which part of it.

use crate::value::{shorten_text, show_value};
use monotable_item::AttributeValue;
use monotable_store::wire::read_value;
use serde_json::Value;

/// What a request reads or writes, as lines such as `GSI2PK = TREE#byron`; empty if it has no key of its own.
pub(crate) fn write(body: &str) -> Vec<String> {
    let Ok(body) = serde_json::from_str::<Value>(body) else {
        return Vec::new();
    };
    if let Some(key) = body.get("Key").and_then(Value::as_object) {
        let parts = key.iter();
        return parts
            .map(|(name, value)| format!("{name} = {}", show_stored(value)))
            .collect();
    }
    let Some(condition) = body.get("KeyConditionExpression").and_then(Value::as_str) else {
        return Vec::new();
    };
    let words = condition.split(" AND ");
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        let text = say(word, &body);
        // `BETWEEN a AND b` was cut in two.
        match lines.last_mut() {
            Some(last) if last.contains(" BETWEEN ") && !last.contains(" and ") => {
                last.push_str(" and ");
                last.push_str(&text);
            }
            _ => lines.push(text),
        }
    }
    lines
        .into_iter()
        .map(|line| line.replace(" BETWEEN ", " between "))
        .collect()
}

fn say(word: &str, body: &Value) -> String {
    let word = word.trim();
    let inside = word
        .strip_prefix("begins_with(")
        .and_then(|rest| rest.strip_suffix(')'));
    match inside.and_then(|inside| inside.split_once(',')) {
        Some((name, value)) => format!(
            "{} begins with {}",
            fill(name.trim(), body),
            fill(value.trim(), body)
        ),
        None => {
            let tokens = word.split(' ').map(|token| fill(token, body));
            tokens.collect::<Vec<_>>().join(" ")
        }
    }
}

/// A placeholder with what stands for it; every other word as it is.
fn fill(token: &str, body: &Value) -> String {
    let found = if token.starts_with('#') {
        let names = body.get("ExpressionAttributeNames");
        let name = names.and_then(|names| names.get(token));
        name.and_then(Value::as_str).map(str::to_owned)
    } else if token.starts_with(':') {
        let values = body.get("ExpressionAttributeValues");
        let value = values.and_then(|values| values.get(token));
        value.map(show_stored)
    } else {
        None
    };
    found.unwrap_or_else(|| token.to_owned())
}

/// A value of DynamoDB's JSON, without its type.
fn show_stored(value: &Value) -> String {
    let plain = value.as_object().and_then(|typed| typed.values().next());
    match plain {
        Some(Value::String(text)) => shorten_text(text),
        Some(other) => {
            let read: Result<AttributeValue, _> = read_value("value", &other.to_string());
            read.map_or_else(|_| other.to_string(), |read| show_value(&read))
        }
        None => value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_conditions_are_said_in_words() {
        let body = r##"{"KeyConditionExpression": "#pk = :pk AND begins_with(#sk, :sk)",
            "ExpressionAttributeNames": {"#pk": "PK", "#sk": "SK"},
            "ExpressionAttributeValues": {":pk": {"S": "USER#ada"}, ":sk": {"S": "PERSON#"}}}"##;
        assert_eq!(write(body), ["PK = USER#ada", "SK begins with PERSON#"]);
        let body = r##"{"KeyConditionExpression": "PK = :p AND SK BETWEEN :a AND :b",
            "ExpressionAttributeValues": {":p": {"S": "x"}, ":a": {"N": "1"}, ":b": {"N": "9"}}}"##;
        assert_eq!(write(body), ["PK = x", "SK between 1 and 9"]);
        assert_eq!(write(r#"{"Key": {"PK": {"S": "a"}}}"#), ["PK = a"]);
        assert!(write("{}").is_empty());
    }
}
