//! The schema and the reader know the same keys, kinds and words.

use super::json_schema;
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::document::Section;
use crate::span::{Name, Span};
use crate::syntax::access::Access;
use crate::syntax::entity::Entity;
use crate::syntax::table::Table;
use serde_json::Value;
use std::collections::BTreeSet;

const BASE: &str = r#"monotable = 1
model = "base"
[table.Main]
key = ["PK", "SK"]
[entity.Thing]
key = ["THING#{thingId}", "THING"]
[entity.Thing.attributes]
thingId = "ulid, generated"
[access.thing]
key = ["THING#{thingId}", "THING"]
returns = ["Thing"]
"#;

/// Sections that list their keys when they meet one they do not know: header, and where the schema has them.
const CLOSED: &[(&str, &str)] = &[
    ("tenant", "/properties/tenant"),
    ("isolation", "/properties/isolation"),
    (
        "table.Main.Index",
        "/properties/table/additionalProperties/*",
    ),
    (
        "entity.Thing.unique.x",
        "/properties/entity/additionalProperties/properties/unique/additionalProperties",
    ),
    (
        "entity.Thing.relation",
        "/properties/entity/additionalProperties/properties/relation",
    ),
    (
        "entity.Thing.upgrade.2",
        "/properties/entity/additionalProperties/properties/upgrade/additionalProperties",
    ),
    (
        "repository.x",
        "/properties/repository/additionalProperties",
    ),
    ("derive.x", "/properties/derive/additionalProperties"),
    ("check.x", "/properties/check/additionalProperties"),
    ("grant.x", "/properties/grant/additionalProperties"),
    ("move.x", "/properties/move/additionalProperties"),
    ("path.x", "/properties/path/additionalProperties"),
    ("carry.x", "/properties/carry/additionalProperties"),
    ("audit.x", "/properties/audit/additionalProperties"),
    ("archive.x", "/properties/archive/additionalProperties"),
];

/// Sections with names of indexes among their keys.
const OPEN: &[(&str, &str)] = &[
    ("table.Other", "/properties/table/additionalProperties"),
    ("entity.Other", "/properties/entity/additionalProperties"),
    ("access.other", "/properties/access/additionalProperties"),
];

const LAYOUT: (&str, &str) = (
    "entity.Thing.layout.x",
    "/properties/entity/additionalProperties/properties/layout/additionalProperties",
);
const ALLOW: (&str, &str) = (
    "entity.Thing.allow",
    "/properties/entity/additionalProperties/properties/allow",
);
const INVENTED: &str = "zzzzzzzzzz";

/// The shape at a place; `*` is what indexes have.
fn shape<'s>(schema: &'s Value, place: &str) -> &'s Value {
    place
        .split('/')
        .skip(1)
        .fold(schema, |shape, step| match step {
            "*" => shape["patternProperties"]
                .as_object()
                .unwrap()
                .values()
                .next()
                .unwrap(),
            step => shape.get(step).unwrap_or_else(|| panic!("{place}")),
        })
}

