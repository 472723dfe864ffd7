//! The JSON of operations, with the names that a model has for what they are about.

use crate::surface::{EntitySurface, list_moves};
use monotable_model::model::Model;
use monotable_store::operations_schema;
use serde_json::{Map, Value, json};

/// What a definition of the operations' own schema is called here.
const PREFIX: &str = "operation.";

/// Adds a schema for each operation that a model offers, and one for any of them.
pub(super) fn add_schemas(model: &Model, schemas: &mut Map<String, Value>) {
    let schema = operations_schema();
    let Some(Value::Object(definitions)) = schema.get("$defs") else {
        return;
    };
    for (name, definition) in definitions {
        if !is_offered(model, name) {
            continue;
        }
        let mut definition = lead_references(model, definition);
        if let Subjects::Names(names) = list_subjects(model, name) {
            restrict(&mut definition, name, &names);
        }
        schemas.insert(format!("{PREFIX}{name}"), definition);
    }
    if let Some(choices) = schema.get("oneOf") {
        let operation = json!({
            "description": "An operation: an object in which exactly one member names the operation.",
            "oneOf": lead_references(model, choices),
        });
        schemas.insert("operation".to_owned(), operation);
    }
}

/// References to the schemas of those operations that a model offers.
pub(in super::super) fn refer_operations(model: &Model, names: &[&str]) -> Vec<Value> {
    let offered = names.iter().filter(|name| is_offered(model, name));
    offered
        .map(|name| super::refer(&format!("{PREFIX}{name}")))
        .collect()
}

/// What the member that names an operation may say.
enum Subjects {
    /// One of these names.
    Names(Vec<String>),
    /// It is no name.
    Any,
    /// The model has nothing that the operation could be about.
    NotOffered,
}

fn is_offered(model: &Model, operation: &str) -> bool {
    match list_subjects(model, operation) {
        Subjects::Names(names) => !names.is_empty(),
        Subjects::Any => true,
        Subjects::NotOffered => false,
    }
}

fn list_subjects(model: &Model, operation: &str) -> Subjects {
    // Rows of repositories are created and changed in commits, by the same operations.
    let entities = |is_wanted: &dyn Fn(&EntitySurface<'_>) -> bool| {
        let surfaces = model.stored().map(|(id, _)| EntitySurface::new(model, id));
        let wanted = surfaces.filter(|surface| is_wanted(surface));
        wanted
            .map(|surface| surface.entity.name.value.clone())
            .collect()
    };
    Subjects::Names(match operation {
        "get" => entities(&|_| true),
        "create" => entities(&|surface| surface.entity.writes.create),
        "put" => entities(&|surface| surface.entity.writes.create && surface.entity.writes.update),
        "update" => entities(&|surface| surface.entity.writes.update),
        "delete" => entities(&|surface| surface.entity.writes.delete),
        "attach" => entities(&|surface| surface.relates && surface.creates),
        "detach" => entities(&|surface| surface.relates && surface.deletes),
        "check_secret" => entities(&|surface| surface.hashed().next().is_some()),
        "query" => {
            let patterns = model.patterns();
            patterns
                .map(|(_, access)| access.name.value.clone())
                .collect()
        }
        "move" => {
            let moves = list_moves(model).into_iter();
            moves.map(|declared| declared.name.to_owned()).collect()
        }
        "carry" => {
            let carries = model.carries.iter();
            carries.map(|carry| carry.name.value.clone()).collect()
        }
        "commit" | "log" | "show" | "diff" | "rollback" | "revert" | "sweep" => {
            let repositories = model.repositories.iter();
            repositories
                .map(|repository| repository.name.value.clone())
                .collect()
        }
        "commit_all" if model.repositories.is_empty() => return Subjects::NotOffered,
        "purge" if model.isolation.is_none() => return Subjects::NotOffered,
        _ => return Subjects::Any,
    })
}

/// Lets the member that names an operation say one of these names.
fn restrict(definition: &mut Value, operation: &str, names: &[String]) {
    let member = definition.pointer_mut(&format!("/properties/{operation}"));
    if let Some(Value::Object(member)) = member {
        member.remove("minLength");
        member.insert("enum".to_owned(), json!(names));
    }
}

/// The schema with its references led to where they stand in the document, without operations that the model does not offer.
fn lead_references(model: &Model, schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                let led = match value {
                    Value::String(path) if name == "$ref" => {
                        json!(format!(
                            "#/components/schemas/{PREFIX}{}",
                            name_target(path)
                        ))
                    }
                    _ => lead_references(model, value),
                };
                (name.clone(), led)
            });
            Value::Object(members.collect())
        }
        Value::Array(values) => {
            let offered = values.iter().filter(|value| {
                let target = value.get("$ref").and_then(Value::as_str);
                target.is_none_or(|path| is_offered(model, name_target(path)))
            });
            Value::Array(offered.map(|value| lead_references(model, value)).collect())
        }
        other => other.clone(),
    }
}

fn name_target(path: &str) -> &str {
    path.strip_prefix("#/$defs/").unwrap_or(path)
}
