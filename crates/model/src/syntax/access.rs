//! `[access.N]`: an access pattern.

use super::history::dotted;
use super::key::KeyTemplates;
use super::predicate::Predicate;
use super::template::TemplateKind;
use super::{Assignment, Notes, assignments};
use crate::diagnostic::{Code, Diagnostic, Findings};
use crate::document::{Section, Text, Value};
use crate::span::{Name, Span, Spanned};

#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) ways: Vec<Way>,
    pub(crate) returns: Vec<Name>,
    pub(crate) drops: Vec<Name>,
    pub(crate) one: bool,
    pub(crate) order: Option<Name>,
    pub(crate) limit: Option<Spanned<usize>>,
    pub(crate) consistent: Option<Spanned<bool>>,
    pub(crate) filter: Option<Predicate>,
    pub(crate) sort: Vec<Name>,
    pub(crate) distinct: Vec<Name>,
    pub(crate) follow: Vec<Name>,
    pub(crate) only: Vec<Name>,
    pub(crate) set: Vec<Assignment>,
    pub(crate) layout: Option<Name>,
    pub(crate) accepts: Vec<Accept>,
    pub(crate) span: Span,
}

/// A finding that the model accepts, and why.
#[derive(Clone, Debug)]
pub(crate) struct Accept {
    pub(crate) rule: Name,
    pub(crate) reason: String,
}

/// How a pattern reaches its rows.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    /// A condition on the table's key, or on an index's.
    Keys {
        index: Name,
        key: KeyTemplates,
    },
    Through {
        entity: Name,
        claim: Name,
    },
    Union(Vec<Name>),
    Steps(Vec<Name>),
    Walk(Vec<Walk>),
    Resolve(Name),
    Diff(Name),
    Pointer(Vec<(Name, Name)>),
}

/// `Relation.end where P`
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    pub(crate) entity: Name,
    pub(crate) end: Name,
    pub(crate) filter: Option<Predicate>,
}

impl Access {
    pub(crate) fn read(name: Name, section: &mut Section<'_>, findings: &mut Findings) -> Self {
        let span = section.header();
        let notes = Notes::read(section, findings);
        let mut ways = composed(section, findings);
        let mut access = Self {
            notes,
            returns: section.names("returns", findings),
            drops: section.names("drops", findings),
            one: section.flag("one", findings).is_some_and(|flag| flag.value),
            order: section.name("order", findings),
            limit: section.count("limit", findings),
            consistent: section.flag("consistent", findings),
            filter: Predicate::read(section, "filter", findings),
            sort: section.names("sort", findings),
            distinct: section.names("distinct", findings),
            follow: section.names("follow", findings),
            only: section.names("only", findings),
            set: assignments(section, "set", findings),
            layout: section.name("layout", findings),
            accepts: accepts(section, findings),
            ways: Vec::new(),
            name,
            span,
        };
        if let Some((index, value)) = section.take("key") {
            ways.extend(keys(index, value, findings));
        }
        // Everything else is an index, or unknown: the resolver knows the names of indexes.
        for (index, value) in section.take_rest() {
            if value.is_key() {
                ways.extend(keys(index, value, findings))
            } else {
                section.unknown(&index, findings)
            }
        }
        access.ways = ways;
        access
    }
}

fn keys(index: Name, value: Value<'_>, findings: &mut Findings) -> Option<Way> {
    let key = KeyTemplates::read(&index, value, TemplateKind::Condition, findings)?;
    Some(Way::Keys { index, key })
}

fn composed(section: &mut Section<'_>, findings: &mut Findings) -> Vec<Way> {
    let mut ways = Vec::new();
    if let Some(text) = section.text("through", findings) {
        let claim = dotted(&text, findings);
        ways.extend(claim.map(|(entity, claim)| Way::Through { entity, claim }));
    }
    let list =
        |names: Vec<Name>, make: fn(Vec<Name>) -> Way| (!names.is_empty()).then(|| make(names));
    ways.extend(list(section.names("union", findings), Way::Union));
    ways.extend(list(section.names("steps", findings), Way::Steps));
    if let Some(texts) = section.texts("walk", findings) {
        let walks = texts
            .iter()
            .filter_map(|text| walk(text, findings))
            .collect();
        ways.push(Way::Walk(walks));
    }
    ways.extend(section.name("resolve", findings).map(Way::Resolve));
    ways.extend(section.name("diff", findings).map(Way::Diff));
    if let Some(texts) = section.texts("pointer", findings) {
        let keys = texts
            .iter()
            .filter_map(|text| dotted(text, findings))
            .collect();
        ways.push(Way::Pointer(keys));
    }
    ways
}

fn walk(text: &Text, findings: &mut Findings) -> Option<Walk> {
    let (way, filter) = match text.as_str().find(" where ") {
        Some(at) => (
            text.part(0, at).trimmed(),
            Some(text.part(at + " where ".len(), text.value.len())),
        ),
        None => (text.clone(), None),
    };
    let (entity, end) = dotted(&way, findings)?;
    let filter = match filter {
        Some(text) => Some(Predicate::parse(&text, findings)?),
        None => None,
    };
    Some(Walk {
        entity,
        end,
        filter,
    })
}

/// `accept.rule = "reason"`
pub(crate) fn accepts(section: &mut Section<'_>, findings: &mut Findings) -> Vec<Accept> {
    let Some(mut rules) = section.section("accept", findings) else {
        return Vec::new();
    };
    let mut accepts = Vec::new();
    for (rule, value) in rules.take_rest() {
        match value.text() {
            Some(reason) if !reason.value.trim().is_empty() => accepts.push(Accept {
                rule,
                reason: reason.value,
            }),
            Some(_) => findings.push(Diagnostic::new(
                Code::MissingKey,
                value.span(),
                "a finding is accepted for a reason: say it here",
            )),
            None => value.wrong_kind(&rule.value, "the reason why it is accepted", findings),
        }
    }
    accepts
}
