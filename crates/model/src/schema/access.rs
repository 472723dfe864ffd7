//! `[access.N]`

use super::entity::accept;
use super::shapes::{
    DOTTED, Key, count, dotted, flag, index_key, key, names, open, predicate, set, text,
    with_notes, word,
};
use serde_json::{Value, json};

pub(super) fn access() -> Value {
    let mut keys = with_notes(ways());
    keys.extend(options());
    let index =
        index_key("The key condition in the index of this name; the sort key may be left out.");
    open(&keys, &[], &index)
}

/// How a pattern reaches its rows; a pattern has one.
fn ways() -> Vec<Key> {
    let pointer = json!({
        "type": ["string", "array"],
        "pattern": DOTTED,
        "items": { "type": "string", "pattern": DOTTED },
        "maxItems": 2,
        "description": "By a key that another row stores: `Entity.attribute` for each part.",
    });
    vec![
        (
            "key",
            key("A condition on the table's key; complete it is a Get, else a Query."),
        ),
        ("through", dotted("By a claim: `Entity.claim`.")),
        ("union", names("The rows of several patterns.")),
        (
            "steps",
            names("Each row of one pattern gives the parameters of the next."),
        ),
        (
            "walk",
            names("From row to row along relations: `Relation.end`, or `Relation.end where P`."),
        ),
        ("resolve", text("One Get for each segment of this path.")),
        (
            "diff",
            text("What two revisions of this repository differ in."),
        ),
        ("pointer", pointer),
    ]
}

fn options() -> Vec<Key> {
    vec![
        (
            "returns",
            names("The entities that it can meet; this is proved."),
        ),
        ("drops", names("Entities that it meets and leaves out.")),
        (
            "one",
            flag("At most one row; a second is an integrity error."),
        ),
        (
            "order",
            word(&["asc", "desc"], "The order of the sort key."),
        ),
        ("limit", count(1, "At most so many rows.")),
        ("consistent", flag("Consistent reads; an index has none.")),
        (
            "filter",
            predicate("Rows that fail it are read and left out."),
        ),
        ("sort", names("Attributes to sort by, after reading.")),
        (
            "distinct",
            names(
                "One row for each value of these attributes; \"relation\": for each pair without order.",
            ),
        ),
        ("follow", names("References whose rows come along.")),
        ("only", names("The attributes to return.")),
        (
            "set",
            set("Parameters of the patterns used, from own parameters and rows of earlier steps."),
        ),
        ("layout", text("The layout whose keys are used.")),
        ("accept", accept()),
    ]
}
