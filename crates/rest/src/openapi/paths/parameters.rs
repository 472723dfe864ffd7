//! Parameters of operations.

use super::super::schema::{Direction, describe_kind};
use crate::surface::KeySegment;
use monotable_model::model::Kind;
use serde_json::{Value, json};

fn flag(name: &str, about: &str) -> Value {
    json!({ "name": name, "in": "query", "description": about, "schema": { "type": "boolean" } })
}

fn header(name: &str, about: &str) -> Value {
    json!({ "name": name, "in": "header", "description": about, "schema": { "type": "string" } })
}

/// The parameters that operations share.
pub(in super::super) fn list_parameters() -> Value {
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
            "content": { "application/json": { "schema": { "type": "object" } } },
        },
        "IdempotencyKey": {
            "name": "Idempotency-Key",
            "in": "header",
            "description": "A name of this call: sent again by the same caller within a day, nothing happens again.",
            "schema": { "type": "string", "pattern": "^[!-~]{1,64}$" },
        },
        "IfMatch": tag("If-Match", "Go on only if the row has this tag."),
        "IfNoneMatch": tag("If-None-Match", "Answer only if the row has another tag than this one; of a put, * demands that there is no row."),
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
        "Tenant": header("Monotable-Tenant", "The tenant, where a program says for whom it calls."),
        "Principal": header("Monotable-Principal", "Attributes of the principal as JSON, where a program says for whom it calls."),
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
            let content = json!({ "application/json": { "schema": schema } });
            members.insert("content".to_owned(), content);
        } else if matches!(kind, Kind::Binary) {
            let schema = json!({ "type": "string", "contentEncoding": "base64" });
            members.insert("schema".to_owned(), schema);
        } else {
            members.insert("schema".to_owned(), schema);
        }
    }
    parameter
}
