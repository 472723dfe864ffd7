//! `[repository.N]`

use super::Notes;
use crate::diagnostic::Findings;
use crate::document::Section;
use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub(crate) struct Repository {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) head: Option<Name>,
    pub(crate) log: Option<Name>,
    pub(crate) entities: Vec<Name>,
    pub(crate) intent: Option<Name>,
    pub(crate) count: Option<Name>,
    pub(crate) span: Span,
}

impl Repository {
    pub(crate) fn read(name: Name, mut section: Section<'_>, findings: &mut Findings) -> Self {
        let repository = Self {
            span: section.header(),
            notes: Notes::read(&mut section, findings),
            head: section.required_name("head", findings),
            log: section.required_name("log", findings),
            entities: section.required_names("entities", findings),
            intent: section.required_name("intent", findings),
            count: section.name("count", findings),
            name,
        };
        section.finish(findings);
        repository
    }
}
