//! `[entity.N]`

use super::claim::claims;
use super::shapes::{
    Key, attributes, closed, count, described, dotted, flag, key, message, named, names, open,
    predicate, predicates, rule, rules, set, text, with, with_notes, word, words,
};
use crate::diagnostic::Code;
use serde_json::{Value, json};

pub(super) fn entity() -> Value {
    let mut keys = with_notes([
        (
            "like",
            text("Everything of that entity, then what follows."),
        ),
        ("table", text("The table; the default is the first.")),
        (
            "is",
            constants(
                "Discriminators: attributes with a constant value; `A/B` writes A and reads both.",
            ),
        ),
        ("id", text("The attribute that references to it hold.")),
        (
            "key",
            key("The primary key as templates: partition and sort key, or one text for both."),
        ),
        ("when", predicates("By index: the row is in it only then.")),
        (
            "global",
            names("Keys without the tenant's prefix: `key`, or names of indexes."),
        ),
        (
            "open",
            flag("Attributes that are not declared are kept; the default is the model's."),
        ),
    ]);
    keys.extend(behaviour());
    keys.extend([
        ("layout", layouts()),
        ("accept", accept()),
        ("unique", claims()),
        ("relation", relation()),
        (
            "attributes",
            attributes("The attributes; a name that ends in `*` is a family."),
        ),
    ]);
    open(&keys, &[], &index_key())
}

fn behaviour() -> Vec<Key> {
    let writes = ["create", "update", "delete"];
    let exists = ["conflict", "replace", "keep", "fraction"];
    vec![
        (
            "writes",
            words(
                &writes,
                "What callers may do; an empty list leaves all writes to mechanisms.",
            ),
        ),
        (
            "message_on_writes",
            message("What a caller is told who tries another write."),
        ),
        (
            "on_exists",
            word(&exists, "What a create does that meets a row."),
        ),
        (
            "message_on_exists",
            message("What a caller is told whose create meets a row."),
        ),
        ("allow", allow()),
        (
            "must",
            rules("Predicates that every row satisfies, by the name that an error shows."),
        ),
        (
            "owns",
            names("Patterns whose rows live, move and die with this row."),
        ),
        (
            "each",
            names("`element in list`: one item is stored as one row for each element."),
        ),
        (
            "tombstone",
            set("A delete sets these attributes, and reads hide the row."),
        ),
        ("upgrade", upgrades()),
        (
            "also",
            word(
                &["camelCase"],
                "Another spelling of all attributes that is read.",
            ),
        ),
        (
            "volume",
            word(
                &["normal", "high"],
                "With `high` a hot partition is an error.",
            ),
        ),
    ]
}

/// The key in an index, under the name of the index.
fn index_key() -> Value {
    super::shapes::index_key(
        "The key in the index of this name, as templates; an empty list removes an inherited one.",
    )
}

fn constants(about: &str) -> Value {
    named(&json!({ "type": "string" }), about)
}

fn allow() -> Value {
    let keys = [
        (
            "read",
            predicate("Which rows a caller may read; others are left out."),
        ),
        (
            "write",
            rule("Which rows a caller may create, update and delete."),
        ),
        ("create", rule("Which rows a caller may create.")),
        ("update", rule("Which rows a caller may update.")),
        ("delete", rule("Which rows a caller may delete.")),
        (
            "cascade",
            rule(
                "Which rows a caller may delete, or clear a reference of, by deleting what they refer to; \
                 if not given, `delete` is asked, and `update` for a reference that is cleared.",
            ),
        ),
    ];
    described(closed(&keys, &[]), "Who may do what, as predicates.")
}

fn upgrades() -> Value {
    let about = "How rows of the version before are read, by the version that is made.";
    let versions = json!({ "pattern": "^([2-9]|[1-9][0-9]+)$" });
    with(named(&upgrade(), about), "propertyNames", versions)
}

/// One step of `upgrade`.
fn upgrade() -> Value {
    let keys = [
        (
            "when",
            predicate("Which rows, if the version alone does not say it."),
        ),
        ("rename", constants("Old names, and the new name of each.")),
        ("set", set("Attributes that get a value.")),
        ("drop", names("Attributes that go.")),
    ];
    closed(&keys, &[])
}

fn layouts() -> Value {
    named(
        &layout(),
        "Other keys under which rows are read, by the name of the layout.",
    )
}

/// The keys of one layout.
fn layout() -> Value {
    let keys = [
        ("table", text("The table of this layout.")),
        ("key", key("The primary key of this layout.")),
        (
            "global",
            names("Keys of this layout without the tenant's prefix."),
        ),
    ];
    open(&keys, &[], &index_key())
}

/// The rules that a model can accept.
pub(super) fn accept() -> Value {
    let rules = Code::ALL.iter().filter(|code| code.is_acceptable());
    let keys: Vec<_> = rules
        .map(|code| {
            let about = format!("Why this is accepted. {}: {}", code.id(), code.about());
            (
                code.name(),
                json!({ "type": "string", "pattern": "\\S", "description": about }),
            )
        })
        .collect();
    described(
        closed(&keys, &[]),
        "Findings that are accepted, each with the reason.",
    )
}

/// `[entity.N.relation]`
fn relation() -> Value {
    let ends = json!({
        "type": "string",
        "pattern": "^\\s*\\S+\\s*(->|--)\\s*\\S+\\s*$",
        "description": "The two references: `a -> b`, or `a -- b` for a pair without order.",
    });
    let keys = [
        ("ends", ends),
        ("acyclic", flag("Nothing is its own ancestor.")),
        (
            "depth",
            count(0, "How long a chain may be; the default is 90."),
        ),
        (
            "serial",
            dotted("`reference.counter`: a counter that puts all writes of the relation in order."),
        ),
        (
            "owning",
            flag("Deleting the first end deletes the row at the second."),
        ),
        (
            "message",
            message(
                "What a caller is told whose pair closes a cycle or is there the other way round.",
            ),
        ),
        (
            "message_on_depth",
            message("What a caller is told whose pair makes a chain too long."),
        ),
    ];
    described(
        closed(&keys, &["ends"]),
        "What the two references of this entity mean together.",
    )
}
