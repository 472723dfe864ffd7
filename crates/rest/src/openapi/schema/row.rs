//! Rows as JSON Schema.

use super::super::example::show_new_row;
use super::RowForm;
use super::kind::{Direction, describe_attribute};
use monotable_model::model::{Attribute, Entity, EntityId, Kind, Model};
use serde_json::{Map, Value, json};

/// The schema of rows of an entity in one of their forms.
pub(super) fn describe_row(model: &Model, id: EntityId, form: RowForm) -> Value {
    let entity = model.entity(id);
    if form == RowForm::Change {
        return describe_change(entity);
    }
    let direction = match form {
        RowForm::Read | RowForm::Partial => Direction::Read,
        _ => Direction::Given,
    };
    let key = entity.key_attributes();
    let mut properties = Map::new();
    let mut required = Vec::new();
    for attribute in &entity.attributes {
        let name = &attribute.name.value;
        let is_key = key.contains(&name.as_str());
        if !has_attribute(attribute, is_key, form) {
            continue;
        }
        let mut schema = describe_attribute(attribute, direction);
        if form == RowForm::Patch && !attribute.is_always_present() {
            schema = json!({ "anyOf": [schema, { "type": "null" }] });
        }
        properties.insert(name.clone(), schema);
        if demands_attribute(attribute, is_key, form) {
            required.push(json!(name));
        }
    }
    if direction == Direction::Read {
        properties.insert("$entity".to_owned(), json!({ "const": entity.name.value }));
        required.push(json!("$entity"));
    } else if form != RowForm::Key {
        // Whoever read a row can give it back as it is.
        properties.insert("$entity".to_owned(), json!({ "const": entity.name.value }));
    }
    let mut schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": entity.open && form != RowForm::Key,
    });
    if let Value::Object(members) = &mut schema {
        if let Some(about) = &entity.notes.about {
            members.insert("description".to_owned(), json!(about));
        }
        add_families(entity, direction, form, members);
        if let (RowForm::New, Some(example)) = (form, show_new_row(entity)) {
            members.insert("examples".to_owned(), json!([example]));
        }
    }
    schema
}

/// Attributes whose names begin alike.
fn add_families(
    entity: &Entity,
    direction: Direction,
    form: RowForm,
    members: &mut Map<String, Value>,
) {
    if entity.families.is_empty() || form == RowForm::Key {
        return;
    }
    let families = entity.families.iter().map(|family| {
        let prefix: String = family.prefix.chars().map(escape).collect();
        let mut schema = describe_attribute(&family.attribute, direction);
        if form == RowForm::Patch {
            schema = json!({ "anyOf": [schema, { "type": "null" }] });
        }
        (exclude_declared(entity, &family.prefix, &prefix), schema)
    });
    members.insert(
        "patternProperties".to_owned(),
        Value::Object(families.collect()),
    );
}

/// The names of a family, without the declared attributes that begin alike: a schema of JSON holds for every name that it fits.
fn exclude_declared(entity: &Entity, begin: &str, prefix: &str) -> String {
    let names = entity.attributes.iter().map(|known| &known.name.value);
    let declared: Vec<String> = names
        .filter(|name| name.starts_with(begin))
        .map(|name| name.chars().map(escape).collect())
        .collect();
    if declared.is_empty() {
        format!("^{prefix}")
    } else {
        format!("^(?!(?:{})$){prefix}", declared.join("|"))
    }
}

fn escape(c: char) -> String {
    if c.is_alphanumeric() || c == '_' || c == '#' {
        c.to_string()
    } else {
        format!("[{c}]")
    }
}

fn has_attribute(attribute: &Attribute, is_key: bool, form: RowForm) -> bool {
    let is_hidden = attribute.internal || matches!(attribute.kind, Kind::Never);
    match form {
        RowForm::Read | RowForm::Partial => !is_hidden,
        RowForm::New => !attribute.is_set_by_the_store(),
        // The address has the key. A body may repeat it, and has nothing else to say about it.
        RowForm::Replacement => !is_key && !attribute.is_set_by_the_store(),
        RowForm::Patch | RowForm::Change => {
            !attribute.is_set_by_the_store()
                && attribute.may_change()
                && (!is_key || attribute.movable)
        }
        RowForm::Key => is_key,
    }
}

fn demands_attribute(attribute: &Attribute, is_key: bool, form: RowForm) -> bool {
    match form {
        RowForm::Read => attribute.is_always_read(),
        RowForm::New => attribute.must_be_given(),
        RowForm::Key => attribute.is_always_present(),
        RowForm::Replacement => !is_key && attribute.must_be_given(),
        RowForm::Partial | RowForm::Patch | RowForm::Change => false,
    }
}

/// What is set, unset, added and appended.
fn describe_change(entity: &Entity) -> Value {
    let mut set = Map::new();
    let mut numbers = Map::new();
    let mut lists = Map::new();
    let mut names = Vec::new();
    let key = entity.key_attributes();
    for attribute in &entity.attributes {
        let name = &attribute.name.value;
        let is_key = key.contains(&name.as_str());
        if !has_attribute(attribute, is_key, RowForm::Change) {
            continue;
        }
        let schema = describe_attribute(attribute, Direction::Given);
        set.insert(
            name.clone(),
            json!({ "anyOf": [schema, { "type": "null" }] }),
        );
        if attribute.kind.is_number() {
            numbers.insert(name.clone(), json!({ "type": "number" }));
        }
        if let Kind::List { .. } = attribute.kind {
            lists.insert(name.clone(), json!({ "type": "array" }));
        }
        names.push(json!(name));
    }
    let is_open = entity.open || !entity.families.is_empty();
    let object = |properties: Map<String, Value>| json!({ "type": "object", "properties": properties, "additionalProperties": is_open });
    let name = if is_open || names.is_empty() {
        json!({ "type": "string" })
    } else {
        json!({ "type": "string", "enum": names })
    };
    json!({
        "type": "object",
        "description": "What is set, which attributes go, numbers that are added to numbers, and values that are put at the end of lists.",
        "properties": {
            "set": object(set),
            "unset": { "type": "array", "items": name },
            "add": object(numbers),
            "append": object(lists),
        },
        "additionalProperties": false,
    })
}
