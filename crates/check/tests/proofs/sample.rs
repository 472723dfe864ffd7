//! Rows of a model with random values, rendered by the compiled templates.

use monotable_model::compiled::{KeyTemplate, Shown};
use monotable_model::model::{EntityId, Key, Kind, Mode, Model, Part, Template};
use std::collections::BTreeMap;

/// A row: its values, those its key shows, and its key.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) entity: EntityId,
    pub(crate) values: BTreeMap<String, String>,
    pub(crate) shown: BTreeMap<String, String>,
    pub(crate) key: Vec<String>,
}

/// A small generator of numbers: the seed replays a run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides
    }
}

/// Texts that collide easily; what a kind does not accept is left out.
const TEXTS: &[&str] = &[
    "",
    "a",
    "b",
    "A",
    "B",
    "AB",
    "#",
    "a#",
    "#a",
    "a#b",
    "b#a",
    "A#",
    "#A",
    "A#a",
    "a#A",
    "1",
    "10",
    "9",
    "T",
    "x",
    "a:b",
    ":",
    "a:",
    "y#",
    "#B#",
    "x#y",
    "ab",
    "ba",
    "aa",
    "2025-01-02",
    "2025-11-18",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "T#",
    "B#A",
];

pub(crate) fn rows(model: &Model, seed: u64) -> Vec<Row> {
    let mut dice = Dice(seed);
    let mut rows = Vec::new();
    for (id, entity) in model.stored() {
        let templates = templates(model, id);
        let choices: Vec<(String, Vec<&str>)> = entity
            .attributes
            .iter()
            .map(|attribute| (attribute.name.value.clone(), accepted(&attribute.kind)))
            .collect();
        for _ in 0..60 {
            let values: BTreeMap<String, String> = choices
                .iter()
                .map(|(name, texts)| (name.clone(), texts[dice.roll(texts.len())].to_owned()))
                .collect();
            let key: Vec<String> = templates
                .iter()
                .map(|template| {
                    template
                        .render(|path| values.get(path.names[0]).cloned().map(Shown::One))
                        .unwrap()
                })
                .collect();
            let named = entity.key_attributes();
            let shown = values
                .iter()
                .filter(|(name, _)| named.contains(&name.as_str()))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            rows.push(Row {
                entity: id,
                values,
                shown,
                key,
            });
        }
    }
    rows
}

fn accepted(kind: &Kind) -> Vec<&'static str> {
    let language = kind.language().unwrap();
    let texts: Vec<_> = TEXTS
        .iter()
        .copied()
        .filter(|text| language.accepts(text))
        .collect();
    assert!(!texts.is_empty(), "{kind}");
    texts
}

/// The templates of an entity's primary key.
pub(crate) fn templates(model: &Model, id: EntityId) -> Vec<KeyTemplate> {
    let key = model.entity(id).primary().unwrap();
    key.templates()
        .map(|template| KeyTemplate::new(model, id, template))
        .collect()
}

/// A condition with the values of a row.
#[derive(Debug)]
pub(crate) struct Condition {
    hash: String,
    sort: Sort,
}

#[derive(Debug)]
enum Sort {
    Any,
    Equal(String),
    Begins(String),
}

impl Condition {
    pub(crate) fn matches(&self, key: &[String]) -> bool {
        key[0] == self.hash
            && match &self.sort {
                Sort::Any => true,
                Sort::Equal(text) => key[1] == *text,
                Sort::Begins(text) => key[1].starts_with(text.as_str()),
            }
    }
}

/// What a pattern asks for with the values of this row.
pub(crate) fn condition(key: &Key, row: &Row) -> Option<Condition> {
    let hash = fill(&key.hash, row)?;
    let sort = match &key.range {
        None => Sort::Any,
        Some(range) if range.open_end => Sort::Begins(fill(range, row)?),
        Some(range) => Sort::Equal(fill(range, row)?),
    };
    Some(Condition { hash, sort })
}

fn fill(template: &Template, row: &Row) -> Option<String> {
    let mut text = String::new();
    for part in &template.parts {
        match part {
            Part::Literal(literal) => text += &literal.value,
            Part::Field(field) => {
                assert_eq!(field.mode, Mode::Plain);
                let value = row.values.get(&field.name())?;
                if field.formats.is_empty() {
                    text += value
                } else {
                    // The only format of the random models.
                    text += &format!("{value:0>2}")
                }
            }
        }
    }
    Some(text)
}

/// The key of a row that a counterexample shows as `a = "x", b = "y"`.
pub(crate) fn render(model: &Model, entity: &str, values: &str) -> Vec<String> {
    render_part(model, entity, values, true)
}

/// The same, or of its partition key alone.
pub(crate) fn render_part(model: &Model, entity: &str, values: &str, whole: bool) -> Vec<String> {
    let (id, _) = model
        .entity_named(entity)
        .unwrap_or_else(|| panic!("{entity}"));
    let mut known = BTreeMap::new();
    let mut rest = values;
    while let Some((name, after)) = rest.split_once(" = \"") {
        // Values of the random models have no quotes.
        let (value, more) = after.split_once('"').unwrap();
        known.insert(name.trim_start_matches(", ").to_owned(), value.to_owned());
        rest = more;
    }
    let templates = templates(model, id);
    let parts = if whole { templates.len() } else { 1 };
    templates
        .iter()
        .take(parts)
        .map(|template| {
            template
                .render(|path| known.get(path.names[0]).cloned().map(Shown::One))
                .unwrap()
        })
        .collect()
}

pub(crate) fn shown_key(texts: &[String]) -> String {
    if let [only] = texts {
        return format!("\"{only}\"");
    }
    let texts: Vec<_> = texts.iter().map(|text| format!("\"{text}\"")).collect();
    format!("({})", texts.join(", "))
}
