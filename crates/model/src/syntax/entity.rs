//! `[entity.N]`

use super::access::{Accept, accepts};
use super::attribute::{Attribute, attributes};
use super::claim::Claim;
use super::key::KeyTemplates;
use super::message::read_message;
use super::predicate::Predicate;
use super::relation::Relation;
use super::rows::{Each, each};
use super::rule::{Rule, read_rules};
use super::template::TemplateKind;
use super::{Assignment, Notes, assignments, optional_names};
use crate::diagnostic::Findings;
use crate::document::{Section, Value};
use crate::span::{Name, Span, Spanned};

#[derive(Clone, Debug)]
pub(crate) struct Entity {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) like: Option<Name>,
    pub(crate) table: Option<Name>,
    /// Attribute and `written/also read`.
    pub(crate) is: Vec<(Name, Name)>,
    pub(crate) id: Option<Name>,
    pub(crate) keys: Keys,
    pub(crate) when: Vec<(Name, Predicate)>,
    pub(crate) open: Option<Spanned<bool>>,
    pub(crate) writes: Option<Vec<Name>>,
    pub(crate) message_on_writes: Option<String>,
    pub(crate) on_exists: Option<Name>,
    pub(crate) message_on_exists: Option<String>,
    pub(crate) allow: Vec<(Name, Rule)>,
    pub(crate) must: Vec<(Name, Rule)>,
    pub(crate) owns: Option<Vec<Name>>,
    pub(crate) each: Vec<Each>,
    pub(crate) tombstone: Vec<Assignment>,
    pub(crate) upgrades: Vec<Upgrade>,
    pub(crate) also: Option<Name>,
    pub(crate) volume: Option<Name>,
    pub(crate) layouts: Vec<Layout>,
    pub(crate) accepts: Vec<Accept>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) relation: Option<Relation>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) span: Span,
}

/// The keys of an entity or of one of its layouts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    pub(crate) table: Option<Name>,
    pub(crate) key: Option<KeyTemplates>,
    /// By the name of the index; without templates: not in it.
    pub(crate) indexes: Vec<(Name, KeyTemplates)>,
    pub(crate) global: Option<Vec<Name>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) name: Name,
    pub(crate) keys: Keys,
}

/// How rows of the version before are read.
#[derive(Clone, Debug)]
pub(crate) struct Upgrade {
    pub(crate) to: Name,
    pub(crate) when: Option<Predicate>,
    /// Old and new name.
    pub(crate) rename: Vec<(Name, Name)>,
    pub(crate) set: Vec<Assignment>,
    pub(crate) drop: Vec<Name>,
}

impl Entity {
    pub(crate) fn read(name: Name, section: &mut Section<'_>, findings: &mut Findings) -> Self {
        let mut entity = Self {
            span: section.header(),
            notes: Notes::read(section, findings),
            like: section.name("like", findings),
            table: section.name("table", findings),
            is: constants(section, "is", findings),
            id: section.name("id", findings),
            when: predicates(section, "when", findings),
            open: section.flag("open", findings),
            writes: optional_names(section, "writes", findings),
            message_on_writes: read_message(section, "message_on_writes", findings),
            on_exists: section.name("on_exists", findings),
            message_on_exists: read_message(section, "message_on_exists", findings),
            allow: read_rules(section, "allow", findings),
            must: read_rules(section, "must", findings),
            owns: optional_names(section, "owns", findings),
            each: each(section, findings),
            tombstone: assignments(section, "tombstone", findings),
            upgrades: upgrades(section, findings),
            also: section.name("also", findings),
            volume: section.name("volume", findings),
            layouts: layouts(section, findings),
            accepts: accepts(section, findings),
            claims: claims(section, findings),
            relation: section
                .section("relation", findings)
                .and_then(|section| Relation::read(section, findings)),
            attributes: section
                .section("attributes", findings)
                .map(|section| attributes(section, findings))
                .unwrap_or_default(),
            keys: Keys::default(),
            name,
        };
        entity.keys = Keys::read(section, findings);
        entity
    }
}

