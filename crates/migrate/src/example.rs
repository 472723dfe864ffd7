//! Rows that are shown: values of every attribute that a row must have, and the key that the templates make of them.

use crate::difference::{Counterexample, RowExample};
use monotable_model::compiled::{Instant, Shown, SourcePath, render};
use monotable_model::model::{
    Attribute, Bounds, Default, Entity, EntityId, Key, Kind, Model, Root,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A version of a model, of which rows are shown.
#[derive(Clone, Copy)]
pub(crate) struct Examples<'m> {
    model: &'m Model,
}

impl<'m> Examples<'m> {
    pub(crate) const fn new(model: &'m Model) -> Self {
        Self { model }
    }

    /// A row of an entity under its primary key.
    pub(crate) fn row(self, id: EntityId) -> RowExample {
        self.row_with(id, &[])
    }

    /// A row in which these attributes have these values; null is absent.
    pub(crate) fn row_with(self, id: EntityId, given: &[(&str, Value)]) -> RowExample {
        let entity = self.model.entity(id);
        let mut values = BTreeMap::new();
        for attribute in &entity.attributes {
            if is_shown(entity, attribute) {
                values.insert(attribute.name.value.clone(), example_value(&attribute.kind));
            }
        }
        for (name, value) in given {
            if value.is_null() {
                values.remove(*name);
            } else {
                values.insert((*name).to_owned(), value.clone());
            }
        }
        let key = entity.primary().map(|key| self.render(key, &values));
        RowExample {
            entity: entity.name.value.clone(),
            key: key.unwrap_or_default(),
            values,
        }
    }

    /// The row under one of its keys.
    pub(crate) fn row_at(self, id: EntityId, key: &Key) -> RowExample {
        let mut row = self.row(id);
        for name in key_names(key) {
            let attribute = self.model.entity(id).attribute(&name);
            if let Some(attribute) = attribute {
                let value = || example_value(&attribute.kind);
                row.values.entry(name).or_insert_with(value);
            }
        }
        row.key = self.render(key, &row.values);
        row
    }

    /// The texts of a key, with the prefix of a tenant; nothing if a template shows more than the row.
    fn render(self, key: &Key, values: &BTreeMap<String, Value>) -> Vec<String> {
        let shown = |path: &SourcePath<'_>| self.show(path, values);
        let texts: Result<Vec<String>, _> = key
            .templates()
            .map(|template| render(template, shown))
            .collect();
        let mut texts = texts.unwrap_or_default();
        if let (Some(tenant), Some(first), false) =
            (&self.model.tenant, texts.first_mut(), key.global)
            && tenant.bare.is_none()
        {
            let id = text(&example_value(&tenant.attribute.kind));
            let prefix = render(&tenant.prefix, |_| id.clone().map(Shown::One));
            first.insert_str(0, &prefix.unwrap_or_default());
        }
        texts
    }

    fn show(self, path: &SourcePath<'_>, values: &BTreeMap<String, Value>) -> Option<Shown> {
        let [name] = path.names.as_slice() else {
            return None;
        };
        match path.root {
            None | Some(Root::Old) => match values.get(*name)? {
                Value::Array(elements) => {
                    Some(Shown::Many(elements.iter().filter_map(text).collect()))
                }
                value => text(value).map(Shown::One),
            },
            Some(Root::Setting) => {
                let setting = self
                    .model
                    .settings
                    .iter()
                    .find(|setting| setting.name.value == *name)?;
                let value = constant(setting).unwrap_or_else(|| example_value(&setting.kind));
                text(&value).map(Shown::One)
            }
            Some(Root::Tenant) => {
                let tenant = self.model.tenant.as_ref()?;
                text(&example_value(&tenant.attribute.kind)).map(Shown::One)
            }
            Some(_) => None,
        }
    }
}

/// A counterexample with this row.
pub(crate) fn fails(
    row: RowExample,
    used_by: impl Into<String>,
    what: impl Into<String>,
) -> Counterexample {
    Counterexample {
        row,
        beside: None,
        used_by: used_by.into(),
        what: what.into(),
    }
}

/// A counterexample that takes two rows.
pub(crate) fn clashes(
    (row, beside): (RowExample, RowExample),
    used_by: impl Into<String>,
    what: impl Into<String>,
) -> Counterexample {
    Counterexample {
        beside: Some(beside),
        ..fails(row, used_by, what)
    }
}

