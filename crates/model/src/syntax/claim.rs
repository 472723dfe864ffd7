//! `[entity.N.unique]`: values that only one row may have.

use super::message::read_message;
use super::predicate::Predicate;
use super::template::{Template, TemplateKind};
use super::{Assignment, Notes, assignments, read_assignments};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::document::{Section, Value, texts};
use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) guard: Guard,
    pub(crate) when: Option<Predicate>,
    pub(crate) message: Option<String>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Guard {
    /// A hidden row of its own.
    Row {
        /// One text, which fills every part of the key.
        fills_all: bool,
        key: Vec<Template>,
        keeps: Vec<Name>,
    },
    /// A row of an entity that is there to be seen.
    Entity {
        entity: Name,
        set: Vec<Assignment>,
        /// Other values under which old guards stand; honoured, never written.
        also: Vec<Vec<Assignment>>,
    },
    /// Checked when a snapshot is committed; no row.
    Snapshot,
}

impl Claim {
    pub(crate) fn read(name: Name, value: Value<'_>, findings: &mut Findings) -> Option<Self> {
        let span = value.span();
        if let Some(text) = value.text() {
            let key = Template::parse(&text, TemplateKind::Value, findings)?;
            return Some(Self {
                name,
                notes: Notes::default(),
                guard: Guard::Row {
                    fills_all: true,
                    key: vec![key],
                    keeps: Vec::new(),
                },
                when: None,
                message: None,
                span,
            });
        }
        let Some(section) = value.section(&format!("unique.{}", name.value)) else {
            value.wrong_kind(&name.value, "the key of a guard, or a table", findings);
            return None;
        };
        Self::read_long(name, section, span, findings)
    }

    fn read_long(
        name: Name,
        mut section: Section<'_>,
        span: Span,
        findings: &mut Findings,
    ) -> Option<Self> {
        let notes = Notes::read(&mut section, findings);
        let when = Predicate::read(&mut section, "when", findings);
        let key = section.take("key");
        let keeps = section.names("keeps", findings);
        let entity = section.name("entity", findings);
        let set = assignments(&mut section, "set", findings);
        let also = also(&mut section, findings);
        let within = section.name("within", findings);
        let message = read_message(&mut section, "message", findings);
        section.finish(findings);
        let guard = match (key, entity, within) {
            (Some((_, key)), None, None) if set.is_empty() && also.is_empty() => Guard::Row {
                fills_all: key.text().is_some(),
                key: texts("key", key, findings)?
                    .iter()
                    .filter_map(|text| Template::parse(text, TemplateKind::Value, findings))
                    .collect(),
                keeps,
            },
            (None, Some(entity), None) if keeps.is_empty() => Guard::Entity { entity, set, also },
            (None, None, Some(within)) if within.value == "snapshot" => Guard::Snapshot,
            _ => {
                let message = "a claim has one of: `key` (a guard row), `entity` (rows of it are the guards), `within = \"snapshot\"`";
                findings.push(Diagnostic::new(Code::Contradiction, span, message));
                return None;
            }
        };
        Some(Self {
            name,
            notes,
            guard,
            when,
            message,
            span,
        })
    }
}

fn also(section: &mut Section<'_>, findings: &mut Findings) -> Vec<Vec<Assignment>> {
    let Some((_, value)) = section.take("also") else {
        return Vec::new();
    };
    let Some(elements) = value.elements() else {
        value.wrong_kind("also", "a list of tables", findings);
        return Vec::new();
    };
    let mut all = Vec::new();
    for element in elements {
        match element.section("also") {
            Some(section) => all.push(read_assignments(section, findings)),
            None => element.wrong_kind("also", "a list of tables", findings),
        }
    }
    all
}
