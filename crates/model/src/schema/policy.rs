//! `[check.N]` and `[grant.N]`: what other rows decide.

use super::shapes::{
    closed, dotted, message, names, one_of, predicate, set, template, text, with_notes, word, words,
};
use serde_json::Value;

pub(super) fn check() -> Value {
    let writes = ["create", "update", "delete"];
    let keys = with_notes([
        ("of", text("The entity whose writes are checked.")),
        (
            "on",
            words(
                &writes,
                "At which writes; the default is create and update.",
            ),
        ),
        ("when", predicate("It is checked only then.")),
        ("must", predicate("What has to hold.")),
        (
            "value",
            text("The attribute that has to be among what a pattern finds."),
        ),
        (
            "among",
            dotted("`pattern.attribute`: the values that are allowed."),
        ),
        (
            "none",
            word(
                &["allow"],
                "If the pattern finds nothing, everything is allowed.",
            ),
        ),
        ("absent", text("The pattern that has to find nothing.")),
        (
            "set",
            set("The parameters of the pattern; those of the same name come from the row."),
        ),
        (
            "message",
            message("What a caller is told whose write is refused."),
        ),
    ]);
    one_of(
        closed(&keys, &["of"]),
        &[&["must"], &["value", "among"], &["absent"]],
    )
}

pub(super) fn grant() -> Value {
    let keys = with_notes([
        (
            "of",
            names("The entities that are protected; \"*\" is all of them."),
        ),
        (
            "access",
            text("The pattern that finds the rows with the rights."),
        ),
        ("above", text("A path: asked for every folder above.")),
        (
            "allows",
            template("The attribute with the list of rights, or a template for its name."),
        ),
        ("all", text("A right that stands for every other.")),
        (
            "none",
            word(
                &["allow"],
                "If there is no such row, there is no restriction.",
            ),
        ),
        ("unless", predicate("Then nothing is asked.")),
        ("set", set("The parameters of the pattern.")),
        (
            "message",
            message("What a caller is told to whom no row gives the right."),
        ),
    ]);
    closed(&keys, &["of", "access", "allows"])
}
