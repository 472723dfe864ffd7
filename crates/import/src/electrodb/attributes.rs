//! The attributes of an entity.

use crate::document::{Node, Value};
use crate::error::ImportError;
use crate::words::{add_default, read_words, write_enum};
use monotable_sketch::{Attribute, Entity, name_attribute};

/// What is read here or with the keys, or has no effect on what is stored.
const KNOWN: &[&str] = &[
    "cast",
    "default",
    "description",
    "field",
    "hidden",
    "items",
    "label",
    "padding",
    "properties",
    "readOnly",
    "required",
    "type",
];

pub(super) fn read(schema: &Node, entity: &mut Entity) -> Result<(), ImportError> {
    for (name, node) in schema.need("attributes")?.map()? {
        if !node.is_map() {
            return Err(node.error("an attribute is an object with a `type`"));
        }
        entity.attributes.push(read_attribute(name, node)?);
    }
    Ok(())
}

fn read_attribute(name: &str, node: &Node) -> Result<Attribute, ImportError> {
    let mut attribute = read_kind(Attribute::new(name_attribute(name), "text"), node)?;
    let stored = node
        .get("field")
        .map(Node::text)
        .transpose()?
        .unwrap_or(name);
    if stored != attribute.name {
        let is_plain = stored.chars().all(|c| c.is_alphanumeric() || c == '_');
        attribute = attribute.clause(if is_plain {
            format!("stored = {stored}")
        } else {
            format!("stored = '{stored}'")
        });
    }
    if node.is_true("readOnly") {
        attribute = attribute.clause("immutable");
    }
    if let Some(default) = node.get("default") {
        attribute = add_default(attribute, default);
    }
    if !node.is_true("required") && !attribute.has_clause("default") {
        attribute = attribute.optional();
    }
    if node.is_true("hidden") {
        attribute = attribute.remark("ElectroDB hides it; here it is returned.");
    }
    for (word, value) in node.entries() {
        if !KNOWN.contains(&word.as_str()) && crate::aws_table::is_said(value) {
            attribute = attribute.remark(format!(
                "`{word}` is not said here: ElectroDB runs code for it."
            ));
        }
    }
    Ok(attribute)
}

fn read_kind(mut attribute: Attribute, node: &Node) -> Result<Attribute, ImportError> {
    let kind = node.need("type")?;
    if let Value::List(_) = &kind.value {
        let words = read_words(kind).unwrap_or_default();
        return Ok(match write_enum(&words) {
            Some(kind) => Attribute { kind, ..attribute },
            None => attribute.remark(format!(
                "ElectroDB accepts only {words:?}; a model has no enum of such words."
            )),
        });
    }
    attribute.kind = match kind.text()? {
        "string" => "text".to_owned(),
        "number" => "number".to_owned(),
        "boolean" => "boolean".to_owned(),
        "map" => "map".to_owned(),
        "list" => format!("[{}]", element(node)),
        "any" => "any".to_owned(),
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
    if node.get("properties").is_some() {
        attribute =
            attribute.remark("Its properties are not said here: a model does not look into maps.");
    }
    Ok(attribute)
}

fn element(node: &Node) -> &'static str {
    let items = node
        .get("items")
        .and_then(|items| items.get("type")?.as_text());
    match items {
        Some("string") => "text",
        Some("number") => "number",
        Some("boolean") => "boolean",
        Some("map") => "map",
        Some(_) | None => "any",
    }
}
