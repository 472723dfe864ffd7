//! `[repository.N]`, `[derive.N]`, `[audit.N]` and `[archive.N]`: rows that mechanisms write.

use super::shapes::{closed, flag, names, predicate, set, text, with_notes, words};
use serde_json::Value;

pub(super) fn repository() -> Value {
    let keys = with_notes([
        (
            "head",
            text("The entity with the pointer to the current revision."),
        ),
        (
            "log",
            text("The entity of the revisions; its id is the revision."),
        ),
        (
            "entities",
            names("The entities of a snapshot, which share one partition."),
        ),
        (
            "intent",
            text("The entity whose rows mark commits that are under way."),
        ),
        (
            "count",
            text("The log's attribute that says how many rows a snapshot has."),
        ),
    ]);
    closed(&keys, &["head", "log", "entities", "intent"])
}

pub(super) fn derive() -> Value {
    let keys = with_notes([
        ("of", text("The entity that they are computed from.")),
        ("when", predicate("There are such rows only then.")),
        (
            "each",
            names(
                "One row for each `element in list`; several are nested, lists are joined by `+`.",
            ),
        ),
        ("entity", text("The entity of the rows.")),
        (
            "set",
            set("Their attributes; those of the same name are copied."),
        ),
    ]);
    closed(&keys, &["of", "entity"])
}

pub(super) fn audit() -> Value {
    let events = ["create", "read", "update", "delete", "denied", "failed"];
    let keys = with_notes([
        ("of", names("The entities whose operations are noted.")),
        ("on", words(&events, "Which operations are noted.")),
        ("entity", text("The entity of the rows that are written.")),
        (
            "set",
            set("Their attributes; they may show `{request.operation}` and the like."),
        ),
    ]);
    closed(&keys, &["of", "on", "entity"])
}

pub(super) fn archive() -> Value {
    let keys = with_notes([
        ("of", text("The entity whose old rows are kept.")),
        (
            "changed",
            names("The attributes whose change counts; \"*\" is all of them."),
        ),
        ("deleted", flag("Also when the row is deleted.")),
        ("entity", text("The entity of the rows that are kept.")),
        (
            "set",
            set("Attributes that get a value; those of the same name are copied."),
        ),
    ]);
    closed(&keys, &["of", "changed", "entity"])
}
