//! A request as DynamoDB's JSON, as the AWS CLI takes it.

use monotable_model::plan::{LAST, Operation, PlannedRequest, PlannedValue};
use std::fmt::Write;

/// The input of the operation as JSON.
#[must_use]
pub fn json(request: &PlannedRequest) -> String {
    match request.operation {
        Operation::BatchGetItem => batch_json(request),
        Operation::GetItem | Operation::Query => object(&members(request), 0),
    }
}

fn members(request: &PlannedRequest) -> Vec<(String, String)> {
    let mut members = vec![member("TableName", json_text(&request.table))];
    if let Some(index) = &request.index {
        members.push(member("IndexName", json_text(index)));
    }
    if let Some(key) = request.keys.first() {
        members.push(member("Key", values(key, 1)));
    }
    if let Some(condition) = &request.key_condition {
        members.push(member("KeyConditionExpression", json_text(condition)));
    }
    members.extend(projection(request));
    let names = names(request);
    if !names.is_empty() {
        members.push(member("ExpressionAttributeNames", object(&names, 1)));
    }
    if !request.values.is_empty() {
        let values = values(&request.values, 1);
        members.push(member("ExpressionAttributeValues", values));
    }
    if request.backwards {
        members.push(member("ScanIndexForward", "false".to_owned()));
    }
    let limit = request.limit;
    members.extend(limit.map(|limit| member("Limit", limit.to_string())));
    if request.consistent {
        members.push(member("ConsistentRead", "true".to_owned()));
    }
    members
}

/// The keys of a batch stand one level deeper, under the table.
fn batch_json(request: &PlannedRequest) -> String {
    let keys: Vec<_> = request.keys.iter().map(|key| values(key, 3)).collect();
    let mut members = vec![member("Keys", format!("[{}]", keys.join(", ")))];
    if request.consistent {
        members.push(member("ConsistentRead", "true".to_owned()));
    }
    let table = (request.table.clone(), object(&members, 2));
    object(&[member("RequestItems", object(&[table], 1))], 0)
}

fn placeholder(position: usize) -> String {
    format!("#p{}", position + 1)
}

fn projection(request: &PlannedRequest) -> Option<(String, String)> {
    let placeholders: Vec<_> = (0..request.projection.len()).map(placeholder).collect();
    let text = json_text(&placeholders.join(", "));
    (!placeholders.is_empty()).then(|| member("ProjectionExpression", text))
}

fn names(request: &PlannedRequest) -> Vec<(String, String)> {
    let of_condition = request.names.iter();
    let of_condition = of_condition.map(|(name, attribute)| (name.clone(), json_text(attribute)));
    let projected = request.projection.iter().enumerate();
    let projected = projected.map(|(at, attribute)| (placeholder(at), json_text(attribute)));
    of_condition.chain(projected).collect()
}

fn member(name: &str, json: String) -> (String, String) {
    (name.to_owned(), json)
}

fn values(values: &[PlannedValue], depth: usize) -> String {
    let members: Vec<_> = values
        .iter()
        .map(|value| {
            let shown = json_text(&value.text.to_string());
            let json = format!("{{ {}: {shown} }}", json_text(value.kind.name()));
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
        json.push_str(&json_text(name));
        json.push_str(": ");
        json.push_str(value);
    }
    json.push('\n');
    json.push_str(&"  ".repeat(depth));
    json.push('}');
    json
}

/// A JSON string. What cannot be seen is escaped.
pub(crate) fn json_text(value: &str) -> String {
    let mut json = "\"".to_owned();
    for c in value.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            c if c.is_control() || c == LAST => {
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
