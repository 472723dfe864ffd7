//! A request as DynamoDB's JSON, as the AWS CLI takes it.

use super::pattern_request::{Operation, PatternRequest, RequestValue, ValueKind};
use std::fmt::Write;

impl PatternRequest {
    /// The input of the operation as JSON.
    #[must_use]
    pub fn json(&self) -> String {
        match self.operation {
            Operation::BatchGetItem => self.batch_json(),
            Operation::GetItem | Operation::Query => object(&self.members(), 0),
        }
    }

    fn members(&self) -> Vec<(String, String)> {
        let mut members = vec![member("TableName", text(&self.table))];
        let optional = [
            ("IndexName", &self.index),
            ("KeyConditionExpression", &self.key_condition),
            ("FilterExpression", &self.filter),
            ("ProjectionExpression", &self.projection),
        ];
        if !self.key.is_empty() {
            members.push(member("Key", values(&self.key, 1)));
        }
        for (name, value) in optional {
            members.extend(value.as_ref().map(|value| member(name, text(value))));
        }
        if !self.names.is_empty() {
            let names: Vec<_> = self
                .names
                .iter()
                .map(|(placeholder, name)| (placeholder.clone(), text(name)))
                .collect();
            members.push(member("ExpressionAttributeNames", object(&names, 1)));
        }
        if !self.values.is_empty() {
            members.push(member("ExpressionAttributeValues", values(&self.values, 1)));
        }
        if self.backwards {
            members.push(member("ScanIndexForward", "false".to_owned()));
        }
        members.extend(self.limit.map(|limit| member("Limit", limit.to_string())));
        if self.consistent {
            members.push(member("ConsistentRead", "true".to_owned()));
        }
        members
    }

    /// The keys of a batch stand one level deeper, under the table.
    fn batch_json(&self) -> String {
        let mut members = vec![member("Keys", format!("[{}]", values(&self.key, 3)))];
        if self.consistent {
            members.push(member("ConsistentRead", "true".to_owned()));
        }
        let table = (self.table.clone(), object(&members, 2));
        object(&[member("RequestItems", object(&[table], 1))], 0)
    }
}

fn member(name: &str, json: String) -> (String, String) {
    (name.to_owned(), json)
}

fn values(values: &[RequestValue], depth: usize) -> String {
    let members: Vec<_> = values
        .iter()
        .map(|value| {
            let shown = match value.kind {
                ValueKind::Boolean => value.text.clone(),
                ValueKind::Text | ValueKind::Number => text(&value.text),
            };
            let json = format!("{{ {}: {shown} }}", text(value.kind.name()));
            (value.name.clone(), json)
        })
        .collect();
    object(&members, depth)
}

fn object(members: &[(String, String)], depth: usize) -> String {
    let indent = "  ".repeat(depth + 1);
    let mut json = "{".to_owned();
    for (position, (name, value)) in members.iter().enumerate() {
        let comma = if position > 0 { "," } else { "" };
        json.push_str(comma);
        json.push('\n');
        json.push_str(&indent);
        json.push_str(&text(name));
        json.push_str(": ");
        json.push_str(value);
    }
    json.push('\n');
    json.push_str(&"  ".repeat(depth));
    json.push('}');
    json
}

/// A JSON string. What cannot be seen is escaped.
pub(crate) fn text(value: &str) -> String {
    let mut json = "\"".to_owned();
    for c in value.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            c if c.is_control() || c == super::condition::LAST => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a String cannot fail.
                    let _ = write!(json, "\\u{unit:04X}");
                }
            }
            c => json.push(c),
        }
    }
    json.push('"');
    json
}
