//! Models that are found in items.

use crate::sandbox::Sandbox;
use monotable_model::compiled::{CompiledModel, StoredKey};
use monotable_model::model::{EntityId, KeyPlace, TableId};
use serde_json::Value;
use std::collections::BTreeMap;

/// A demo model, and what must be found of it, in percent: entities by name, by key templates, and by the shape of their keys. The
/// numbers are those that were measured.
struct Wanted {
    model: &'static str,
    names: usize,
    templates: usize,
    shapes: usize,
}

const WANTED: [Wanted; 5] = [
    Wanted {
        model: "processproof",
        names: 75,
        templates: 100,
        shapes: 100,
    },
    Wanted {
        model: "yggdrasil",
        names: 100,
        templates: 100,
        shapes: 100,
    },
    Wanted {
        model: "authorization",
        names: 100,
        templates: 100,
        shapes: 100,
    },
    Wanted {
        model: "formkiq",
        names: 25,
        templates: 52,
        shapes: 79,
    },
    Wanted {
        model: "values",
        names: 44,
        templates: 0,
        shapes: 100,
    },
];

/// A stored item: its table, and its texts.
struct Stored {
    table: String,
    item: Value,
}

impl Stored {
    fn text(&self, name: &str) -> Option<&str> {
        self.item.get(name)?.get("S")?.as_str()
    }
}

/// A model and the keys that it recognises.
struct Reader {
    model: CompiledModel,
}

impl Reader {
    fn new(text: &str) -> Self {
        let model = monotable_model::read(text)
            .model
            .expect("a model that can be read");
        Self {
            model: CompiledModel::new(model),
        }
    }

    fn recognise(&self, stored: &Stored) -> Option<EntityId> {
        let tables: Vec<TableId> = self
            .model
            .model()
            .tables()
            .filter(|(_, table)| table.physical == stored.table)
            .map(|(id, _)| id)
            .collect();
        let table = *tables.first()?;
        let declared = self.model.model().table(table);
        let hash = stored.text(&declared.hash.value)?;
        let range = declared
            .range
            .as_ref()
            .and_then(|range| stored.text(&range.value));
        // With and without the prefix of a tenant.
        let bare = hash.split_once('/').map_or(hash, |(_, rest)| rest);
        [hash, bare].into_iter().find_map(|hash| {
            let key = StoredKey { hash, range };
            let found = self.model.recognise(table, key, |name| stored.text(name))?;
            Some(found.entity)
        })
    }

    fn name(&self, entity: EntityId) -> String {
        self.model.model().entity(entity).name.value.clone()
    }

    fn key(&self, entity: EntityId) -> (String, String) {
        let keys = &self.model.entity(entity).unwrap().keys;
        let key = keys
            .iter()
            .find(|key| key.place == KeyPlace::Primary)
            .unwrap();
        let range = key.range.as_ref();
        let range = range.map(|range| self.as_stored(entity, &range.template().text));
        let hash = self.as_stored(entity, &key.hash.template().text);
        (hash, range.unwrap_or_default())
    }

    /// A template with the names that attributes have in the table: items show no others.
    fn as_stored(&self, entity: EntityId, text: &str) -> String {
        let mut text = text.to_owned();
        for attribute in &self.model.model().entity(entity).attributes {
            for end in ["}", ":", "|"] {
                let shown = format!("{{{}{end}", attribute.name.value);
                text = text.replace(&shown, &format!("{{{}{end}", attribute.stored));
            }
        }
        text
    }
}

/// A template without the names of attributes and their formats.
fn shape((hash, range): &(String, String)) -> (String, String) {
    let plain = |text: &str| {
        let mut shown = String::new();
        let mut depth = 0;
        for character in text.chars() {
            match character {
                '{' => {
                    depth += 1;
                    shown.push('{');
                }
                '}' => {
                    depth -= 1;
                    shown.push('}');
                }
                other if depth == 0 => shown.push(other),
                _ => {}
            }
        }
        shown
    };
    (plain(hash), plain(range))
}

