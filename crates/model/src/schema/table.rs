//! `[table.N]`

use super::shapes::{closed, described, flag, names, open, text, with, with_notes, word};
use crate::model::Index;
use serde_json::{Value, json};

pub(super) fn table() -> Value {
    let keys = with_notes([
        (
            "key",
            key_attributes(
                "The attributes of the key: partition key and, if there is one, sort key.",
            ),
        ),
        (
            "name",
            text("The name in DynamoDB; the default is the name of the section."),
        ),
        (
            "ttl",
            text("The attribute that holds the time of expiry, in seconds."),
        ),
        ("pitr", flag("Point-in-time recovery.")),
        (
            "stream",
            word(
                &["new_and_old", "new", "old", "keys"],
                "What the stream shows; without it there is none.",
            ),
        ),
        (
            "deletion_protection",
            flag("Whether DynamoDB refuses to delete the table; without it that stays as it is."),
        ),
        ("billing", billing()),
        (
            "tags",
            described(
                json!({ "type": "object", "additionalProperties": { "type": "string" } }),
                "Tags that `setup` gives the table.",
            ),
        ),
    ]);
    open(&keys, &["key"], &index())
}

/// How a table is paid for.
fn billing() -> Value {
    let units = json!({ "type": "integer", "minimum": 1 });
    let provisioned = closed(
        &[
            (
                "read",
                described(
                    units.clone(),
                    "Strongly consistent reads of 4 KB per second.",
                ),
            ),
            ("write", described(units, "Writes of 1 KB per second.")),
        ],
        &["read", "write"],
    );
    // A pattern is about texts alone, and the members are about tables alone.
    let either = with(provisioned, "type", json!(["string", "object"]));
    let either = with(either, "pattern", json!("^on_demand$"));
    described(
        either,
        "How the table is paid for: \"on_demand\", or units per second.",
    )
}

/// `[environment.N]`
pub(super) fn environment() -> Value {
    let tables = json!({ "type": "object", "additionalProperties": { "type": "string" } });
    let keys = with_notes([
        (
            "table_prefix",
            text("What stands before the name of every table that `tables` does not name."),
        ),
        (
            "tables",
            described(
                tables,
                "Names of tables in DynamoDB, by their names in the model.",
            ),
        ),
    ]);
    closed(&keys, &[])
}

/// An index: the attributes of its key, or a table.
fn index() -> Value {
    let keys = [
        (
            "key",
            lists(names(
                "The attributes of its key; each part may be a list of up to four.",
            )),
        ),
        (
            "name",
            text("Its name in DynamoDB; the default is its name in the model."),
        ),
        (
            "project",
            names(
                "What the index copies: \"all\" (the default), \"keys\", or a list of attributes.",
            ),
        ),
        (
            "local",
            flag("A local index, with the table's partition key."),
        ),
    ];
    let shape = with(closed(&keys, &["key"]), "type", json!(["array", "object"]));
    let about = "An index: the attributes of its key, or a table with `key`, `name`, `project` and `local`.";
    described(lists(shape), about)
}

/// Partition and sort key of an index, each an attribute or a list of them.
fn lists(shape: Value) -> Value {
    let part = json!({
        "type": ["string", "array"],
        "items": { "type": "string" },
        "minItems": 1,
        "maxItems": Index::MOST_ATTRIBUTES,
    });
    with(one_or_two(shape), "items", part)
}

fn one_or_two(shape: Value) -> Value {
    let shape = with(shape, "items", json!({ "type": "string" }));
    with(with(shape, "minItems", json!(1)), "maxItems", json!(2))
}

fn key_attributes(about: &str) -> Value {
    one_or_two(names(about))
}
