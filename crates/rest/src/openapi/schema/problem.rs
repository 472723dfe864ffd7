//! Problems as JSON Schema, and the responses that have them.

use super::refer;
use crate::problem::CODES;
use crate::problem::clash::CLASHES;
use crate::problem::field::FIELD_PROBLEMS;
use serde_json::{Map, Value, json};

pub(super) fn add_schemas(schemas: &mut Map<String, Value>) {
    let text = json!({ "type": "string" });
    let codes: Vec<_> = CODES.iter().map(|(code, _)| *code).collect();
    let problem = json!({
        "description": "Problem details (RFC 9457).",
        "type": "object",
        "properties": {
            "type": { "type": "string", "format": "uri" },
            "title": text,
            "status": { "type": "integer", "minimum": 400, "maximum": 599 },
            "detail": text,
            "code": { "enum": codes },
            "message": {
                "description": "What the model itself tells whoever is refused, if the declaration has a message.",
                "type": "string",
            },
            "entity": { "description": "The entity, or the pattern, that it is about.", "type": "string" },
            "declaration": {
                "description": "The declaration that refuses, as a path into the model.",
                "type": "string",
                "examples": ["entity.User.unique.Email"],
            },
            "clash": {
                "type": "object",
                "properties": { "is": { "enum": CLASHES } },
                "required": ["is"],
            },
            "errors": { "type": "array", "items": refer("FieldProblem") },
            "trace": refer("Trace"),
        },
        "required": ["type", "title", "status", "detail", "code"],
        "additionalProperties": false,
    });
    let field = json!({
        "description": "What is wrong with one attribute or parameter.",
        "type": "object",
        "properties": {
            "attribute": text,
            "problem": { "enum": FIELD_PROBLEMS },
            "detail": text,
            "message": text,
            "wanted": text,
            "given": { "description": "What was given; never a secret." },
            "declaration": text,
            "row": text,
        },
        "required": ["attribute", "problem", "detail"],
        "additionalProperties": false,
    });
    let trace = json!({
        "description": "What a call has sent and changed, if the header `Monotable-Trace` asks for it. Changes are told to programs only.",
        "type": "object",
        "properties": {
            "took_us": { "type": "integer", "minimum": 0 },
            "attempts": { "type": "integer", "minimum": 0 },
            "units": { "type": "object" },
            "requests": { "type": "array", "items": { "type": "object" } },
            "changes": { "type": "array", "items": {
                "type": "object",
                "properties": {
                    "is": { "enum": ["created", "changed", "deleted"] },
                    "entity": text,
                    "address": { "type": "array", "items": text },
                    "cause": text,
                    "declaration": { "type": ["string", "null"] },
                    "before": { "type": ["object", "null"] },
                    "after": { "type": ["object", "null"] },
                },
                "required": ["is", "entity", "address", "cause", "declaration", "before", "after"],
                "additionalProperties": false,
            } },
        },
        "required": ["took_us", "attempts", "units"],
        "additionalProperties": false,
    });
    let traced = json!({
        "type": "object",
        "properties": { "answer": {}, "trace": refer("Trace") },
        "required": ["answer", "trace"],
        "additionalProperties": false,
    });
    schemas.insert("TracedAnswer".to_owned(), traced);
    schemas.insert("Problem".to_owned(), problem);
    schemas.insert("FieldProblem".to_owned(), field);
    schemas.insert("Trace".to_owned(), trace);
}

/// The statuses of problems, with their meaning.
pub(in super::super) const STATUSES: &[(&str, &str)] = &[
    (
        "400",
        "The request, or a value in it, is not what the model says.",
    ),
    ("401", "The caller has not proved who it is."),
    ("403", "The caller may not do this."),
    (
        "404",
        "There is no such row, or the caller may not know of it.",
    ),
    ("405", "The resource has no such method."),
    (
        "409",
        "Another row is in the way, or the row is not what was expected.",
    ),
    (
        "412",
        "The row is not the one that the entity tag stands for.",
    ),
    ("413", "The body is too large."),
    ("415", "The body is of a type that is not read here."),
    ("429", "The caller has made too many requests."),
    ("500", "What is stored contradicts the model."),
    ("502", "The database refused the request."),
    ("503", "The database could not do it now."),
];

/// The responses that operations share.
pub(in super::super) fn list_responses() -> Value {
    let responses = STATUSES.iter().map(|(status, meaning)| {
        let mut response = json!({
            "description": meaning,
            "content": { "application/problem+json": { "schema": refer("Problem") } },
        });
        if let (Value::Object(members), "409" | "429" | "503") = (&mut response, *status) {
            let header = json!({ "Retry-After": { "$ref": "#/components/headers/RetryAfter" } });
            members.insert("headers".to_owned(), header);
        }
        (format!("Problem{status}"), response)
    });
    Value::Object(responses.collect())
}

/// The headers that responses share.
pub(in super::super) fn list_headers() -> Value {
    json!({
        "ETag": {
            "description": "The tag of the row, for If-Match and If-None-Match.",
            "schema": { "type": "string", "pattern": "^\"[A-Za-z0-9_-]+\"$" },
        },
        "Location": {
            "description": "Where the new row can be read; absent if its key is a secret or cannot be a segment of a path.",
            "schema": { "type": "string", "format": "uri-reference" },
        },
        "RetryAfter": {
            "description": "After how many seconds another try is worth it.",
            "schema": { "type": "integer", "minimum": 0 },
        },
    })
}
