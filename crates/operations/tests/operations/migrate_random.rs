//! Random pairs of models: what a plan calls compatible is compatible for programs of both versions that run at once, and what it
//! says breaks has a row that really breaks. `MONOTABLE_CASES` sets how many pairs are tried.

use crate::shop;
use fastrand::Rng;
use monotable_engine::Engine;
use monotable_item::{AttributeValue, Item, Number};
use monotable_migrate::{
    Counterexample, Difference, Finding, Plan, RowExample, SideBySide, Verdict,
};
use monotable_model::model::Model;
use monotable_operations::{Journal, MigrationOptions, Migrator, OldPrograms};
use monotable_store::{Change, Store, VerifyOptions};

/// A type, a default of it, and values.
struct Type {
    text: &'static str,
    default: &'static str,
    values: &'static [&'static str],
}

const TYPES: &[Type] = &[
    Type {
        text: "text(1..5)",
        default: "'d'",
        values: &["a", "bb", "ccccc"],
    },
    Type {
        text: "text(1..9)",
        default: "'d'",
        values: &["a", "bb", "nine_char"],
    },
    Type {
        text: "integer(0..9)",
        default: "3",
        values: &["0", "9", "4"],
    },
    Type {
        text: "integer(0..99)",
        default: "3",
        values: &["0", "99", "4"],
    },
    Type {
        text: "x | y",
        default: "x",
        values: &["x", "y"],
    },
    Type {
        text: "x | y | z",
        default: "x",
        values: &["x", "y", "z"],
    },
    Type {
        text: "boolean",
        default: "false",
        values: &["true", "false"],
    },
];

#[derive(Clone, Debug, PartialEq)]
struct Attribute {
    kind: usize,
    is_optional: bool,
    has_default: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Design {
    /// The attributes a, b and c, as far as there are any.
    attributes: [Option<Attribute>; 3],
    /// What stands in the sort key.
    sort: &'static str,
    has_layout: bool,
    has_index: bool,
    is_unique: bool,
}

const NAMES: [&str; 3] = ["a", "b", "c"];

fn random_attribute(random: &mut Rng) -> Option<Attribute> {
    (random.u8(0..4) > 0).then(|| Attribute {
        kind: random.usize(0..TYPES.len()),
        is_optional: random.bool(),
        has_default: random.bool(),
    })
}

fn random_design(random: &mut Rng) -> Design {
    Design {
        attributes: [
            random_attribute(random),
            random_attribute(random),
            random_attribute(random),
        ],
        sort: "THING",
        has_layout: false,
        has_index: random.bool(),
        is_unique: random.u8(0..4) == 0,
    }
}

/// Another version of a design: one or two things differ.
fn change_design(random: &mut Rng, old: &Design) -> Design {
    let mut new = old.clone();
    for _ in 0..random.usize(1..3) {
        match random.u8(0..8) {
            0..=3 => {
                let at = random.usize(0..3);
                new.attributes[at] = random_attribute(random);
            }
            4 => new.has_index = !new.has_index,
            5 => new.is_unique = !new.is_unique,
            _ => {
                new.sort = "ITEM";
                new.has_layout = random.bool();
            }
        }
    }
    new
}

impl Design {
    fn is_text(&self, at: usize) -> bool {
        self.attributes[at]
            .as_ref()
            .is_some_and(|known| TYPES[known.kind].text != "boolean")
    }

    /// Whether no two rows may have the same `b`.
    fn guards_b(&self) -> bool {
        self.is_unique && self.is_text(1)
    }

