//! Answers that all models have.

use super::refer;
use serde_json::{Map, Value, json};

fn rows() -> Value {
    json!({ "type": "array", "items": refer("Row") })
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

pub(super) fn add_schemas(schemas: &mut Map<String, Value>) {
    let count = json!({ "type": "integer", "minimum": 0 });
    let text = json!({ "type": "string" });
    let list: Vec<(&str, Value)> = vec![
        (
            "Row",
            json!({
                "description": "A row of some entity.",
                "type": "object",
                "properties": { "$entity": text },
                "required": ["$entity"],
            }),
        ),
        ("Rows", object(json!({ "rows": rows() }), &["rows"])),
        ("Secret", object(json!({ "text": text }), &["text"])),
        (
            "SecretHolds",
            object(json!({ "holds": { "type": "boolean" } }), &["holds"]),
        ),
        ("Page", page(rows())),
        (
            "Committed",
            object(
                json!({
                    "revisions": rows(),
                    "warnings": { "type": "array", "items": text },
                }),
                &["revisions"],
            ),
        ),
        (
            "Differences",
            object(
                json!({
                    "from": text,
                    "to": text,
                    "rows": { "type": "array", "items": refer("Difference") },
                }),
                &["from", "to", "rows"],
            ),
        ),
        (
            "Difference",
            object(
                json!({
                    "is": { "enum": ["added", "removed", "moved", "changed"] },
                    "before": refer("Row"),
                    "after": refer("Row"),
                    "attributes": { "type": "array", "items": text },
                }),
                &["is"],
            ),
        ),
        (
            "Snapshot",
            object(
                json!({
                    "revision": text,
                    "rows": rows(),
                    "links": { "type": "array", "items": object(
                        json!({ "by": count, "from": count, "to": count }),
                        &["by", "from", "to"],
                    ) },
                }),
                &["revision", "rows", "links"],
            ),
        ),
        (
            "SweepReport",
            object(
                json!({
                    "removed": { "type": "array", "items": object(
                        json!({ "owner": { "type": "object" }, "revision": text, "rows": count,
                                "reason": { "enum": ["unfinished", "committed", "orphaned"] } }),
                        &["owner", "revision", "rows", "reason"],
                    ) },
                    "kept": { "type": "array", "items": object(
                        json!({ "owner": { "type": "object" }, "revision": { "type": ["string", "null"] }, "reason": {} }),
                        &["owner", "revision", "reason"],
                    ) },
                }),
                &["removed", "kept"],
            ),
        ),
        (
            "PurgeReport",
            object(
                json!({
                    "owner": { "type": "object" },
                    "partitions": { "type": "array", "items": object(
                        json!({ "table": text, "partition": text, "revision": { "type": ["string", "null"] },
                                "items": count, "reason": { "enum": ["own", "rendered", "scanned"] } }),
                        &["table", "partition", "revision", "items", "reason"],
                    ) },
                }),
                &["owner", "partitions"],
            ),
        ),
        ("Explanation", explanation()),
    ];
    for (name, schema) in list {
        schemas.insert(name.to_owned(), schema);
    }
}

/// A page of rows.
pub(in super::super) fn page(items: Value) -> Value {
    object(
        json!({
            "rows": items,
            "followed": rows(),
            "unknown": {
                "description": "Items that the model does not know, where some row owns them.",
                "type": "array",
                "items": { "type": "object" },
            },
            "dangling": {
                "description": "Rows that are referred to and not there.",
                "type": "array",
                "items": { "type": "string" },
            },
            "cursor": {
                "description": "Where the next page begins; absent if there is nothing more.",
                "type": "string",
            },
        }),
        &["rows"],
    )
}

fn explanation() -> Value {
    let units = json!({ "read": { "type": "number" }, "write": { "type": "number" } });
    let mut with_table = units.clone();
    if let Value::Object(members) = &mut with_table {
        members.insert("of".to_owned(), json!({ "type": "string" }));
    }
    object(
        json!({
            "requests": { "type": "array", "items": object(
                json!({
                    "round": { "type": "integer", "minimum": 1 },
                    "operation": { "type": "string" },
                    "body": { "type": "object" },
                    "units": { "type": "array", "items": object(with_table, &["of", "read", "write"]) },
                }),
                &["round", "operation", "body", "units"],
            ) },
            "units": object(units, &["read", "write"]),
            "answer": {},
            "problem": refer("Problem"),
        }),
        &["requests", "units"],
    )
}
