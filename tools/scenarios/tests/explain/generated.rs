//! Patterns of generated models, asked with parameters of generated rows and held against their plans.
//!
//! A model has a parent and a few entities, whose keys, indexes and patterns are chosen by chance from what the language has.
//! `MONOTABLE_SEED` sets another beginning, `MONOTABLE_CASES` how many models there are.

use super::plans::{Asked, Compared};
use super::recorder::Recorder;
use fastrand::Rng;
use monotable_item::{AttributeValue, Item, Number};
use monotable_model::model::{Access, Mode, Model};
use monotable_model::plan::Plans;
use monotable_store::Store;
use std::fmt::Write;

/// How many rows each entity has.
const ROWS: usize = 6;

/// Asks every pattern of so many models.
pub(crate) async fn compare(count: usize) -> Compared {
    let seed = std::env::var("MONOTABLE_SEED").ok();
    let mut random = Rng::with_seed(seed.and_then(|text| text.parse().ok()).unwrap_or(11));
    let mut compared = Compared::default();
    for number in 0..count {
        let text = model_text(&mut random);
        let checked = monotable_check::check(&text);
        let Some(model) = checked.model else {
            panic!(
                "a generated model is refused: {:?}\n{text}",
                checked.diagnostics
            );
        };
        let name = format!("model {number}\n{text}\n");
        compare_model(&name, model, &mut random, &mut compared).await;
    }
    compared
}

async fn compare_model(name: &str, model: Model, random: &mut Rng, compared: &mut Compared) {
    let recorder = Recorder::new();
    let store = Store::new(model, recorder.clone());
    store.setup().await.unwrap();
    let rows = create_rows(&store, random).await;
    let plans = Plans::new(store.model());
    let asked = Asked {
        model: name,
        store: &store,
        recorder: &recorder,
        plans: &plans,
    };
    for (id, access) in store.model().patterns() {
        for _ in 0..2 {
            let whole = parameters(access, &rows, random);
            asked.compare(id, access, &whole, compared).await;
        }
    }
}

fn choose<'c>(random: &mut Rng, choices: &[&'c str]) -> &'c str {
    choices[random.usize(..choices.len())]
}

/// A model, by chance.
fn model_text(random: &mut Rng) -> String {
    let project = choose(random, &["\"all\"", "\"keys\"", "[\"a\", \"b\"]"]);
    let mut text = format!(
        r#"monotable = 1
model = "generated"

[type]
word = "text, matches = /[a-z]{{1,6}}/"

[table.Main]
key  = ["PK", "SK"]
GSI1 = {{ key = ["GSI1PK", "GSI1SK"], project = {project} }}
GSI2 = ["GSI2PK", "GSI2SK"]
GSI3 = {{ key = [["GSI3PK", "b"], ["n", "at", "GSI3SK"]], project = {project} }}

[entity.Parent]
key = ["P#{{parentId}}", "P"]

[entity.Parent.attributes]
parentId = "word"
title    = "text?"

[access.parent]
key     = ["P#{{parentId}}", "P"]
returns = ["Parent"]
"#
    );
    for number in 0..random.usize(1..4) {
        Entity::choose(number, random).write(&mut text, random);
    }
    text
}

/// An entity in the making.
struct Entity {
    name: String,
    partition: String,
    /// What follows the entity's own word in the sort key.
    sort: [&'static str; 2],
    by_day: bool,
    is_unique: bool,
    is_sparse: bool,
    /// What ends the sort key in the index of several attributes.
    last: &'static str,
}

impl Entity {
    fn choose(number: usize, random: &mut Rng) -> Self {
        let name = format!("E{number}");
        let partition = if random.bool() {
            "P#{parentId}".to_owned()
        } else {
            format!("{name}#{{a}}")
        };
        let sorts = [["{n:05}", "{b}"], ["{b}", "{n:05}"], ["{at}", "{b}"]];
        Self {
            sort: sorts[random.usize(..sorts.len())],
            name,
            partition,
            by_day: random.bool(),
            is_unique: random.bool(),
            is_sparse: random.bool(),
            last: choose(random, &["{a}", "{c}"]),
        }
    }

    fn write(&self, text: &mut String, random: &mut Rng) {
        let Self {
            name,
            partition,
            sort: [first, second],
            last,
            ..
        } = self;
        let day = if self.by_day {
            format!("{name}D#{{at:date}}")
        } else {
            format!("{name}A#{{a}}")
        };
        let when = if self.is_sparse {
            "when.GSI2 = \"attribute_exists(c)\"\n"
        } else {
            ""
        };
        let unique = if self.is_unique {
            format!("\n[entity.{name}.unique]\nu = \"unique#{name}#{{u}}\"\n")
        } else {
            String::new()
        };
        write!(
            text,
            r#"
[entity.{name}]
key  = ["{partition}", "{name}#{first}#{second}"]
GSI1 = ["{day}", "{{at}}#{{b}}#{{n:05}}"]
GSI2 = ["{name}B#{{b}}", "{{n:05}}#{{a}}#{{at}}"]
GSI3 = [["{name}G#{{a}}", "{{b}}"], ["{{n}}", "{{at}}", "S#{last}#{{u}}"]]
{when}
[entity.{name}.attributes]
parentId = "-> Parent, on_delete = keep"
a        = "word"
b        = "word"
c        = "word?"
u        = "word"
n        = "integer(0..99999), immutable"
at       = "timestamp"
{unique}"#
        )
        .unwrap();
        self.write_patterns(text, random);
    }

