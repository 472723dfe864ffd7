//! Where the values of a request come from.

use monotable_model::model::{Entity, Field, Mode, Part, Source, Template};
use std::collections::BTreeMap;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// A parameter of the pattern.
    Parameter(String),
    /// An attribute of what requests answered.
    Read {
        requests: Vec<usize>,
        attribute: String,
    },
    /// Known text.
    Text(String),
}

impl Given {
    /// As it stands in a request; `end` names the end of a range, `tail` is what else the field says.
    fn show(&self, end: &str, tail: &str) -> String {
        match self {
            Self::Parameter(name) => format!("{{{name}{end}{tail}}}"),
            Self::Read {
                requests,
                attribute,
            } => {
                let requests: Vec<_> = requests.iter().map(ToString::to_string).collect();
                format!("<read {}: {attribute}{tail}>", requests.join(", "))
            }
            Self::Text(text) if tail.is_empty() => text.clone(),
            Self::Text(text) => format!("<{text}{tail}>"),
        }
    }
}

/// What is known when a request is made, by the name of the attribute.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    given: BTreeMap<String, Given>,
    /// Whether a name that is not known is a parameter of that name.
    asks: bool,
}

impl Known {
    /// Every name is a parameter.
    pub(super) fn parameters() -> Self {
        Self {
            given: BTreeMap::new(),
            asks: true,
        }
    }

    /// The attributes of rows that requests answered.
    pub(super) fn row(entity: &Entity, requests: &[usize]) -> Self {
        let mut known = Self::default();
        known.add_row(entity, requests);
        known
    }

    pub(super) fn add_row(&mut self, entity: &Entity, requests: &[usize]) {
        for attribute in &entity.attributes {
            let name = attribute.name.value.clone();
            let attribute = name.clone();
            let requests = requests.to_vec();
            self.set(
                name,
                Given::Read {
                    requests,
                    attribute,
                },
            );
        }
    }

    pub(super) fn set(&mut self, name: impl Into<String>, given: Given) {
        self.given.insert(name.into(), given);
    }

    pub(super) fn get(&self, name: &str) -> Option<Given> {
        let parameter = || self.asks.then(|| Given::Parameter(name.to_owned()));
        self.given.get(name).cloned().or_else(parameter)
    }

    /// Whether every field of a template can be filled.
    pub(super) fn fills(&self, template: &Template) -> bool {
        template.fields().all(|field| self.fills_field(field))
    }

    pub(super) fn fills_field(&self, field: &Field) -> bool {
        match field.sources.first() {
            Some(Source::Path {
                root: None, names, ..
            }) => match names.last() {
                Some(name) => self.get(&name.value).is_some() || field.has_fallback(),
                None => false,
            },
            Some(_) => true,
            None => false,
        }
    }

    /// The text of a field; `end` is `.from` or `.to` in a range.
    pub(super) fn field(&self, field: &Field, end: &str) -> String {
        let tail = tail(field);
        match field.sources.first() {
            Some(Source::Path {
                root: None, names, ..
            }) => {
                let name = names.last().map_or("", |name| name.value.as_str());
                let given = self
                    .get(name)
                    .unwrap_or_else(|| Given::Parameter(name.to_owned()));
                given.show(end, &tail)
            }
            Some(first) => format!("{{{}{tail}}}", source(first)),
            None => String::new(),
        }
    }

    /// The text of some parts of a template.
    pub(super) fn parts(&self, parts: &[Part]) -> String {
        parts
            .iter()
            .map(|part| match part {
                Part::Literal(text) => text.value.clone(),
                Part::Field(field) => self.field(field, ""),
            })
            .collect()
    }

    /// The text of a template.
    pub(super) fn template(&self, template: &Template) -> String {
        self.parts(&template.parts)
    }

    /// What a template gives to a parameter: one value goes on as it is.
    pub(super) fn given_by(&self, template: &Template) -> Given {
        if let [Part::Field(field)] = template.parts.as_slice()
            && field.formats.is_empty()
            && let [
                Source::Path {
                    root: None, names, ..
                },
            ] = field.sources.as_slice()
            && let Some(given) = names.last().and_then(|name| self.get(&name.value))
        {
            return given;
        }
        Given::Text(self.template(template))
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

/// The field of a template that is a range.
pub(super) fn range_field(template: &Template) -> Option<&Field> {
    template.fields().find(|field| field.mode == Mode::Range)
}
