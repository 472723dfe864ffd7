//! Parameters of operations.

use super::super::schema::{Direction, describe_kind};
use crate::surface::KeySegment;
use monotable_model::model::{Kind, Model};
use serde_json::{Map, Value, json};

fn flag(name: &str, about: &str) -> Value {
    json!({ "name": name, "in": "query", "description": about, "schema": { "type": "boolean" } })
}

/// A value that is written as JSON into one text. Generators of clients see a text, and readers see what it holds.
fn describe_json(schema: &Value) -> Value {
    json!({ "type": "string", "contentMediaType": "application/json", "contentSchema": schema })
}

/// The parameters in which a program says for whom it calls; none where the model does not ask.
fn list_words_for_others(model: &Model) -> Vec<(&'static str, Value)> {
    let mut parameters = Vec::new();
    if let Some(tenant) = &model.tenant {
        let attribute = &tenant.attribute;
        let schema = describe_kind(&attribute.name.value, &attribute.kind, Direction::Given);
        let tenant = json!({
            "name": "Monotable-Tenant",
            "in": "header",
            "description": "The tenant, where a program says for whom it calls.",
            "schema": schema,
        });
        parameters.push(("Tenant", tenant));
    }
    if !model.principal.is_empty() {
        let schema = describe_principal(model);
        let principal = json!({
            "name": "Monotable-Principal",
            "in": "header",
            "description": "Attributes of the principal as JSON in ASCII, where a program says for whom it calls.",
            "schema": describe_json(&schema),
        });
        parameters.push(("Principal", principal));
    }
    parameters
}

/// The attributes of a model's principal.
pub(super) fn describe_principal(model: &Model) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for attribute in &model.principal {
        let name = &attribute.name.value;
        let schema = describe_kind(name, &attribute.kind, Direction::Given);
        properties.insert(name.clone(), schema);
        if !attribute.presence.optional {
            required.push(json!(name));
        }
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// The names of the parameters in which a program says for whom it calls.
pub(super) fn name_words_for_others(model: &Model) -> Vec<&'static str> {
    let words = list_words_for_others(model).into_iter();
    words.map(|(name, _)| name).collect()
}

/// The parameters that operations share.
pub(in super::super) fn list_parameters(model: &Model) -> Value {
    let mut parameters = list_usual_parameters();
    if let Value::Object(members) = &mut parameters {
        let others = list_words_for_others(model).into_iter();
        members.extend(others.map(|(name, parameter)| (name.to_owned(), parameter)));
    }
    parameters
}

fn list_usual_parameters() -> Value {
    let tag = |name: &str, about: &str| {
        json!({
            "name": name,
            "in": "header",
            "description": about,
            "schema": { "type": "string", "pattern": "^(\\*|\"[A-Za-z0-9_-]+\")$" },
        })
    };
    json!({
        "Explain": flag("explain", "Answer with the requests that the call would send, and their cost. Nothing is written."),
        "Trace": {
            "name": "Monotable-Trace",
            "in": "header",
            "description": "Answer with what the call has sent and changed beside its answer.",
            "schema": { "type": "string", "enum": ["1", "requests", "changes", "requests, changes"] },
        },
        "DryRun": flag("dry-run", "Read and decide, but write nothing."),
        "Consistent": flag("consistent", "See every write that was acknowledged, where the target can."),
        "Expecting": {
            "name": "expecting",
            "in": "query",
            "description": "Values that the row must have, as a JSON object; null for absent.",
            "schema": describe_json(&json!({ "type": "object" })),
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "A name of this call: sent again by the same caller within a day, nothing happens again. The answer then has the rows as they are at that time; of a row that is gone it has the key only, without the other attributes that the schema requires.",
            "schema": { "type": "string", "pattern": "^[!-~]{1,64}$" },
        },
        "IfMatch": tag("If-Match", "Go on only if the row has this tag."),
        "IfNoneMatch": tag("If-None-Match", "Go on only if the row does not have this tag; * demands that there is no row. A read of a row that has it is answered with 304, a write with 412."),
        "Limit": {
            "name": "limit",
            "in": "query",
            "description": "The most rows of a page; of lines, the most rows of all.",
            "schema": { "type": "integer", "minimum": 1, "maximum": 4_294_967_295_u32 },
        },
        "Cursor": {
            "name": "cursor",
            "in": "query",
            "description": "Where the page begins: the `cursor` of the page before.",
            "schema": { "type": "string", "minLength": 1 },
        },
        "Descending": flag("descending", "Against the order of the sort key, or along it, if that is not the pattern's own order."),
    })
}

/// The attributes of a key as parameters of a path, and the path that they make.
pub(super) fn describe_key(key: &[KeySegment<'_>]) -> (String, Vec<Value>) {
    let mut path = String::new();
    let mut parameters = Vec::new();
    for segment in key {
        path.push_str(&format!("/{{{}}}", segment.name));
        let schema = match segment.kind() {
            Some(kind) => describe_kind(segment.name, kind, Direction::Given),
            None => json!({ "type": "string", "minLength": 1 }),
        };
        parameters.push(json!({
            "name": segment.name,
            "in": "path",
            "required": true,
            "schema": schema,
        }));
    }
    (path, parameters)
}

/// A parameter of a query whose value is of a kind.
pub(super) fn describe_word(name: &str, kind: &Kind, required: bool, about: &str) -> Value {
    let schema = describe_kind(name, kind, Direction::Given);
    let mut parameter = json!({
        "name": name,
        "in": "query",
        "required": required,
        "description": about,
    });
    if let Value::Object(members) = &mut parameter {
        // Lists and maps are JSON, other values are their text.
        if matches!(kind, Kind::List { .. } | Kind::Map) {
            members.insert("schema".to_owned(), describe_json(&schema));
        } else if matches!(kind, Kind::Binary) {
            let schema = json!({ "type": "string", "contentEncoding": "base64" });
            members.insert("schema".to_owned(), schema);
        } else {
            members.insert("schema".to_owned(), schema);
        }
    }
    parameter
}