fn key_names(key: &Key) -> Vec<String> {
    let fields = key.templates().flat_map(|template| template.fields());
    let names = fields.flat_map(|field| {
        field
            .attributes()
            .map(|name| name.value.clone())
            .collect::<Vec<_>>()
    });
    names.collect()
}

/// Whether a row has the attribute in an example: its key needs it, or a caller has to give it.
fn is_shown(entity: &Entity, attribute: &Attribute) -> bool {
    let is_key = entity
        .key_attributes()
        .contains(&attribute.name.value.as_str());
    is_key && attribute.computed.is_none() || attribute.must_be_given()
}

/// The value of a default that is always the same.
pub(crate) fn constant(attribute: &Attribute) -> Option<Value> {
    match attribute.default.as_ref()? {
        Default::Number(number) => serde_json::from_str(number).ok(),
        Default::Flag(flag) => Some(json!(flag)),
        Default::Text(text) => Some(json!(text)),
        Default::Word(word) => Some(json!(word.value)),
        Default::EmptyList => Some(json!([])),
        Default::Template(_) | Default::Now { .. } => None,
    }
}

/// A value as a key shows it.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// A value of a kind: the shortest, or the one nearest to the beginning.
pub(crate) fn example_value(kind: &Kind) -> Value {
    /// 2025-01-01T00:00:00Z.
    const TIME: i64 = 1_735_689_600_000_000;
    match kind {
        Kind::Integer(bounds) | Kind::Number(bounds) => json!(within(bounds)),
        Kind::Boolean => json!(true),
        Kind::Date => json!("2025-01-01"),
        Kind::Timestamp(format) => {
            let time = Instant::from_micros(TIME);
            json!(time.map(|time| time.show(*format)))
        }
        Kind::Epoch => json!(TIME / 1_000_000),
        Kind::Url => json!("https://example.com"),
        Kind::Json => json!("{}"),
        Kind::Any => json!("any"),
        Kind::Map => json!({}),
        Kind::Binary | Kind::Never => Value::Null,
        Kind::Uuid => json!("00000000-0000-4000-8000-000000000000"),
        Kind::UuidV7 => json!("019421d0-0000-7000-8000-000000000000"),
        Kind::Ulid => json!("01JGFJJZ000000000000000000"),
        Kind::Enum(words) => json!(words.first().map(|word| &word.word)),
        Kind::Text(_) | Kind::Token(_) => {
            let language = kind.language();
            let words = language
                .as_ref()
                .map(|language| language.words(64))
                .unwrap_or_default();
            let seen = words.iter().find(|word| !word.trim().is_empty());
            let shortest = language.and_then(|language| language.shortest_word());
            json!(seen.cloned().or(shortest))
        }
        Kind::List { of, length } => {
            let count = length.least.unwrap_or(0).clamp(0, 100);
            json!((0..count).map(|_| example_value(of)).collect::<Vec<_>>())
        }
    }
}

/// Two values of a kind; none if it has one alone, or two are not easily found.
pub(crate) fn two_values(kind: &Kind) -> Option<[Value; 2]> {
    let first = example_value(kind);
    let second = match kind {
        Kind::Integer(bounds) | Kind::Number(bounds) => {
            let one = within(bounds);
            let above = one.checked_add(1)?;
            if bounds.most.is_none_or(|most| above <= most) {
                json!(above)
            } else {
                let below = one.checked_sub(1)?;
                let fits = bounds.least.is_none_or(|least| below >= least);
                fits.then(|| json!(below))?
            }
        }
        Kind::Boolean => json!(false),
        Kind::Date => json!("2025-01-02"),
        Kind::Enum(words) => json!(words.get(1)?.word),
        Kind::Url => json!("https://example.org"),
        Kind::Uuid => json!("00000000-0000-4000-8000-000000000001"),
        Kind::UuidV7 => json!("019421d0-0000-7000-8000-000000000001"),
        Kind::Ulid => json!("01JGFJJZ000000000000000001"),
        Kind::Text(_) | Kind::Token(_) => {
            let words = kind.language()?.words(64);
            let mut seen = words.into_iter().filter(|word| !word.trim().is_empty());
            json!(seen.find(|word| first.as_str() != Some(word))?)
        }
        _ => return None,
    };
    Some([first, second])
}

/// A number of a range, 1 if it has that.
fn within(bounds: &Bounds) -> i64 {
    1.max(bounds.least.unwrap_or(1))
        .min(bounds.most.unwrap_or(i64::MAX))
}
