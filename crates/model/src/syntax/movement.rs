//! `[move.N]`, `[path.N]` and `[carry.N]`: rows that come to stand elsewhere.

use super::history::dotted;
use super::predicate::Predicate;
use super::{Assignment, Notes, assignments};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::document::Section;
use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) of: Option<Name>,
    pub(crate) kind: MoveKind,
    pub(crate) set: Vec<Assignment>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum MoveKind {
    /// Rows become rows of another entity.
    To {
        to: Name,
        rest: Option<Name>,
        undo: Option<Name>,
        purge: Option<Name>,
        removes: Vec<Name>,
    },
    /// Attributes of the key change, in this row and in those that go with it.
    Changes {
        changes: Vec<Name>,
        carries: Vec<Name>,
    },
}

impl Move {
    pub(crate) fn read(
        name: Name,
        mut section: Section<'_>,
        findings: &mut Findings,
    ) -> Option<Self> {
        let span = section.header();
        let notes = Notes::read(&mut section, findings);
        let of = section.required_name("of", findings);
        let to = section.name("to", findings);
        let rest = section.name("rest", findings);
        let undo = section.name("undo", findings);
        let purge = section.name("purge", findings);
        let removes = section.names("removes", findings);
        let changes = section.names("changes", findings);
        let carries = section.names("carries", findings);
        let set = assignments(&mut section, "set", findings);
        section.finish(findings);
        let kind = match (to, changes.is_empty()) {
            (Some(to), true) if carries.is_empty() => MoveKind::To {
                to,
                rest,
                undo,
                purge,
                removes,
            },
            (None, false)
                if rest.is_none() && undo.is_none() && purge.is_none() && removes.is_empty() =>
            {
                MoveKind::Changes { changes, carries }
            }
            _ => {
                let message = "a move has `to` (with `rest`, `undo`, `purge` and `removes`), or `changes` (with `carries`)";
                findings.push(Diagnostic::new(Code::Contradiction, span, message));
                return None;
            }
        };
        Some(Self {
            name,
            notes,
            of,
            kind,
            set,
            span,
        })
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Path {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    /// Entity and attribute.
    pub(crate) of: Option<(Name, Name)>,
    pub(crate) split: Option<Name>,
    pub(crate) folder: Option<Name>,
    pub(crate) leaf: Option<Name>,
    pub(crate) span: Span,
}

impl Path {
    pub(crate) fn read(name: Name, mut section: Section<'_>, findings: &mut Findings) -> Self {
        let span = section.header();
        let notes = Notes::read(&mut section, findings);
        let of = section.required_text("of", findings);
        let path = Self {
            notes,
            of: of.and_then(|text| dotted(&text, findings)),
            split: section.name("split", findings),
            folder: section.required_name("folder", findings),
            leaf: section.required_name("leaf", findings),
            name,
            span,
        };
        section.finish(findings);
        path
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Carry {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) of: Option<Name>,
    pub(crate) from: Option<Name>,
    pub(crate) to: Option<Name>,
    pub(crate) when: Option<Predicate>,
    pub(crate) set: Vec<Assignment>,
    pub(crate) span: Span,
}

impl Carry {
    pub(crate) fn read(name: Name, mut section: Section<'_>, findings: &mut Findings) -> Self {
        let carry = Self {
            span: section.header(),
            notes: Notes::read(&mut section, findings),
            of: section.required_name("of", findings),
            from: section.required_name("from", findings),
            to: section.required_name("to", findings),
            when: Predicate::read(&mut section, "when", findings),
            set: assignments(&mut section, "set", findings),
            name,
        };
        section.finish(findings);
        carry
    }
}