#[test]
fn the_five_models_are_found_in_their_sample_data() {
    for wanted in WANTED {
        let sandbox = Sandbox::new();
        let name = wanted.model;
        sandbox
            .run(&["seed", "-m", name, "--store", "s"])
            .succeeded();
        let found = sandbox
            .run(&["infer", "--store", "s", "--out", "found.toml"])
            .succeeded();
        let last = found.stderr.lines().last().unwrap_or_default().to_owned();
        assert!(
            last.contains(" 0 items that the model does not know"),
            "{name}: {}",
            found.stderr
        );
        let original = sandbox
            .run(&["backup", "-m", name, "--store", "s", "-"])
            .succeeded();
        let text = std::fs::read_to_string(sandbox.path().join("found.toml")).unwrap();
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        let model = std::fs::read_to_string(format!("{root}/{name}/model.toml")).unwrap();
        let shares = compare(&Reader::new(&model), &Reader::new(&text), &original.stdout);
        println!("{name}: {shares:?}; {last}");
        assert!(shares.entities > 0, "{name} has no rows");
        assert!(shares.names >= wanted.names, "{name}: {shares:?}");
        assert!(shares.templates >= wanted.templates, "{name}: {shares:?}");
        assert!(shares.shapes >= wanted.shapes, "{name}: {shares:?}");
    }
}

/// What was found of a model, in percent of the entities that the sample has rows of.
#[derive(Debug)]
struct Shares {
    entities: usize,
    names: usize,
    templates: usize,
    shapes: usize,
}

fn compare(original: &Reader, found: &Reader, lines: &str) -> Shares {
    let mut matches: BTreeMap<String, BTreeMap<String, (EntityId, EntityId, usize)>> =
        BTreeMap::new();
    for line in lines.lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let stored = Stored {
            table: line["table"].as_str().unwrap().to_owned(),
            item: line["item"].take(),
        };
        if stored.item.to_string().contains("\"monotable#store\"") {
            continue;
        }
        let recognised = found.recognise(&stored);
        let recognised = recognised.unwrap_or_else(|| panic!("nothing found is {}", stored.item));
        // Guards are rows of no entity of the original.
        let Some(entity) = original.recognise(&stored) else {
            continue;
        };
        let known = matches.entry(original.name(entity)).or_default();
        let entry = known
            .entry(found.name(recognised))
            .or_insert((entity, recognised, 0));
        entry.2 += 1;
    }
    let total = matches.len();
    let best: Vec<(EntityId, EntityId)> = matches
        .values()
        .filter_map(|known| known.values().max_by_key(|(_, _, rows)| *rows))
        .map(|(entity, recognised, _)| (*entity, *recognised))
        .collect();
    let percent = |is: &dyn Fn(EntityId, EntityId) -> bool| {
        let count = best.iter().filter(|(one, other)| is(*one, *other)).count();
        count * 100 / total.max(1)
    };
    Shares {
        entities: total,
        names: percent(&|one, other| original.name(one) == found.name(other)),
        templates: percent(&|one, other| original.key(one) == found.key(other)),
        shapes: percent(&|one, other| shape(&original.key(one)) == shape(&found.key(other))),
    }
}

/// Users and their orders, as lines that other tools write.
const LINES: &str = r#"{"PK":{"S":"USER#ann"},"SK":{"S":"PROFILE"},"userId":{"S":"ann"},"type":{"S":"User"}}
{"Item":{"PK":{"S":"USER#bo"},"SK":{"S":"PROFILE"},"userId":{"S":"bo"},"type":{"S":"User"},"seen":{"NULL":true}}}
{"PK":{"S":"USER#ann"},"SK":{"S":"ORDER#00042"},"userId":{"S":"ann"},"number":{"N":"42"},"type":{"S":"Order"}}
{"PK":{"S":"USER#bo"},"SK":{"S":"ORDER#00007"},"userId":{"S":"bo"},"number":{"N":"7"},"type":{"S":"Order"},"paid":{"BOOL":true}}
"#;

