//! `[entity.N.unique]`

use super::shapes::{
    assignments, closed, key, message, named, names, one_of, predicate, set, template, text, with,
    with_notes,
};
use serde_json::{Value, json};

/// All claims of an entity.
pub(super) fn claims() -> Value {
    named(&claim(), "Values that no two rows share.")
}

/// The key of a guard, or a table.
fn claim() -> Value {
    let also = json!({
        "type": "array",
        "items": assignments(),
        "description": "Other values under which old guards stand; honoured, never written.",
    });
    let within = json!({
        "const": "snapshot",
        "description": "Unique in a snapshot of a repository; checked by the commit, without a row.",
    });
    let keys = with_notes([
        (
            "key",
            key("The key of the guard; one text fills both parts."),
        ),
        ("when", predicate("The value is claimed only then.")),
        (
            "keeps",
            names("Attributes of the owner that the guard also holds."),
        ),
        (
            "entity",
            text("The entity whose rows are the guards, so that callers can read them."),
        ),
        ("set", set("The attributes of such a row.")),
        ("also", also),
        ("within", within),
        (
            "message",
            message("What a caller is told whose value is taken."),
        ),
    ]);
    let mut shape = closed(&keys, &[]);
    let short = template("The key of the guard that makes the value unique, or a table.");
    for (key, value) in short.as_object().into_iter().flatten() {
        shape = with(shape, key, value.clone());
    }
    let groups = one_of(json!({}), &[&["key"], &["entity"], &["within"]]);
    let shape = with(shape, "type", json!(["string", "object"]));
    with(
        with(shape, "if", json!({ "type": "object" })),
        "then",
        groups,
    )
}