    fn to_toml(&self) -> String {
        let mut text =
            "monotable = 1\nmodel = \"random\"\n\n[table.Shop]\nkey = [\"PK\", \"SK\"]\n"
                .to_owned();
        if self.has_index {
            text += "GSI1 = [\"GSI1PK\", \"GSI1SK\"]\n";
        }
        text += &format!(
            "\n[entity.Thing]\nkey = [\"T#{{id}}\", \"{}\"]\n",
            self.sort
        );
        let shows = if self.is_text(0) { "A#{a}" } else { "ALL" };
        if self.has_index {
            text += &format!("GSI1 = [\"{shows}\", \"{{id}}\"]\n");
        }
        if self.has_layout {
            text += "\n[entity.Thing.layout.before]\nkey = [\"T#{id}\", \"THING\"]\n";
        }
        if self.guards_b() {
            text += "\n[entity.Thing.unique.b]\nkey = \"B#{b}\"\n";
        }
        text += "\n[entity.Thing.attributes]\nid = \"text, matches = /[a-z0-9]{1,8}/\"\n";
        for (name, attribute) in NAMES.iter().zip(&self.attributes) {
            if let Some(attribute) = attribute {
                let kind = &TYPES[attribute.kind];
                let optional = if attribute.is_optional { "?" } else { "" };
                let mut line = format!("{}{optional}", kind.text);
                if attribute.has_default && !attribute.is_optional {
                    line += &format!(", default = {}", kind.default);
                }
                text += &format!("{name} = \"{line}\"\n");
            }
        }
        text += &format!(
            "\n[access.thing]\nkey = [\"T#{{id}}\", \"{}\"]\nreturns = [\"Thing\"]\n",
            self.sort
        );
        if self.has_index {
            text += &format!("\n[access.by_index]\nGSI1 = [\"{shows}\"]\nreturns = [\"Thing\"]\n");
        }
        text
    }

    fn random_values(&self, random: &mut Rng, id: &str) -> Item {
        let mut item = Item::new().with("id", id);
        for (at, name) in NAMES.iter().enumerate() {
            let Some(attribute) = &self.attributes[at] else {
                continue;
            };
            let may_lack = attribute.is_optional || attribute.has_default;
            if may_lack && random.bool() {
                continue;
            }
            item.insert(*name, self.random_value(random, at, id));
        }
        item
    }

