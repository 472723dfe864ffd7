//! `[check.N]` and `[grant.N]`: what other rows decide.

use super::message::read_message;
use super::predicate::Predicate;
use super::template::{Template, TemplateKind};
use super::{Assignment, Notes, assignments, optional_names};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::document::Section;
use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub(crate) struct Check {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) of: Option<Name>,
    pub(crate) on: Option<Vec<Name>>,
    pub(crate) when: Option<Predicate>,
    pub(crate) demand: CheckRule,
    pub(crate) set: Vec<Assignment>,
    pub(crate) message: Option<String>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum CheckRule {
    Must(Predicate),
    Among {
        value: Name,
        pattern: Name,
        attribute: Name,
        allow_none: bool,
    },
    Absent(Name),
}

impl Check {
    pub(crate) fn read(
        name: Name,
        mut section: Section<'_>,
        findings: &mut Findings,
    ) -> Option<Self> {
        let span = section.header();
        let notes = Notes::read(&mut section, findings);
        let of = section.required_name("of", findings);
        let on = optional_names(&mut section, "on", findings);
        let when = Predicate::read(&mut section, "when", findings);
        let must = Predicate::read(&mut section, "must", findings);
        let value = section.name("value", findings);
        let among = section.text("among", findings);
        let none = section.name("none", findings);
        let absent = section.name("absent", findings);
        let set = assignments(&mut section, "set", findings);
        let told = read_message(&mut section, "message", findings);
        section.finish(findings);
        if let (Some(none), None) = (&none, &among) {
            findings.error(
                Code::Contradiction,
                none.span,
                "`none` says what is allowed where `among` finds nothing",
            );
        }
        let allow_none = allows(none, findings);
        let demand = match (must, value, among, absent) {
            (Some(must), None, None, None) => CheckRule::Must(must),
            (None, Some(value), Some(among), None) => {
                let (pattern, attribute) = super::history::dotted(&among, findings)?;
                CheckRule::Among {
                    value,
                    pattern,
                    attribute,
                    allow_none,
                }
            }
            (None, None, None, Some(absent)) => CheckRule::Absent(absent),
            _ => {
                let message = "a check has one of: `must`, `value` with `among = \"pattern.attribute\"`, `absent`";
                findings.push(Diagnostic::new(Code::Contradiction, span, message));
                return None;
            }
        };
        Some(Self {
            name,
            notes,
            of,
            on,
            when,
            demand,
            set,
            message: told,
            span,
        })
    }
}

fn allows(none: Option<Name>, findings: &mut Findings) -> bool {
    let Some(none) = none else { return false };
    if none.value != "allow" {
        findings.error(
            Code::WrongKind,
            none.span,
            "`none` is \"allow\", or left out",
        );
    }
    true
}

#[derive(Clone, Debug)]
pub(crate) struct Grant {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) of: Vec<Name>,
    pub(crate) access: Option<Name>,
    pub(crate) above: Option<Name>,
    pub(crate) allows: Option<Template>,
    pub(crate) all: Option<Name>,
    pub(crate) allow_none: bool,
    pub(crate) unless: Option<Predicate>,
    pub(crate) set: Vec<Assignment>,
    pub(crate) message: Option<String>,
    pub(crate) span: Span,
}

impl Grant {
    pub(crate) fn read(name: Name, mut section: Section<'_>, findings: &mut Findings) -> Self {
        let span = section.header();
        let notes = Notes::read(&mut section, findings);
        let of = section.required_names("of", findings);
        let access = section.required_name("access", findings);
        let above = section.name("above", findings);
        let allows_text = section.required_text("allows", findings);
        let all = section.name("all", findings);
        let none = section.name("none", findings);
        let unless = Predicate::read(&mut section, "unless", findings);
        let set = assignments(&mut section, "set", findings);
        let message = read_message(&mut section, "message", findings);
        section.finish(findings);
        Self {
            name,
            notes,
            of,
            access,
            above,
            allows: allows_text
                .and_then(|text| Template::parse(&text, TemplateKind::Value, findings)),
            all,
            allow_none: allows(none, findings),
            unless,
            set,
            message,
            span,
        }
    }
}