fn keys(schema: &Value, place: &str) -> BTreeSet<String> {
    let shape = shape(schema, place);
    shape["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect()
}

fn found(text: &str) -> Vec<Diagnostic> {
    crate::read(text).diagnostics
}

/// The keys that a section says it knows.
fn known(text: &str) -> BTreeSet<String> {
    let found = found(text);
    let unknown = found
        .iter()
        .find(|found| found.code == Code::UnknownKey && found.message.contains(INVENTED))
        .unwrap_or_else(|| panic!("no M101 in\n{text}"));
    let help = unknown.help.as_deref().unwrap();
    let list = help.strip_prefix("known here: ").unwrap();
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn closed_sections_have_the_keys_of_the_schema() {
    let schema = json_schema();
    assert_eq!(
        known(&format!("{INVENTED} = 1\n{BASE}")),
        keys(&schema, ""),
        "the model"
    );
    for (header, place) in CLOSED {
        let text = format!("{BASE}[{header}]\n{INVENTED} = 1\n");
        assert_eq!(known(&text), keys(&schema, place), "[{header}]");
        assert_eq!(shape(&schema, place)["additionalProperties"], false);
    }
}

/// What a reader asks of an empty section.
fn asked(read: impl Fn(Name, &mut Section<'_>, &mut Findings)) -> BTreeSet<String> {
    let table = toml::de::DeTable::parse("").unwrap();
    let nowhere = Span { start: 0, end: 0 };
    let mut section = Section::new("", "x", nowhere, table.get_ref());
    read(
        Name::new("X".to_owned(), nowhere),
        &mut section,
        &mut Findings::default(),
    );
    section.asked().into_iter().map(str::to_owned).collect()
}

#[test]
fn sections_with_indexes_have_the_keys_of_the_schema() {
    let schema = json_schema();
    let [table, entity, access] = OPEN else {
        panic!("three of them");
    };
    let read = asked(|name, section, findings| drop(Table::read(name, section, findings)));
    assert_eq!(read, keys(&schema, table.1));
    let read = asked(|name, section, findings| drop(Entity::read(name, section, findings)));
    assert_eq!(read, keys(&schema, entity.1));
    let read = asked(|name, section, findings| drop(Access::read(name, section, findings)));
    assert_eq!(read, keys(&schema, access.1));
}

fn is_unknown(text: &str) -> bool {
    found(text)
        .iter()
        .any(|found| found.code == Code::UnknownKey)
}

#[test]
fn invented_keys_are_unknown_beside_indexes_too() {
    assert!(is_unknown(&format!(
        "{BASE}[entity.A]\nkey = [\"A\", \"A\"]\n{INVENTED} = \"x\"\n"
    )));
    assert!(is_unknown(&format!(
        "{BASE}[access.a]\n{INVENTED} = [\"x\"]\nreturns = [\"Thing\"]\n"
    )));
}

/// Layouts and `allow` do not list their keys, so every word of the language is tried.
#[test]
fn layouts_and_allow_have_the_keys_of_the_schema() {
    let schema = json_schema();
    let mut words = keys(&schema, "");
    for (_, place) in CLOSED.iter().chain(OPEN).chain([&LAYOUT, &ALLOW]) {
        words.extend(keys(&schema, place));
    }
    words.insert(INVENTED.to_owned());
    for ((header, place), value) in [(LAYOUT, "\"key\""), (ALLOW, "\"thingId = 'x'\"")] {
        let own = keys(&schema, place);
        for word in &words {
            let text = format!("{BASE}[{header}]\n{word} = {value}\n");
            assert_eq!(is_unknown(&text), !own.contains(word), "{header}.{word}");
        }
    }
}

/// Values of a shape, as TOML.
fn examples(shape: &Value) -> Vec<String> {
    if let Some(words) = shape["enum"].as_array() {
        return words.iter().map(Value::to_string).collect();
    }
    if !shape["const"].is_null() {
        return vec![shape["const"].to_string()];
    }
    let types = match &shape["type"] {
        Value::Array(types) => types.iter().collect(),
        one => vec![one],
    };
    let values = types.into_iter().flat_map(|name| match name.as_str() {
        Some("string") => vec!["\"text\""],
        Some("boolean") => vec!["true", "false"],
        Some("integer") => vec!["1"],
        Some("array") => vec!["[]"],
        Some("object") => vec!["{}"],
        other => panic!("{other:?} in {shape}"),
    });
    values.map(str::to_owned).collect()
}

/// Whether the reader wants a value of another kind.
fn wrong_kind(text: &str) -> bool {
    let wants = |found: &Diagnostic| {
        found.code == Code::WrongKind && found.message.contains("; it must be")
    };
    found(text)
        .iter()
        .any(|found| wants(found) || found.code == Code::UnknownVersion)
}

#[test]
fn values_are_of_the_kinds_of_the_schema() {
    let schema = json_schema();
    for (header, place) in CLOSED.iter().chain(OPEN).chain([&LAYOUT, &ALLOW]) {
        let shape = self::shape(&schema, place);
        for (key, shape) in shape["properties"].as_object().unwrap() {
            let text = |value: &str| format!("{BASE}[{header}]\n{key} = {value}\n");
            for value in examples(shape) {
                assert!(!wrong_kind(&text(&value)), "[{header}] {key} = {value}");
            }
            // No key of a model is a date.
            assert!(wrong_kind(&text("1979-05-27")), "[{header}] {key}");
        }
    }
}

/// Lines with a word, and where the schema lists the words.
const WORDS: &[(&str, &str)] = &[
    ("[table.T]\nkey = [\"A\"]\nstream = $", "table//stream"),
    (
        "[entity.E]\nkey = [\"A\", \"A\"]\non_exists = $",
        "entity//on_exists",
    ),
    (
        "[entity.E]\nkey = [\"A\", \"A\"]\nwrites = [$]",
        "entity//writes",
    ),
    (
        "[entity.E]\nkey = [\"A\", \"A\"]\nvolume = $",
        "entity//volume",
    ),
    ("[entity.E]\nkey = [\"A\", \"A\"]\nalso = $", "entity//also"),
    (
        "[access.a]\nunion = [\"thing\"]\norder = $",
        "access//order",
    ),
    (
        "[check.c]\nof = \"Thing\"\nmust = \"size(thingId) > 1\"\non = [$]",
        "check//on",
    ),
    (
        "[check.c]\nof = \"Thing\"\nvalue = \"thingId\"\namong = \"thing.thingId\"\nnone = $",
        "check//none",
    ),
    (
        "[grant.g]\nof = [\"*\"]\naccess = \"thing\"\nallows = \"x\"\nnone = $",
        "grant//none",
    ),
    (
        "[audit.a]\nof = [\"Thing\"]\nentity = \"Thing\"\non = [$]",
        "audit//on",
    ),
];

#[test]
fn words_are_those_of_the_schema() {
    let schema = json_schema();
    for (lines, place) in WORDS {
        let place = format!(
            "/properties/{}",
            place.replace("//", "/additionalProperties/properties/")
        );
        let shape = self::shape(&schema, &place);
        let words = shape.pointer("/items/enum").or(shape.get("enum")).unwrap();
        let reads = |word: &str| {
            let text = format!("{BASE}{}\n", lines.replace('$', &format!("{word:?}")));
            !found(&text).iter().any(Diagnostic::is_error)
        };
        for word in words.as_array().unwrap() {
            assert!(reads(word.as_str().unwrap()), "{place} {word}");
        }
        assert!(!reads(INVENTED), "{place}");
    }
}

fn properties<'s>(shape: &'s Value, found: &mut Vec<(&'s String, &'s Value)>) {
    match shape {
        Value::Object(object) => {
            let own = object.get("properties").and_then(Value::as_object);
            found.extend(own.into_iter().flatten());
            object.values().for_each(|inner| properties(inner, found));
        }
        Value::Array(shapes) => shapes.iter().for_each(|inner| properties(inner, found)),
        _ => {}
    }
}

#[test]
fn every_key_has_a_sentence() {
    let schema = json_schema();
    let mut all = Vec::new();
    properties(&schema, &mut all);
    assert!(all.len() > 150, "{}", all.len());
    for (key, shape) in all {
        let about = shape["description"].as_str().unwrap_or_default();
        assert!(about.ends_with('.') && about.len() > 10, "{key}: {about:?}");
    }
}

#[test]
fn the_shipped_file_is_the_schema() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/model.schema.json");
    let text = format!("{:#}\n", json_schema());
    if std::env::var_os("MONOTABLE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let shipped = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        shipped == text,
        "docs/model.schema.json is not what the code says; \
         write it anew with `MONOTABLE_BLESS=1 cargo test -p monotable-model schema`"
    );
}
