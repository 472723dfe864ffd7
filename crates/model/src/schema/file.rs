//! The model itself, and the sections that stand once.

use super::shapes::{
    Key, attribute, attributes, closed, described, flag, message, names, template, templates, text,
};
use serde_json::json;

/// The keys before the first section.
pub(super) fn keys() -> Vec<Key> {
    let version = crate::syntax::file::VERSION;
    vec![
        (
            "monotable",
            json!({ "const": version, "description": "The version of the language." }),
        ),
        ("model", text("The name of the model.")),
        ("about", text("A sentence for people.")),
        (
            "open",
            flag(
                "Whether entities keep attributes that they do not declare; each can decide for itself.",
            ),
        ),
        (
            "layout",
            names(
                "The layouts that are written: of an entity that has several of them, the first.",
            ),
        ),
    ]
}

/// The sections without a name of their own.
pub(super) fn sections() -> Vec<Key> {
    vec![
        ("setting", attributes("Values that a deployment chooses.")),
        ("type", attributes("Types with a name.")),
        ("principal", attributes("What is known of the caller.")),
        ("tenant", tenant()),
        ("isolation", isolation()),
    ]
}

fn tenant() -> serde_json::Value {
    let keys = [
        ("name", text("What the tenant's id is called.")),
        (
            "type",
            attribute("The type of the tenant's id, as an attribute."),
        ),
        (
            "prefix",
            template("What goes before every partition key, of the table and of every index."),
        ),
        ("bare", text("The tenant without prefix.")),
    ];
    described(
        closed(&keys, &["name", "type", "prefix"]),
        "Who shares the table.",
    )
}

fn isolation() -> serde_json::Value {
    let partitions =
        templates("The partition keys that a caller may touch; a final `*` lets anything follow.");
    let keys = [
        ("partitions", partitions),
        (
            "iam",
            text("What stands for the caller in a generated IAM policy."),
        ),
        (
            "message",
            message("What a caller is told who touches another partition."),
        ),
    ];
    described(
        closed(&keys, &["partitions"]),
        "Which partitions a caller may touch.",
    )
}
