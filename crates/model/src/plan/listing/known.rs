//! What is known when a request is made.

use super::text::{Piece, PlannedText};
use crate::model::{Assigned, Assignment, Field, Part, Source};
use crate::plan::key_text::is_known;
use crate::plan::{Given, ReadPlan};
use std::collections::BTreeMap;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Parameter(String),
    Read {
        requests: Vec<usize>,
        attribute: String,
    },
    /// What a walk or a path has come to.
    Current(String),
    /// A text that a pattern gives to its parts.
    Text(PlannedText),
}

/// What is known, by the name of the attribute.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    origins: BTreeMap<String, Origin>,
}

impl Known {
    /// What a caller gives.
    pub(super) fn of_parameters(plan: &ReadPlan) -> Self {
        let mut known = Self::default();
        for parameter in &plan.parameters {
            known.set(&parameter.name, Origin::Parameter(parameter.name.clone()));
        }
        known
    }

    /// What rows at hand tell of a row that is looked for.
    pub(super) fn of_given(given: &[Given], origin: impl Fn(&str) -> Origin) -> Self {
        let mut known = Self::default();
        for given in given {
            known.set(&given.name, origin(&given.from));
        }
        known
    }

    pub(super) fn set(&mut self, name: impl Into<String>, origin: Origin) {
        self.origins.insert(name.into(), origin);
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.origins.contains_key(name)
    }

    /// Whether every part shows something that is known; nothing is left to what stands for absent values.
    pub(super) fn fills_all<'p>(&self, parts: impl IntoIterator<Item = &'p Part>) -> bool {
        parts
            .into_iter()
            .all(|part| is_known(part, |name| self.has(name)))
    }

    /// The value of an attribute as it is.
    pub(super) fn value(&self, name: &str) -> PlannedText {
        match self.origins.get(name) {
            Some(Origin::Text(text)) => text.clone(),
            Some(origin) => PlannedText(vec![piece(origin, "", String::new())]),
            None => PlannedText::default(),
        }
    }

    /// Whether every part can be shown.
    pub(super) fn fills<'p>(&self, parts: impl IntoIterator<Item = &'p Part>) -> bool {
        let mut parts = parts.into_iter();
        parts.all(|part| {
            let falls_back = matches!(part, Part::Field(field) if field.has_fallback());
            is_known(part, |name| self.has(name)) || falls_back
        })
    }

    /// With what a pattern gives to its parts, as far as that is known.
    pub(super) fn with_set(&self, set: &[Assignment]) -> Self {
        let mut all = self.clone();
        for assignment in set {
            if let Some(origin) = self.assigned(&assignment.value) {
                all.set(&assignment.name.value, origin);
            }
        }
        all
    }

    fn assigned(&self, value: &Assigned) -> Option<Origin> {
        let template = match value {
            Assigned::Template(template) => template,
            Assigned::Flag(flag) => {
                return Some(Origin::Text(PlannedText::literal(flag.to_string())));
            }
            Assigned::Number(number) => {
                return Some(Origin::Text(PlannedText::literal(number.clone())));
            }
        };
        if !self.fills(&template.parts) {
            return None;
        }
        // One value goes on as it is.
        if let [Part::Field(field)] = template.parts.as_slice()
            && field.formats.is_empty()
            && let [
                Source::Path {
                    root: None, names, ..
                },
            ] = field.sources.as_slice()
        {
            return self.origins.get(&names.last()?.value).cloned();
        }
        Some(Origin::Text(self.text(&template.parts)))
    }

    /// The text of some parts of a template.
    pub(super) fn text(&self, parts: &[Part]) -> PlannedText {
        let mut text = PlannedText::default();
        for part in parts {
            match part {
                Part::Literal(literal) => text.push(Piece::Text(literal.value.clone())),
                Part::Field(field) => text = text.then(self.field(field, "")),
            }
        }
        text
    }

    /// The text of a field; `end` is `.from` or `.to` in a range.
    pub(super) fn field(&self, field: &Field, end: &str) -> PlannedText {
        let tail = tail(field);
        let piece = match field.sources.first() {
            Some(Source::Path {
                root: None, names, ..
            }) => {
                let name = names.last().map_or("", |name| name.value.as_str());
                match self.origins.get(name) {
                    Some(Origin::Text(text)) if tail.is_empty() => return text.clone(),
                    Some(origin) => piece(origin, end, tail),
                    None => piece(&Origin::Parameter(name.to_owned()), end, tail),
                }
            }
            Some(first) => Piece::Parameter {
                name: source(first),
                tail,
            },
            None => return PlannedText::default(),
        };
        PlannedText(vec![piece])
    }
}

fn piece(origin: &Origin, end: &str, tail: String) -> Piece {
    match origin {
        Origin::Parameter(name) => Piece::Parameter {
            name: format!("{name}{end}"),
            tail,
        },
        Origin::Read {
            requests,
            attribute,
        } => Piece::Read {
            requests: requests.clone(),
            attribute: attribute.clone(),
            tail,
        },
        Origin::Current(what) => Piece::Current {
            what: what.clone(),
            tail,
        },
        Origin::Text(text) => Piece::Current {
            what: text.to_string(),
            tail,
        },
    }
}

/// The other sources of a field, and its formats.
fn tail(field: &Field) -> String {
    let others = field.sources.iter().skip(1);
    let mut tail: String = others.map(|other| format!("|{}", source(other))).collect();
    for format in &field.formats {
        tail.push(':');
        tail.push_str(&format.value.to_string());
    }
    tail
}

fn source(source: &Source) -> String {
    match source {
        Source::Path { root, names, .. } => {
            let names = names.iter().map(|name| name.value.as_str());
            let parts: Vec<_> = root.iter().map(|root| root.name()).chain(names).collect();
            parts.join(".")
        }
        Source::Literal(text) => format!("'{}'", text.value.replace('\'', "''")),
        Source::Nothing(_) => String::new(),
    }
}