    fn random_value(&self, random: &mut Rng, at: usize, _: &str) -> AttributeValue {
        let kind = &TYPES[self.attributes[at].as_ref().unwrap().kind];
        let text = kind.values[random.usize(0..kind.values.len())];
        typed(kind.text, text)
    }
}

fn typed(kind: &str, text: &str) -> AttributeValue {
    if kind.starts_with("integer") {
        AttributeValue::N(text.parse::<Number>().unwrap())
    } else if kind == "boolean" {
        AttributeValue::Bool(text == "true")
    } else {
        AttributeValue::S(text.to_owned())
    }
}

fn read(text: &str) -> Option<Model> {
    monotable_model::read(text).model
}

fn key(id: &str) -> Item {
    Item::new().with("id", id)
}

/// Programs of both versions write and read the same rows in turn.
async fn run_both(random: &mut Rng, versions: [(&Design, &Store); 2], is_compatible: bool) {
    let mut ids: Vec<String> = Vec::new();
    for step in 0..12 {
        let (design, writer) = versions[random.usize(0..2)];
        if ids.is_empty() || random.bool() {
            let id = format!("n{step}");
            let created = writer
                .create("Thing", design.random_values(random, &id))
                .await;
            // A unique value may be taken; nothing else is in the way.
            match created {
                Ok(_) => ids.push(id),
                Err(error) => assert!(error.to_string().contains('b'), "{error}"),
            }
        } else {
            let id = ids[random.usize(0..ids.len())].clone();
            let at = random.usize(0..3);
            if design.attributes[at].is_some() {
                let set = Item::new().with(NAMES[at], design.random_value(random, at, &id));
                let change = Change {
                    set,
                    ..Change::default()
                };
                if let Err(error) = writer.update("Thing", key(&id), change).await {
                    // An update gives a row that lacks `b` the default, which may be taken as well.
                    let taken = error.to_string();
                    assert!(design.guards_b() && taken.contains("`b`"), "{taken}");
                }
            }
        }
        for id in &ids {
            let mut seen = Vec::new();
            for (design, reader) in versions {
                let row = reader.get("Thing", key(id)).await.unwrap();
                if is_compatible {
                    for (at, name) in NAMES.iter().enumerate() {
                        let is_required = design.attributes[at]
                            .as_ref()
                            .is_some_and(|known| !known.is_optional);
                        assert!(
                            !is_required || row.values.get(name).is_some(),
                            "{name} of {id}"
                        );
                    }
                }
                seen.push((design, row));
            }
            let [(first_design, first), (second_design, second)] = seen.as_slice() else {
                panic!()
            };
            for (at, name) in NAMES.iter().enumerate() {
                if first_design.attributes[at].is_some() && second_design.attributes[at].is_some() {
                    assert_eq!(
                        first.values.get(name),
                        second.values.get(name),
                        "{name} of {id}"
                    );
                }
            }
        }
    }
}

fn item_of(row: &RowExample) -> Item {
    let mut item = Item::new();
    for (name, value) in &row.values {
        let value = match value {
            serde_json::Value::String(text) => AttributeValue::S(text.clone()),
            serde_json::Value::Bool(flag) => AttributeValue::Bool(*flag),
            serde_json::Value::Number(number) => {
                AttributeValue::N(number.to_string().parse().unwrap())
            }
            other => panic!("{other}"),
        };
        item.insert(name.clone(), value);
    }
    item
}

/// Whether a reader fails on the row that a counterexample shows, as the writer writes it.
async fn really_breaks(writer: (&str, &Design), reader: (&str, &Design), row: &RowExample) -> bool {
    let engine = Engine::in_memory().unwrap();
    let (writes, reads) = (
        shop::store_of(writer.0, engine.clone()),
        shop::store_of(reader.0, engine.clone()),
    );
    writes.setup().await.unwrap();
    reads.add_indexes(&|_| {}).await.unwrap();
    let item = item_of(row);
    let Some(AttributeValue::S(id)) = item.get("id").cloned() else {
        panic!("{row:?}")
    };
    let written = writes.create("Thing", item.clone()).await;
    assert!(
        written.is_ok(),
        "the row cannot be: {row:?} {:?}",
        written.err().map(|error| error.to_string())
    );
    let Ok(found) = reads.get("Thing", key(&id)).await else {
        return true;
    };
    let lacks = NAMES.iter().enumerate().any(|(at, name)| {
        let is_required = reader.1.attributes[at]
            .as_ref()
            .is_some_and(|known| !known.is_optional);
        is_required && found.values.get(name).is_none()
    });
    let differs = item.iter().any(|(name, value)| {
        let at = NAMES.iter().position(|known| known == name);
        at.is_some_and(|at| reader.1.attributes[at].is_some())
            && found.values.get(name) != Some(value)
    });
    // Before the update, which writes the keys of the row anew.
    let misses = if reader.1.has_index {
        let shown = if reader.1.is_text(0) {
            found
                .values
                .get("a")
                .cloned()
                .map(|a| Item::new().with("a", a))
        } else {
            Some(Item::new())
        };
        match shown {
            Some(parameters) => reads
                .query("by_index", parameters)
                .await
                .map_or(true, |page| page.rows.is_empty()),
            None => false,
        }
    } else {
        false
    };
    let is_refused = reads
        .update("Thing", key(&id), Change::default())
        .await
        .is_err();
    let verified = reads.verify().await.unwrap();
    // The old version guards a value of which the new one writes no guard, or the other way round.
    let twin = reads
        .create("Thing", {
            // With what the reader knows: it refuses other attributes, whatever is guarded.
            let mut twin = Item::new().with("id", "twin");
            for (at, name) in NAMES.iter().enumerate() {
                if let (Some(_), Some(value)) = (&reader.1.attributes[at], item.get(name)) {
                    twin.insert(*name, value.clone());
                }
            }
            twin
        })
        .await;
    let is_unguarded = [reader.1, writer.1].iter().any(|design| design.guards_b())
        && item.get("b").is_some()
        && twin.is_ok();
    lacks || differs || is_refused || !verified.violations.is_empty() || misses || is_unguarded
}

fn counterexample(finding: &Finding) -> Option<&Counterexample> {
    match finding {
        Finding::Breaks { counterexample, .. } => Some(counterexample),
        _ => None,
    }
}

/// Whether a run refuses a store of these two rows and nothing else, and takes one that has the first alone.
async fn two_rows_break(old: &str, new: &str, [row, beside]: [&RowExample; 2]) -> bool {
    let engine = Engine::in_memory().unwrap();
    let (writes, reads) = (
        shop::store_of(old, engine.clone()),
        shop::store_of(new, engine.clone()),
    );
    writes.setup().await.unwrap();
    let plan = Plan::new(&read(old).unwrap(), &read(new).unwrap(), None);
    let migrator = Migrator::new(&writes, &reads, &plan);
    writes.create("Thing", item_of(row)).await.unwrap();
    let alone = migrator.inspect(&|_, _| {}).await.unwrap();
    writes.create("Thing", item_of(beside)).await.unwrap();
    let both = migrator.inspect(&|_, _| {}).await.unwrap();
    alone.refused.is_empty() && !both.refused.is_empty()
}

#[tokio::test]
async fn plans_are_right_about_programs_of_both_versions() {
    let cases = std::env::var("MONOTABLE_CASES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(150);
    let (mut together, mut broken) = (0, 0);
    for seed in 0..cases {
        let mut random = Rng::with_seed(seed);
        let old = random_design(&mut random);
        let new = change_design(&mut random, &old);
        let (old_text, new_text) = (old.to_toml(), new.to_toml());
        let (Some(old_model), Some(new_model)) = (read(&old_text), read(&new_text)) else {
            continue;
        };
        let plan = Plan::new(&old_model, &new_model, None);
        let context = format!(
            "seed {seed}\n{old_text}\n{new_text}\n{:#?}",
            plan.differences
        );
        for difference in &plan.differences {
            if let Some(found) = counterexample(&difference.stored_rows) {
                broken += 1;
                let breaks = match &found.beside {
                    Some(beside) => {
                        two_rows_break(&old_text, &new_text, [&found.row, beside]).await
                    }
                    None => really_breaks((&old_text, &old), (&new_text, &new), &found.row).await,
                };
                assert!(breaks, "stored rows of {}: {context}", difference.subject);
            }
            if let Some(found) = counterexample(&difference.old_programs) {
                broken += 1;
                let breaks = really_breaks((&new_text, &new), (&old_text, &old), &found.row).await;
                assert!(breaks, "old programs of {}: {context}", difference.subject);
            }
        }
        let fits = |difference: &Difference| difference.stored_rows.verdict() <= Verdict::Backfill;
        if plan.side_by_side != SideBySide::Together || !plan.differences.iter().all(fits) {
            continue;
        }
        together += 1;
        let engine = Engine::in_memory().unwrap();
        let old_store = shop::store_of(&old_text, engine.clone());
        old_store.setup().await.unwrap();
        let new_store = shop::store_of(&new_text, engine.clone());
        new_store.add_indexes(&|_| {}).await.unwrap();
        let is_compatible = plan.is_compatible();
        run_both(
            &mut random,
            [(&old, &old_store), (&new, &new_store)],
            is_compatible,
        )
        .await;
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(&folder.path().join("journal"), "random").unwrap();
        let options = MigrationOptions {
            old_programs: OldPrograms::Stopped,
            backup: None,
            on_demand: None,
            cleans_up: false,
            verify: VerifyOptions::default(),
            now: jiff::Timestamp::UNIX_EPOCH,
        };
        let migrator = Migrator::new(&old_store, &new_store, &plan);
        let ran = migrator.run(&mut journal, &options, &|_, _| {}).await;
        if let Err(error) = ran {
            // Two rows of the old version may have a value that is unique now.
            assert!(new.guards_b() && !old.guards_b(), "{error} {context}");
            continue;
        }
        let found = new_store.verify().await.unwrap();
        assert!(
            found.violations.is_empty(),
            "{:?} {context}",
            found.violations
        );
    }
    assert!(
        together > cases / 20 && broken > cases / 20,
        "{together} {broken} of {cases}"
    );
}
