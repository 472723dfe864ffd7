//! `[audit.N]` and `[archive.N]`: rows that are written because of other writes.

use super::{Assignment, Notes, assignments};
use crate::diagnostic::{Code, Findings};
use crate::document::{Section, Text};
use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub(crate) struct Audit {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) of: Vec<Name>,
    pub(crate) on: Vec<Name>,
    pub(crate) entity: Option<Name>,
    pub(crate) set: Vec<Assignment>,
    pub(crate) span: Span,
}

impl Audit {
    pub(crate) fn read(name: Name, mut section: Section<'_>, findings: &mut Findings) -> Self {
        let audit = Self {
            span: section.header(),
            notes: Notes::read(&mut section, findings),
            of: section.required_names("of", findings),
            on: section.required_names("on", findings),
            entity: section.required_name("entity", findings),
            set: assignments(&mut section, "set", findings),
            name,
        };
        section.finish(findings);
        audit
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Archive {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) of: Option<Name>,
    pub(crate) changed: Vec<Name>,
    pub(crate) deleted: bool,
    pub(crate) entity: Option<Name>,
    pub(crate) set: Vec<Assignment>,
    pub(crate) span: Span,
}

impl Archive {
    pub(crate) fn read(name: Name, mut section: Section<'_>, findings: &mut Findings) -> Self {
        let archive = Self {
            span: section.header(),
            notes: Notes::read(&mut section, findings),
            of: section.required_name("of", findings),
            changed: section.required_names("changed", findings),
            deleted: section
                .flag("deleted", findings)
                .is_some_and(|flag| flag.value),
            entity: section.required_name("entity", findings),
            set: assignments(&mut section, "set", findings),
            name,
        };
        section.finish(findings);
        archive
    }
}

/// `Entity.attribute`, `pattern.attribute`.
pub(crate) fn dotted(text: &Text, findings: &mut Findings) -> Option<(Name, Name)> {
    let dot = text
        .as_str()
        .find('.')
        .filter(|dot| *dot > 0 && *dot + 1 < text.value.len());
    let Some(dot) = dot else {
        findings.error(
            Code::WrongKind,
            text.inner(),
            "two names with a dot between them are needed here",
        );
        return None;
    };
    Some((
        text.part(0, dot).name(),
        text.part(dot + 1, text.value.len()).name(),
    ))
}
