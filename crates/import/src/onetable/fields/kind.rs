//! The type of a field and what it says beside it.

use super::super::Parameters;
use crate::document::{Node, Value};
use crate::words::{add_default, add_pattern, read_words, write_enum};
use monotable_sketch::Attribute;

pub(super) fn read_kind(
    mut attribute: Attribute,
    field: &Node,
    parameters: &Parameters,
) -> Attribute {
    let said = field
        .get("type")
        .and_then(Node::as_text)
        .unwrap_or("string");
    attribute.kind = match said.to_lowercase().as_str() {
        "string" => "text".to_owned(),
        "number" => "number".to_owned(),
        "boolean" => "boolean".to_owned(),
        "date" => return read_date(attribute, field, parameters),
        "array" => format!("[{}]", element(field)),
        "object" => "map".to_owned(),
        "buffer" | "binary" | "arraybuffer" => {
            attribute = attribute.remark("OneTable stores bytes as text in base64.");
            "text".to_owned()
        }
        "set" => {
            attribute =
                attribute.remark("A set; a model has no word for sets, so any value is accepted.");
            "any".to_owned()
        }
        other => {
            attribute = attribute.remark(format!(
                "A model has no type for {other:?}, so any value is accepted."
            ));
            "any".to_owned()
        }
    };
    if field.get("schema").is_some_and(Node::is_map) || nested(field) {
        attribute =
            attribute.remark("Its own schema is not said here: a model does not look into maps.");
    }
    if let Some(words) = field.get("enum") {
        attribute = read_enum(attribute, words);
    }
    finish(attribute, field)
}

/// What does not depend on the type.
fn finish(mut attribute: Attribute, field: &Node) -> Attribute {
    if let Some(check) = field.get("validate") {
        attribute = match check.as_text() {
            Some(pattern) => add_pattern(attribute, pattern),
            None => attribute.remark("Its `validate` is not said here."),
        };
    }
    if let Some(generate) = field.get("generate") {
        attribute = read_generate(attribute, generate);
    }
    if let Some(default) = field.get("default") {
        attribute = add_default(attribute, default);
    }
    let is_filled = attribute.has_clause("default") || attribute.has_clause("generated");
    if !field.is_true("required") && !is_filled {
        attribute = attribute.optional();
    }
    attribute
}

fn element(field: &Node) -> &'static str {
    let items = field
        .get("items")
        .and_then(|items| items.get("type")?.as_text());
    match items.map(str::to_lowercase).as_deref() {
        Some("string") => "text",
        Some("number") => "number",
        Some("boolean") => "boolean",
        Some("object") => "map",
        Some(_) | None => "any",
    }
}

fn nested(field: &Node) -> bool {
    field
        .get("items")
        .is_some_and(|items| items.get("schema").is_some())
}

fn read_date(attribute: Attribute, field: &Node, parameters: &Parameters) -> Attribute {
    let iso = field.get("isoDates").and_then(Node::as_bool);
    let attribute = if field.is_true("ttl") {
        Attribute {
            kind: "epoch".to_owned(),
            ..attribute
        }
    } else if iso.unwrap_or(parameters.iso_dates) {
        Attribute {
            kind: "timestamp".to_owned(),
            ..attribute
        }
    } else {
        let attribute = Attribute {
            kind: "integer".to_owned(),
            ..attribute
        };
        attribute.remark("OneTable stores this date as milliseconds since 1970.")
    };
    finish(attribute, field)
}

fn read_enum(mut attribute: Attribute, words: &Node) -> Attribute {
    let words = read_words(words).unwrap_or_default();
    match write_enum(&words) {
        Some(kind) if attribute.kind == "text" => {
            attribute.kind = kind;
            attribute
        }
        _ => attribute.remark(format!(
            "OneTable accepts only {words:?}; a model has no enum of such values."
        )),
    }
}

fn read_generate(attribute: Attribute, generate: &Node) -> Attribute {
    match &generate.value {
        Value::Text(text) if text == "uuid" => attribute.clause("generated = uuid"),
        Value::Text(text) if text == "ulid" => attribute.clause("generated = ulid"),
        Value::Text(text) if text.starts_with("uid") => {
            let length = text
                .strip_prefix("uid(")
                .and_then(|rest| rest.strip_suffix(')'));
            let length = length.unwrap_or("10").parse().unwrap_or(10_u32);
            if (8..=256).contains(&length) {
                attribute.clause(format!("generated = token({length})"))
            } else {
                attribute.remark(format!(
                    "OneTable makes an id of {length} characters; a model makes 8 to 256, so give the value when you write."
                ))
            }
        }
        _ => attribute.remark("Code makes its value; give it when you write."),
    }
}