impl Keys {
    /// Takes everything that is left: what is no key is an index, or unknown to the resolver.
    fn read(section: &mut Section<'_>, findings: &mut Findings) -> Self {
        let global = optional_names(section, "global", findings);
        let key = section
            .take("key")
            .and_then(|(name, value)| key_templates(&name, value, findings));
        let mut indexes = Vec::new();
        for (name, value) in section.take_rest() {
            if !value.is_key() {
                section.unknown(&name, findings);
                continue;
            }
            let templates = key_templates(&name, value, findings);
            indexes.extend(templates.map(|templates| (name, templates)));
        }
        Self {
            table: None,
            key,
            indexes,
            global,
        }
    }
}

fn key_templates(name: &Name, value: Value<'_>, findings: &mut Findings) -> Option<KeyTemplates> {
    KeyTemplates::read(name, value, TemplateKind::Value, findings)
}

fn constants(section: &mut Section<'_>, key: &str, findings: &mut Findings) -> Vec<(Name, Name)> {
    let Some(mut section) = section.section(key, findings) else {
        return Vec::new();
    };
    let mut constants = Vec::new();
    for (name, value) in section.take_rest() {
        match value.text() {
            Some(text) => constants.push((name, text.name())),
            None => value.wrong_kind(&name.value, "text", findings),
        }
    }
    constants
}

fn predicates(
    section: &mut Section<'_>,
    key: &str,
    findings: &mut Findings,
) -> Vec<(Name, Predicate)> {
    let Some(mut section) = section.section(key, findings) else {
        return Vec::new();
    };
    let mut predicates = Vec::new();
    for (name, value) in section.take_rest() {
        match value.text() {
            Some(text) => {
                let predicate = Predicate::parse(&text, findings);
                predicates.extend(predicate.map(|predicate| (name, predicate)));
            }
            None => value.wrong_kind(&name.value, "a predicate", findings),
        }
    }
    predicates
}

fn layouts(section: &mut Section<'_>, findings: &mut Findings) -> Vec<Layout> {
    let Some(mut section) = section.section("layout", findings) else {
        return Vec::new();
    };
    let mut layouts = Vec::new();
    for (name, value) in section.take_rest() {
        let Some(mut layout) = value.section(&format!("layout.{}", name.value)) else {
            value.wrong_kind(&name.value, "a table of keys", findings);
            continue;
        };
        let table = layout.name("table", findings);
        let keys = Keys {
            table,
            ..Keys::read(&mut layout, findings)
        };
        layouts.push(Layout { name, keys });
    }
    layouts
}

fn claims(section: &mut Section<'_>, findings: &mut Findings) -> Vec<Claim> {
    let Some(mut section) = section.section("unique", findings) else {
        return Vec::new();
    };
    section
        .take_rest()
        .into_iter()
        .filter_map(|(name, value)| Claim::read(name, value, findings))
        .collect()
}

fn upgrades(section: &mut Section<'_>, findings: &mut Findings) -> Vec<Upgrade> {
    let Some(mut section) = section.section("upgrade", findings) else {
        return Vec::new();
    };
    let mut upgrades = Vec::new();
    for (to, value) in section.take_rest() {
        let Some(mut step) = value.section(&format!("upgrade.{}", to.value)) else {
            value.wrong_kind(
                &to.value,
                "a table with `rename`, `set` and `drop`",
                findings,
            );
            continue;
        };
        let upgrade = Upgrade {
            to,
            when: Predicate::read(&mut step, "when", findings),
            rename: constants(&mut step, "rename", findings),
            set: assignments(&mut step, "set", findings),
            drop: step.names("drop", findings),
        };
        step.finish(findings);
        upgrades.push(upgrade);
    }
    upgrades
}
