//! `[derive.N]`: rows that are kept equal to what another row says.

use super::predicate::Predicate;
use super::{Assignment, Notes, assignments};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::document::{Section, Text};
use crate::span::{Name, Span};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub(crate) struct Derive {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) of: Option<Name>,
    pub(crate) when: Option<Predicate>,
    pub(crate) each: Vec<Each>,
    pub(crate) entity: Option<Name>,
    pub(crate) set: Vec<Assignment>,
    pub(crate) span: Span,
}

/// `v in a.allowedValues + b.allowedValues`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Each {
    /// What an element is called.
    pub variable: Name,
    /// Where the elements come from, one list after the other; each a path of names.
    pub lists: Vec<Vec<Name>>,
    /// Where it stands.
    #[serde(skip)]
    pub span: Span,
}

impl Derive {
    pub(crate) fn read(name: Name, mut section: Section<'_>, findings: &mut Findings) -> Self {
        let derive = Self {
            span: section.header(),
            notes: Notes::read(&mut section, findings),
            of: section.required_name("of", findings),
            when: Predicate::read(&mut section, "when", findings),
            each: each(&mut section, findings),
            entity: section.required_name("entity", findings),
            set: assignments(&mut section, "set", findings),
            name,
        };
        section.finish(findings);
        derive
    }
}

pub(crate) fn each(section: &mut Section<'_>, findings: &mut Findings) -> Vec<Each> {
    let texts = section.texts("each", findings).unwrap_or_default();
    texts
        .iter()
        .filter_map(|text| Each::parse(text, findings))
        .collect()
}

impl Each {
    fn parse(text: &Text, findings: &mut Findings) -> Option<Self> {
        let problem = || {
            let message = "`each` is `element in list`, or `element in list + other.list`";
            Diagnostic::new(Code::BadAttribute, text.inner(), message)
        };
        let Some(at) = text.as_str().find(" in ") else {
            findings.push(problem());
            return None;
        };
        let variable = text.part(0, at).trimmed();
        let mut lists = Vec::new();
        let mut start = at + 4;
        for piece in text.as_str().get(start..).unwrap_or_default().split('+') {
            let list = text.part(start, start + piece.len()).trimmed();
            lists.push(names(&list));
            start += piece.len() + 1;
        }
        let unsound = |names: &Vec<Name>| names.iter().any(|name| name.value.trim().is_empty());
        if variable.value.is_empty() || lists.iter().any(unsound) {
            findings.push(problem());
            return None;
        }
        Some(Self {
            variable: variable.name(),
            lists,
            span: text.inner(),
        })
    }
}

fn names(list: &Text) -> Vec<Name> {
    let mut names = Vec::new();
    let mut start = 0;
    for piece in list.as_str().split('.') {
        names.push(list.part(start, start + piece.len()).name());
        start += piece.len() + 1;
    }
    names
}
