//! `[table.N]`

use super::shapes::{closed, described, flag, names, open, text, with, with_notes, word};
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
    ]);
    open(&keys, &["key"], &index())
}

/// An index: the attributes of its key, or a table.
fn index() -> Value {
    let keys = [
        ("key", key_attributes("The attributes of its key.")),
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
    described(one_or_two(shape), about)
}

fn one_or_two(shape: Value) -> Value {
    let shape = with(shape, "items", json!({ "type": "string" }));
    with(with(shape, "minItems", json!(1)), "maxItems", json!(2))
}

fn key_attributes(about: &str) -> Value {
    one_or_two(names(about))
}
