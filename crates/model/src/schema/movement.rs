//! `[move.N]`, `[path.N]` and `[carry.N]`: rows that come to stand elsewhere.

use super::shapes::{closed, dotted, names, one_of, predicate, set, text, with_notes};
use serde_json::{Value, json};

pub(super) fn movement() -> Value {
    let keys = with_notes([
        ("of", text("The entity that moves.")),
        ("to", text("The entity that its rows become.")),
        ("rest", text("The entity that the rows it owns become.")),
        (
            "undo",
            text("The name of the operation that takes it back."),
        ),
        (
            "purge",
            text("The name of the operation that deletes for good."),
        ),
        (
            "removes",
            names("Entities whose rows go away; the undo makes them again."),
        ),
        (
            "changes",
            names("Instead of `to`: attributes of the key that get new values."),
        ),
        ("carries", names("The patterns whose rows change with it.")),
        ("set", set("Attributes that get a value.")),
    ]);
    one_of(closed(&keys, &["of"]), &[&["to"], &["changes"]])
}

pub(super) fn path() -> Value {
    let split = json!({ "type": "string", "minLength": 1, "description": "The text between two segments; the default is `/`." });
    let keys = with_notes([
        ("of", dotted("`Entity.attribute`: where the path stands.")),
        ("split", split),
        (
            "folder",
            text("The entity of a folder; missing ones are made."),
        ),
        ("leaf", text("The entity of the last segment.")),
    ]);
    closed(&keys, &["of", "folder", "leaf"])
}

pub(super) fn carry() -> Value {
    let keys = with_notes([
        ("of", text("The entity whose rows are carried.")),
        ("from", text("The repository that they come from.")),
        ("to", text("The repository that they go to.")),
        ("when", predicate("Which rows are carried.")),
        ("set", set("What is different at the other end.")),
    ]);
    closed(&keys, &["of", "from", "to"])
}
