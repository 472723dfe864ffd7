//! JSON as YAML: one member or element on each line.

use super::super::requests::json_text;
use serde_json::Value;

/// A JSON value as a YAML document. Texts are quoted as in JSON, which YAML reads alike, so that no text is taken for a number or a date.
#[must_use]
pub fn yaml(value: &Value) -> String {
    let mut lines = Vec::new();
    write(value, 0, &mut lines);
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn write(value: &Value, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, value) in members {
                write_entry(&format!("{indent}{}:", key(name)), value, depth, lines);
            }
        }
        Value::Array(elements) if !elements.is_empty() => {
            for element in elements {
                write_element(&indent, element, depth, lines);
            }
        }
        scalar => lines.push(format!("{indent}{}", inline(scalar))),
    }
}

fn write_entry(head: &str, value: &Value, depth: usize, lines: &mut Vec<String>) {
    if is_nested(value) {
        lines.push(head.to_owned());
        write(value, depth + 1, lines);
    } else {
        lines.push(format!("{head} {}", inline(value)));
    }
}

/// The first line of an element stands behind its dash.
fn write_element(indent: &str, element: &Value, depth: usize, lines: &mut Vec<String>) {
    let at = lines.len();
    write(element, depth + 1, lines);
    if let Some(first) = lines.get_mut(at) {
        *first = format!("{indent}- {}", first.trim_start());
    }
}

fn is_nested(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        _ => false,
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::String(text) => json_text(text),
        other => other.to_string(),
    }
}

/// Names that YAML reads as nothing else stand bare.
fn key(name: &str) -> String {
    let is_plain = name.len() > 1
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && !["yes", "no", "on", "off", "true", "false", "null"]
            .contains(&name.to_ascii_lowercase().as_str());
    if is_plain {
        name.to_owned()
    } else {
        json_text(name)
    }
}
