//! The JSON Schema of all operations, made from the list of operations and the members of each.

use super::{CONTRACT_VERSION, OPERATIONS};
use serde_json::{Map, Value, json};

/// What a member of an operation holds.
#[derive(Clone, Copy)]
enum Holds {
    /// The name of something that the model declares.
    Name,
    Text,
    Values,
    Texts,
    Count,
    Seconds,
    Flag,
    At,
    /// A revision, or null for none.
    Parent,
    Operations,
    Changes,
    Commits,
}

/// A member of an operation.
struct Member {
    name: &'static str,
    holds: Holds,
    required: bool,
}

const fn required(name: &'static str, holds: Holds) -> Member {
    let required = true;
    Member {
        name,
        holds,
        required,
    }
}

const fn optional(name: &'static str, holds: Holds) -> Member {
    let required = false;
    Member {
        name,
        holds,
        required,
    }
}

/// The members of an operation beside the one that names it.
fn list_members(operation: &str) -> Vec<Member> {
    let key = || required("key", Holds::Values);
    match operation {
        "create" | "put" | "attach" => vec![required("values", Holds::Values)],
        "get" | "delete" | "detach" => vec![key()],
        "update" => vec![
            key(),
            optional("set", Holds::Values),
            optional("unset", Holds::Texts),
            optional("add", Holds::Values),
            optional("append", Holds::Values),
        ],
        "move" => vec![key(), optional("set", Holds::Values)],
        "query" => vec![
            optional("parameters", Holds::Values),
            optional("limit", Holds::Count),
            optional("after", Holds::Text),
            optional("descending", Holds::Flag),
        ],
        "check_secret" => vec![
            key(),
            required("attribute", Holds::Name),
            required("text", Holds::Text),
        ],
        "log" => vec![
            key(),
            optional("limit", Holds::Count),
            optional("after", Holds::Text),
            optional("oldest_first", Holds::Flag),
        ],
        "show" => vec![
            key(),
            optional("at", Holds::At),
            optional("with_tombstones", Holds::Flag),
            optional("under", Holds::Text),
        ],
        "diff" => vec![
            key(),
            required("from", Holds::At),
            optional("to", Holds::At),
        ],
        "rollback" => vec![
            key(),
            required("to", Holds::Text),
            optional("from", Holds::Text),
        ],
        "revert" => vec![
            key(),
            required("to", Holds::At),
            optional("values", Holds::Values),
            optional("parent", Holds::Parent),
            optional("rebase", Holds::Text),
        ],
        "commit" => vec![
            key(),
            optional("values", Holds::Values),
            optional("parent", Holds::Parent),
            optional("rebase", Holds::Text),
            optional("changes", Holds::Changes),
        ],
        "carry" => vec![key(), optional("values", Holds::Values)],
        "sweep" => vec![key(), required("older_than", Holds::Seconds)],
        _ => Vec::new(),
    }
}

/// What the member holds that names an operation.
fn find_subject(operation: &str) -> Holds {
    match operation {
        "transact" => Holds::Operations,
        "commit_all" => Holds::Commits,
        "purge" => Holds::Values,
        _ => Holds::Name,
    }
}

/// The JSON Schema (2020-12) of every operation, with the version of the contract.
#[must_use]
pub fn operations_schema() -> Value {
    let mut definitions = shared_definitions();
    for entry in OPERATIONS {
        let mut properties = Map::new();
        properties.insert(entry.name.to_owned(), describe(find_subject(entry.name)));
        let mut needed = vec![entry.name];
        let members = list_members(entry.name);
        for member in &members {
            properties.insert(member.name.to_owned(), describe(member.holds));
            if member.required {
                needed.push(member.name);
            }
        }
        let definition = json!({
            "description": entry.about,
            "type": "object",
            "properties": properties,
            "required": needed,
            "additionalProperties": false,
        });
        definitions.insert(entry.name.to_owned(), definition);
    }
    let choices: Vec<_> = OPERATIONS
        .iter()
        .map(|entry| json!({ "$ref": format!("#/$defs/{}", entry.name) }))
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Operations of a Monotable store",
        "description": "An operation is an object in which exactly one member names the operation.",
        "version": CONTRACT_VERSION,
        "oneOf": choices,
        "$defs": definitions,
    })
}

fn describe(holds: Holds) -> Value {
    match holds {
        Holds::Name => json!({ "type": "string", "minLength": 1 }),
        Holds::Text => json!({ "type": "string" }),
        Holds::Values => json!({ "$ref": "#/$defs/values" }),
        Holds::Texts => json!({ "type": "array", "items": { "type": "string" } }),
        Holds::Count => json!({ "type": "integer", "minimum": 1 }),
        Holds::Seconds => json!({ "type": "integer", "minimum": 0 }),
        Holds::Flag => json!({ "type": "boolean" }),
        Holds::At => json!({ "$ref": "#/$defs/at" }),
        Holds::Parent => json!({ "type": ["string", "null"] }),
        Holds::Operations => {
            let writes = ["create", "put", "update", "delete", "attach", "detach"];
            let writes = writes.map(|name| json!({ "$ref": format!("#/$defs/{name}") }));
            json!({ "type": "array", "minItems": 1, "items": { "oneOf": writes } })
        }
        Holds::Changes => {
            let changes = ["create", "put", "update", "delete"];
            let changes = changes.map(|name| json!({ "$ref": format!("#/$defs/{name}") }));
            json!({ "type": "array", "items": { "oneOf": changes } })
        }
        Holds::Commits => {
            json!({ "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/commit" } })
        }
    }
}

/// What several operations have in common.
fn shared_definitions() -> Map<String, Value> {
    let text = json!({ "type": "string" });
    let only = |name: &str| {
        json!({
            "type": "object",
            "properties": { name: text },
            "required": [name],
            "additionalProperties": false,
        })
    };
    let definitions = [
        (
            "values",
            json!({
                "description": "Attributes as plain JSON. {\"$number\": digits}, {\"$bytes\": base64}, {\"$set\": [..]} and {\"$map\": {..}} mark what JSON lacks.",
                "type": "object",
            }),
        ),
        (
            "at",
            json!({
                "description": "A revision: the head, one by its id, or the last one up to a time.",
                "oneOf": [{ "const": "head" }, only("revision"), only("time")],
            }),
        ),
    ];
    let named = definitions.map(|(name, schema)| (name.to_owned(), schema));
    named.into_iter().collect()
}
