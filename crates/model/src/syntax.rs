//! The syntax tree: what a model's text says, with the place of every word, before any name is looked up.

pub(crate) mod access;
pub(crate) mod attribute;
pub(crate) mod claim;
pub(crate) mod clause;
pub(crate) mod entity;
pub(crate) mod environment;
pub(crate) mod file;
pub(crate) mod history;
pub(crate) mod key;
pub(crate) mod message;
pub(crate) mod movement;
pub(crate) mod policy;
pub(crate) mod predicate;
pub(crate) mod relation;
pub(crate) mod repository;
pub(crate) mod rows;
pub(crate) mod rule;
pub(crate) mod table;
pub(crate) mod template;
pub(crate) mod tenancy;
pub(crate) mod type_expression;

use crate::diagnostic::Findings;
use crate::document::{Section, Text};
use crate::span::Name;
use template::{Template, TemplateKind};

/// What every named section may say about itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) about: Option<String>,
    pub(crate) covers: Vec<Name>,
}

impl Notes {
    pub(crate) fn read(section: &mut Section<'_>, findings: &mut Findings) -> Self {
        Self {
            about: section.text("about", findings).map(|text| text.value),
            covers: section.names("covers", findings),
        }
    }
}

/// An attribute and the template of its value.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) name: Name,
    pub(crate) value: Assigned,
}

/// A value that a model assigns.
#[derive(Clone, Debug)]
pub(crate) enum Assigned {
    Template(Template),
    Flag(bool),
    Number(String),
}

/// `set = { a = "{b}" }`.
pub(crate) fn assignments(
    section: &mut Section<'_>,
    key: &str,
    findings: &mut Findings,
) -> Vec<Assignment> {
    let set = section.section(key, findings);
    set.map(|set| read_assignments(set, findings))
        .unwrap_or_default()
}

/// Every key of a section as an assignment.
pub(crate) fn read_assignments(mut set: Section<'_>, findings: &mut Findings) -> Vec<Assignment> {
    let mut assignments = Vec::new();
    for (name, value) in set.take_rest() {
        let assigned = if let Some(text) = value.text() {
            Template::parse(&text, TemplateKind::Value, findings).map(Assigned::Template)
        } else if let Some(flag) = value.flag() {
            Some(Assigned::Flag(flag))
        } else if let Some(number) = value.number_text() {
            Some(Assigned::Number(number.to_owned()))
        } else {
            value.wrong_kind(&name.value, "text, a number, true or false", findings);
            None
        };
        assignments.extend(assigned.map(|value| Assignment { name, value }));
    }
    assignments
}

/// A list of names of `key`, none if it is not there.
pub(crate) fn optional_names(
    section: &mut Section<'_>,
    key: &str,
    findings: &mut Findings,
) -> Option<Vec<Name>> {
    let texts = section.texts(key, findings)?;
    Some(texts.iter().map(Text::name).collect())
}
