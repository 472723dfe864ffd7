//! Shapes that many keys share.
//!
//! Editors built on taplo take a `$ref` for the whole shape, without the sentence beside it, and show the sentences
//! of all branches of an `anyOf` at once. So shapes are written out where they stand, and a key that holds a text or a
//! list has two types rather than two branches: `pattern` speaks of the text, `items` of the list.

use crate::model::Index;
use crate::syntax::clause::WORDS;
use serde_json::{Map, Value, json};

/// A key and what it holds.
pub(super) type Key = (&'static str, Value);

/// A table with these keys and no others.
pub(super) fn closed(keys: &[Key], required: &[&str]) -> Value {
    let shape = json!({
        "type": "object",
        "properties": properties(keys),
        "additionalProperties": false,
    });
    if required.is_empty() {
        shape
    } else {
        with(shape, "required", json!(required))
    }
}

/// A table with these keys, and others of one shape: the names of indexes.
pub(super) fn open(keys: &[Key], required: &[&str], others: &Value) -> Value {
    // By `additionalProperties` the same could be said, but taplo would show it for every key.
    let known: Vec<_> = keys.iter().map(|(name, _)| *name).collect();
    let other = format!("^(?!(?:{})$)", known.join("|"));
    let shape = closed(keys, required);
    with(shape, "patternProperties", json!({ other: others }))
}

/// A table that needs exactly one of these groups of keys.
pub(super) fn one_of(shape: Value, groups: &[&[&str]]) -> Value {
    let groups: Vec<_> = groups
        .iter()
        .map(|keys| json!({ "required": keys }))
        .collect();
    with(shape, "oneOf", json!(groups))
}

/// A table of such things, by name.
pub(super) fn named(of: &Value, about: &str) -> Value {
    json!({ "type": "object", "additionalProperties": of, "description": about })
}

/// The shape with one more key.
pub(super) fn with(mut shape: Value, key: &str, value: Value) -> Value {
    if let Some(shape) = shape.as_object_mut() {
        shape.insert(key.to_owned(), value);
    }
    shape
}

/// The shape with a sentence for the editor.
pub(super) fn described(shape: Value, about: &str) -> Value {
    with(shape, "description", json!(about))
}

pub(super) fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

pub(super) fn flag(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

pub(super) fn count(least: usize, about: &str) -> Value {
    json!({ "type": "integer", "minimum": least, "description": about })
}

/// A name, or a list of names.
pub(super) fn names(about: &str) -> Value {
    json!({ "type": ["string", "array"], "items": { "type": "string" }, "description": about })
}

pub(super) fn word(words: &[&str], about: &str) -> Value {
    json!({ "enum": words, "description": about })
}

/// One of these words, or a list of them.
pub(super) fn words(words: &[&str], about: &str) -> Value {
    json!({
        "type": ["string", "array"],
        "pattern": format!("^({})$", words.join("|")),
        "items": { "enum": words },
        "description": about,
    })
}

/// `Entity.attribute`, `pattern.attribute`.
pub(super) fn dotted(about: &str) -> Value {
    json!({ "type": "string", "pattern": DOTTED, "description": about })
}

pub(super) const DOTTED: &str = "^[^.]+[.].+$";

pub(super) fn predicate(about: &str) -> Value {
    json!({ "type": "string", "minLength": 1, "description": about })
}

/// A predicate, or a table of it and its message.
pub(super) fn rule(about: &str) -> Value {
    let keys = [
        ("rule", predicate("The predicate.")),
        ("message", message("What a caller is told whom it refuses.")),
    ];
    let shape = with(closed(&keys, &["rule"]), "minLength", json!(1));
    described(with(shape, "type", json!(["string", "object"])), about)
}

/// Rules by name.
pub(super) fn rules(about: &str) -> Value {
    named(
        &rule("A predicate, or a table of it and its message."),
        about,
    )
}

/// A sentence for a caller who is refused.
pub(super) fn message(about: &str) -> Value {
    json!({ "type": "string", "pattern": "\\S", "description": about })
}

/// Predicates by name.
pub(super) fn predicates(about: &str) -> Value {
    named(&predicate("A predicate, such as `state = 'open'`."), about)
}

pub(super) fn attribute(about: &str) -> Value {
    json!({ "type": "string", "pattern": attribute_pattern(), "description": about })
}

/// Attributes by name.
pub(super) fn attributes(about: &str) -> Value {
    let shape = attribute("A type, then clauses after commas: `text(1..100)?, movable`.");
    named(&shape, about)
}

pub(super) fn template(about: &str) -> Value {
    json!({ "type": "string", "pattern": TEMPLATE, "description": about })
}

/// One template, or several.
pub(super) fn templates(about: &str) -> Value {
    json!({
        "type": ["string", "array"],
        "pattern": TEMPLATE,
        "items": { "type": "string", "pattern": TEMPLATE },
        "description": about,
    })
}

/// Partition and sort key as templates, or one text for both.
pub(super) fn key(about: &str) -> Value {
    with(templates(about), "maxItems", json!(2))
}

/// The key in an index: each part is a template, or a list of them where the index has several attributes.
pub(super) fn index_key(about: &str) -> Value {
    let part = json!({
        "type": ["string", "array"],
        "pattern": TEMPLATE,
        "items": { "type": "string", "pattern": TEMPLATE },
        "minItems": 1,
        "maxItems": Index::MOST_ATTRIBUTES,
    });
    with(key(about), "items", part)
}

/// `set = { a = "{b}" }`
pub(super) fn set(about: &str) -> Value {
    described(assignments(), about)
}

/// Attributes and the templates of their values.
pub(super) fn assignments() -> Value {
    json!({
        "type": "object",
        "additionalProperties": { "type": ["string", "boolean", "number"], "pattern": TEMPLATE },
    })
}

/// Those keys, after what every named section says about itself.
pub(super) fn with_notes(keys: impl IntoIterator<Item = Key>) -> Vec<Key> {
    let covers = "The requirements that this meets, under names of your own.";
    let mut all = vec![
        ("about", text("A sentence for people.")),
        ("covers", names(covers)),
    ];
    all.extend(keys);
    all
}

fn properties(keys: &[Key]) -> Map<String, Value> {
    keys.iter()
        .map(|(name, shape)| ((*name).to_owned(), shape.clone()))
        .collect()
}

/// A type, and the first clause. Whether later commas split depends on brackets, which a pattern cannot count.
fn attribute_pattern() -> String {
    let word = r"[^\s,|()?'\[\]{}=>]+";
    let types = [
        r"=[\s\S]+".to_owned(),
        format!(r"->\s*{word}\s*\??"),
        r"\[[\s\S]+\]\s*(\([^)]*\))?\s*\??".to_owned(),
        format!(r"'{word}'\s*\??"),
        format!(r"{word}(\s*\([^)]*\))?(\s*\|\s*{word})*\s*\??"),
    ];
    format!(
        r"^\s*({})\s*(,\s*({})([\s=,][\s\S]*)?)?$",
        types.join("|"),
        WORDS.join("|")
    )
}

/// Every field is closed, `{{` and `}}` are braces, and text in quotes inside a field may be anything.
const TEMPLATE: &str = r"^([^{}]|\{\{|\}\}|\{([^{}']|'[^']*')+\})*$";