#[test]
fn lines_of_items_show_entities_keys_and_types() {
    let sandbox = Sandbox::new();
    sandbox.write("items.jsonl", LINES);
    let found = sandbox.run(&["infer", "items.jsonl"]).succeeded();
    let squeezed = found
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    for wanted in [
        r#"is = { type = "Order" }"#,
        r##"key = ["USER#{userId}", "ORDER#{number:05}"]"##,
        r#"number = "integer(0..99999), immutable""#,
        r#"paid = "boolean?""#,
        r##"key = ["USER#{userId}", "ORDER#*"]"##,
        "All its values are ids of User",
    ] {
        assert!(squeezed.contains(wanted), "{wanted}\n{}", found.stdout);
    }
    assert_eq!(
        found.stdout,
        sandbox.run(&["infer", "items.jsonl"]).succeeded().stdout
    );
}

#[test]
fn a_limited_sample_is_said_to_be_one() {
    let sandbox = Sandbox::new();
    sandbox.write("items.jsonl", LINES);
    let found = sandbox
        .run(&["infer", "items.jsonl", "--limit", "2"])
        .succeeded();
    assert!(
        found.stderr.contains("--limit takes more"),
        "{}",
        found.stderr
    );
    assert!(!found.stdout.contains("Order"), "{}", found.stdout);
}

#[test]
fn bad_lines_and_keys_are_refused_with_what_to_do() {
    let sandbox = Sandbox::new();
    sandbox.write("bad.jsonl", "{\"PK\":{\"S\":\"a\"}}\n{\"PK\":5}\n");
    let refused = sandbox.run(&["infer", "bad.jsonl"]);
    assert_eq!(refused.code, Some(253), "{refused:?}");
    assert!(refused.stderr.contains("line 2"), "{}", refused.stderr);
    sandbox.write("strange.jsonl", "{\"artist\":{\"S\":\"a\"}}\n");
    let refused = sandbox.run(&["infer", "strange.jsonl"]);
    assert!(refused.stderr.contains("--key PK,SK"), "{}", refused.stderr);
    sandbox
        .run(&["infer", "strange.jsonl", "--key", "artist"])
        .succeeded();
    let empty = sandbox.run(&["infer", "--store", "nowhere"]);
    assert_ne!(empty.code, Some(0));
}

#[test]
fn a_table_that_was_only_set_up_has_nothing_to_find() {
    let sandbox = Sandbox::new();
    sandbox.run(&["setup", "-m", "yggdrasil"]).succeeded();
    sandbox
        .run(&["infer", "--store", "data", "--out", "found.toml"])
        .failed(254, "there is no item to find a model in");
    assert!(!sandbox.path().join("found.toml").exists());
}

#[test]
fn marks_and_keys_of_other_programs_are_borne() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "items.jsonl",
        format!("\u{feff}{}", LINES.replace('\n', "\r\n")),
    );
    let found = sandbox.run(&["infer", "items.jsonl"]).succeeded();
    assert!(found.stdout.contains("[entity.Order]"), "{}", found.stdout);
    let lines = r#"{"PK":{"S":"N#1"},"SK":{"S":"N"},"n":{"S":"1"}}
{"PK":{"N":"5"},"SK":{"S":"N"},"n":{"S":"2"}}
"#;
    sandbox.write("numbers.jsonl", lines);
    let found = sandbox
        .run(&["infer", "numbers.jsonl", "--key", "PK,SK"])
        .succeeded();
    for told in [
        "nothing is found in 1 item of numbers",
        "1 row of entities, 1 item that the model does not know",
    ] {
        assert!(found.stderr.contains(told), "{told}: {}", found.stderr);
    }
}