    fn write_patterns(&self, text: &mut String, random: &mut Rng) {
        let Self {
            name,
            partition,
            sort: [first, second],
            ..
        } = self;
        let field = first.trim_start_matches('{').trim_end_matches('}');
        let mut patterns = vec![
            format!(r#"key = ["{partition}", "{name}#{first}#{second}"]"#),
            format!(r#"key = ["{partition}", "{name}#*"]"#),
            format!(r#"key = ["{partition}", "{name}#{first}#*"]"#),
            format!(r#"GSI2 = ["{name}B#{{b}}"]"#),
            format!(r#"GSI2 = ["{name}B#{{b}}", "{{n:05..}}"]"#),
        ];
        if !field.starts_with('b') {
            patterns.push(format!(r#"key = ["{partition}", "{name}#{{{field}..}}"]"#));
        } else {
            patterns.push(format!(r#"key = ["{partition}", "{name}#{{b?}}#*"]"#));
        }
        if self.by_day {
            patterns.push(format!(r#"GSI1 = ["{name}D#{{at:date}}"]"#));
            patterns.push(format!(r#"GSI1 = ["{name}D#{{at:date..}}", "{{at..}}"]"#));
        } else {
            patterns.push(format!(r#"GSI1 = ["{name}A#{{a}}"]"#));
            patterns.push(format!(r#"GSI1 = ["{name}A#{{a}}", "{{at..}}"]"#));
        }
        let partition = format!(r#"["{name}G#{{a}}", "{{b}}"]"#);
        let sorts = [
            String::new(),
            r#", "{n}""#.to_owned(),
            r#", "{n..}""#.to_owned(),
            r#", ["{n}", "{at..}"]"#.to_owned(),
            r#", ["{n}", "{at}", "S#*"]"#.to_owned(),
            // Rows may lack `c`.
            format!(
                r#", ["{{n}}", "{{at}}", "S#{}#*"]"#,
                self.last.replace("{c}", "{c?}")
            ),
        ];
        patterns.extend(sorts.map(|sort| format!("GSI3 = [{partition}{sort}]")));
        for (number, key) in patterns.iter().enumerate() {
            let more = decoration(random, key);
            let own = format!("{}_{number}", name.to_lowercase());
            write!(
                text,
                "\n[access.{own}]\n{key}\nreturns = [\"{name}\"]\n{more}"
            )
            .unwrap();
        }
        let own = name.to_lowercase();
        write!(
            text,
            "\n[access.{own}_union]\nunion = [\"{own}_3\", \"{own}_2\"]\nreturns = [\"{name}\"]\n"
        )
        .unwrap();
    }
}

/// What a pattern says beside its key.
fn decoration(random: &mut Rng, key: &str) -> &'static str {
    let is_table = key.starts_with("key");
    let choices: &[&str] = if is_table {
        &[
            "",
            "order = \"desc\"\n",
            "limit = 3\n",
            "consistent = true\n",
            "only = [\"a\"]\n",
            "follow = \"parentId\"\n",
            "filter = \"n > 100\"\n",
        ]
    } else {
        &[
            "",
            "order = \"desc\"\n",
            "limit = 2\n",
            "only = [\"a\", \"c\"]\n",
            "follow = \"parentId\"\n",
            "filter = \"attribute_exists(c)\"\n",
            "sort = [\"n\"]\n",
        ]
    };
    // The first is a whole key, which has no order.
    let is_whole = is_table && !key.contains('*') && !key.contains("..");
    let fits = |choice: &&&str| {
        !is_whole
            || !["order", "limit"]
                .iter()
                .any(|word| choice.starts_with(word))
    };
    let fitting: Vec<_> = choices.iter().filter(fits).collect();
    fitting[random.usize(..fitting.len())]
}

/// Rows of every entity; the answer is their values.
async fn create_rows(store: &Store, random: &mut Rng) -> Vec<Item> {
    for parent in ["p", "q"] {
        let values = Item::new().with("parentId", parent);
        store.create("Parent", values).await.unwrap();
    }
    let names = store
        .model()
        .stored()
        .map(|(_, entity)| entity.name.value.clone());
    let names: Vec<_> = names.filter(|name| name != "Parent").collect();
    let mut rows = Vec::new();
    for name in names {
        for number in 0..ROWS {
            let mut values = Item::new()
                .with("parentId", choose(random, &["p", "q"]))
                .with("a", choose(random, &["x", "y", "xy"]))
                .with("b", choose(random, &["k", "l", "kl"]))
                .with("u", ["ua", "ub", "uc", "ud", "ue", "uf"][number])
                .with(
                    "n",
                    AttributeValue::N(Number::from(number as u64 * 40 + 101)),
                )
                .with(
                    "at",
                    format!(
                        "2025-11-{:02}T10:{number:02}:00.000Z",
                        18 + random.usize(..3)
                    ),
                );
            if random.bool() {
                values.insert("c", "here");
            }
            store.create(&name, values.clone()).await.unwrap();
            rows.push(values);
        }
    }
    rows
}

/// Parameters of a pattern as some row has them; sometimes as none has.
fn parameters(access: &Access, rows: &[Item], random: &mut Rng) -> Item {
    let row = &rows[random.usize(..rows.len())];
    let mut given = Item::new();
    for parameter in &access.parameters {
        let name = parameter.name.as_str();
        let value = row.get(name).cloned();
        if parameter.mode == Mode::Range {
            let other = rows[random.usize(..rows.len())].get(name).cloned();
            let mut ends = [value, other];
            ends.sort_by_key(|end| format!("{end:?}"));
            let [first, last] = ends;
            for (end, value) in [("from", first), ("to", last)] {
                if let Some(value) = value {
                    given.insert(format!("{name}.{end}"), value);
                }
            }
            continue;
        }
        let value = match value {
            Some(AttributeValue::S(text)) if random.u8(..5) == 0 && text.len() < 6 => {
                Some("none".into())
            }
            value => value,
        };
        if let Some(value) = value {
            given.insert(name, value);
        }
    }
    given
}
