//! Kinds of values as JSON Schema.

use super::super::example::show_value;
use super::super::portable_regex::translate;
use monotable_model::model::{Attribute, Bounds, Kind, TextRule, TimeFormat};
use serde_json::{Map, Value, json};

/// Whether a value is given or read. What is given may be written in more ways than what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Direction {
    Given,
    Read,
}

/// The schema of a kind, with an example where the name says of what.
pub(in super::super) fn describe_kind(name: &str, kind: &Kind, direction: Direction) -> Value {
    let mut schema = describe(kind, direction);
    let example = show_value(name, kind);
    if let Value::Object(members) = &mut schema
        && !example.is_null()
        && !matches!(kind, Kind::Any | Kind::Enum(_) | Kind::Boolean)
    {
        members.insert("examples".to_owned(), json!([example]));
    }
    schema
}

/// The schema of an attribute, with what the model says of it.
pub(super) fn describe_attribute(attribute: &Attribute, direction: Direction) -> Value {
    let name = &attribute.name.value;
    let mut schema = if attribute.secret.is_some() && direction == Direction::Read {
        // Shown with a mask, if at all; what the store has made itself is shown once.
        json!({ "type": "string" })
    } else if attribute.hashed.is_some() && direction == Direction::Given {
        let hash = json!({
            "type": "object",
            "properties": { "bcrypt": { "type": "string" } },
            "required": ["bcrypt"],
            "additionalProperties": false,
        });
        json!({ "anyOf": [describe_kind(name, &attribute.kind, direction), hash] })
    } else {
        describe_kind(name, &attribute.kind, direction)
    };
    if let Value::Object(members) = &mut schema {
        add_notes(attribute, direction, members);
    }
    schema
}

fn add_notes(attribute: &Attribute, direction: Direction, members: &mut Map<String, Value>) {
    let mut notes = vec![format!("{}.", attribute.kind)];
    if attribute.secret.is_some() {
        notes.push("A secret: it is never shown, or only in part.".to_owned());
    }
    if let Some(rule) = &attribute.presence.required_if {
        notes.push(format!("Required if {rule}."));
    }
    if let Some(rule) = &attribute.presence.only_if {
        notes.push(format!("Given only if {rule}."));
    }
    if attribute.immutable {
        notes.push("It never changes.".to_owned());
    }
    if attribute.generated.is_some() {
        notes.push("Made by the store if it is not given.".to_owned());
    }
    members.insert("description".to_owned(), json!(notes.join(" ")));
    if attribute.distinct && direction == Direction::Read {
        members.insert("uniqueItems".to_owned(), json!(true));
    }
}

fn describe(kind: &Kind, direction: Direction) -> Value {
    match kind {
        Kind::Text(rule) => describe_text(rule),
        Kind::Integer(bounds) => add_bounds(json!({ "type": "integer" }), bounds, NUMBERS),
        Kind::Number(bounds) => add_bounds(json!({ "type": "number" }), bounds, NUMBERS),
        Kind::Boolean => json!({ "type": "boolean" }),
        Kind::Date => json!({ "type": "string", "format": "date" }),
        Kind::Timestamp(format) => describe_time(*format, direction),
        Kind::Epoch => json!({ "type": "integer", "minimum": 0 }),
        // The format `uri` would refuse addresses with letters beyond ASCII, which models take.
        Kind::Url => json!({ "type": "string", "pattern": "^https?://[^\\s]+$" }),
        Kind::Json => json!({ "type": "string", "contentMediaType": "application/json" }),
        Kind::Map => json!({ "type": "object" }),
        Kind::Any => json!({}),
        Kind::Binary => json!({
            "type": "object",
            "properties": { "$bytes": { "type": "string", "contentEncoding": "base64" } },
            "required": ["$bytes"],
            "additionalProperties": false,
        }),
        Kind::Never => json!({ "not": {} }),
        Kind::Uuid | Kind::UuidV7 => json!({ "type": "string", "format": "uuid" }),
        Kind::Ulid => json!({ "type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" }),
        Kind::Token(length) => {
            json!({ "type": "string", "pattern": format!("^[A-Za-z0-9]{{{length}}}$") })
        }
        Kind::Enum(words) => {
            let aliases = words.iter().flat_map(|word| &word.aliases);
            let aliases = aliases.filter(|_| direction == Direction::Given);
            let words = words.iter().map(|word| &word.word);
            json!({ "type": "string", "enum": words.chain(aliases).collect::<Vec<_>>() })
        }
        Kind::List { of, length } => {
            let schema = json!({ "type": "array", "items": describe(of, direction) });
            add_bounds(schema, length, ITEMS)
        }
    }
}

fn describe_text(rule: &TextRule) -> Value {
    let mut schema = add_bounds(json!({ "type": "string" }), &rule.length, LENGTHS);
    let without = (!rule.without.is_empty()).then(|| {
        let characters: String = rule
            .without
            .chars()
            .map(|c| format!("\\x{{{:x}}}", u32::from(c)))
            .collect();
        format!("[^{characters}]*")
    });
    let expressions = [rule.matches.clone(), without].into_iter().flatten();
    let mut patterns: Vec<String> = expressions.filter_map(|regex| translate(&regex)).collect();
    if let Value::Object(members) = &mut schema {
        if patterns.len() > 1 {
            let all: Vec<_> = patterns
                .iter()
                .map(|pattern| json!({ "pattern": pattern }))
                .collect();
            members.insert("allOf".to_owned(), Value::Array(all));
        } else if let Some(pattern) = patterns.pop() {
            members.insert("pattern".to_owned(), json!(pattern));
        }
    }
    schema
}

/// A time as it is stored; what is given may have any offset, and a fraction of any length.
fn describe_time(format: TimeFormat, direction: Direction) -> Value {
    const SECOND: &str = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}";
    match (direction, format) {
        (Direction::Given, TimeFormat::Millis | TimeFormat::Micros) => {
            json!({ "type": "string", "format": "date-time" })
        }
        (Direction::Given, TimeFormat::Seconds | TimeFormat::Zoned) => {
            json!({ "type": "string", "pattern": SECOND })
        }
        // A fraction may tell rows of one second apart, and other programs write times with other fractions.
        (Direction::Read, TimeFormat::Seconds) => {
            json!({ "type": "string", "pattern": format!("{SECOND}([.][0-9]{{1,9}})?Z?$") })
        }
        (Direction::Read, TimeFormat::Zoned) => {
            json!({ "type": "string", "pattern": format!("{SECOND}([.][0-9]{{1,9}})?([+]00:?00|Z)$") })
        }
        (Direction::Read, TimeFormat::Millis | TimeFormat::Micros) => {
            json!({ "type": "string", "format": "date-time" })
        }
    }
}

/// The words for the least and the most.
type BoundWords = (&'static str, &'static str);
const NUMBERS: BoundWords = ("minimum", "maximum");
const LENGTHS: BoundWords = ("minLength", "maxLength");
const ITEMS: BoundWords = ("minItems", "maxItems");

fn add_bounds(mut schema: Value, bounds: &Bounds, (least, most): BoundWords) -> Value {
    if let Value::Object(members) = &mut schema {
        if let Some(bound) = bounds.least {
            members.insert(least.to_owned(), json!(bound));
        }
        if let Some(bound) = bounds.most {
            members.insert(most.to_owned(), json!(bound));
        }
    }
    schema
}
