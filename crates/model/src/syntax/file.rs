//! A whole model.

use super::access::Access;
use super::attribute::{Attribute, attributes};
use super::entity::Entity;
use super::environment::Environment;
use super::history::{Archive, Audit};
use super::movement::{Carry, Move, Path};
use super::policy::{Check, Grant};
use super::repository::Repository;
use super::rows::Derive;
use super::table::Table;
use super::tenancy::{Isolation, Tenant};
use crate::diagnostic::{Code, Findings};
use crate::document::{self, Section, span_of};
use crate::span::{Name, Span, Spanned};

/// The versions of the language that this release reads.
pub(crate) const VERSION: i64 = 1;

#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) name: Option<Name>,
    pub(crate) about: Option<String>,
    pub(crate) open: bool,
    pub(crate) layout: Vec<Name>,
    pub(crate) settings: Vec<Attribute>,
    pub(crate) types: Vec<Attribute>,
    pub(crate) principal: Vec<Attribute>,
    pub(crate) isolation: Option<Isolation>,
    pub(crate) tenant: Option<Tenant>,
    pub(crate) tables: Vec<Table>,
    pub(crate) environments: Vec<Environment>,
    pub(crate) entities: Vec<Entity>,
    pub(crate) repositories: Vec<Repository>,
    pub(crate) access: Vec<Access>,
    pub(crate) derives: Vec<Derive>,
    pub(crate) checks: Vec<Check>,
    pub(crate) grants: Vec<Grant>,
    pub(crate) moves: Vec<Move>,
    pub(crate) paths: Vec<Path>,
    pub(crate) carries: Vec<Carry>,
    pub(crate) audits: Vec<Audit>,
    pub(crate) archives: Vec<Archive>,
}

impl File {
    pub(crate) fn parse(text: &str, findings: &mut Findings) -> Option<Self> {
        let table = document::parse(text, findings)?;
        let whole = span_of(&table);
        let mut root = Section::new(text, "", whole, table.get_ref());
        if !version(&mut root, findings) {
            return None;
        }
        let file = Self::read(&mut root, findings);
        root.finish(findings);
        Some(file)
    }

    fn read(root: &mut Section<'_>, findings: &mut Findings) -> Self {
        Self {
            name: root.required_name("model", findings),
            about: root.text("about", findings).map(|text| text.value),
            open: root.flag("open", findings).is_some_and(|flag| flag.value),
            layout: root.names("layout", findings),
            settings: named_attributes(root, "setting", findings),
            types: named_attributes(root, "type", findings),
            principal: named_attributes(root, "principal", findings),
            isolation: root
                .section("isolation", findings)
                .map(|section| Isolation::read(section, findings)),
            tenant: root
                .section("tenant", findings)
                .and_then(|section| Tenant::read(section, findings)),
            tables: each(root, "table", findings, |name, mut section, findings| {
                Some(Table::read(name, &mut section, findings))
            }),
            environments: each(root, "environment", findings, |name, section, findings| {
                Some(Environment::read(name, section, findings))
            }),
            entities: each(root, "entity", findings, |name, mut section, findings| {
                Some(Entity::read(name, &mut section, findings))
            }),
            repositories: each(root, "repository", findings, |name, section, findings| {
                Some(Repository::read(name, section, findings))
            }),
            access: each(root, "access", findings, |name, mut section, findings| {
                Some(Access::read(name, &mut section, findings))
            }),
            derives: each(root, "derive", findings, |name, section, findings| {
                Some(Derive::read(name, section, findings))
            }),
            checks: each(root, "check", findings, Check::read),
            grants: each(root, "grant", findings, |name, section, findings| {
                Some(Grant::read(name, section, findings))
            }),
            moves: each(root, "move", findings, Move::read),
            paths: each(root, "path", findings, |name, section, findings| {
                Some(Path::read(name, section, findings))
            }),
            carries: each(root, "carry", findings, |name, section, findings| {
                Some(Carry::read(name, section, findings))
            }),
            audits: each(root, "audit", findings, |name, section, findings| {
                Some(Audit::read(name, section, findings))
            }),
            archives: each(root, "archive", findings, |name, section, findings| {
                Some(Archive::read(name, section, findings))
            }),
        }
    }
}

/// Whether the model is written in a version that is known.
fn version(root: &mut Section<'_>, findings: &mut Findings) -> bool {
    let Some((_, value)) = root.take("monotable") else {
        let message =
            format!("a model begins with the version of its language: `monotable = {VERSION}`");
        findings.error(Code::MissingKey, Span { start: 0, end: 0 }, message);
        return true;
    };
    let found = value.integer();
    if found != Some(VERSION) {
        let found = found.map(|found| Spanned::new(found, value.span()));
        let message = match found {
            Some(found) => format!(
                "version {} of the language is not known to this release, which reads {VERSION}",
                *found
            ),
            None => format!("the version of the language is a number: `monotable = {VERSION}`"),
        };
        findings.error(Code::UnknownVersion, value.span(), message);
        return false;
    }
    true
}

fn named_attributes(root: &mut Section<'_>, key: &str, findings: &mut Findings) -> Vec<Attribute> {
    let section = root.section(key, findings);
    section
        .map(|section| attributes(section, findings))
        .unwrap_or_default()
}

fn each<T>(
    root: &mut Section<'_>,
    key: &str,
    findings: &mut Findings,
    read: impl Fn(Name, Section<'_>, &mut Findings) -> Option<T>,
) -> Vec<T> {
    root.sections(key, findings)
        .into_iter()
        .filter_map(|(name, section)| read(name, section, findings))
        .collect()
}
