//! `[table.N]`

use super::Notes;
use crate::diagnostic::Findings;
use crate::document::{Section, Text, Value, text_lists, texts};
use crate::span::{Name, Span, Spanned};

#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) key: Vec<Name>,
    pub(crate) physical: Option<String>,
    pub(crate) indexes: Vec<Index>,
    pub(crate) ttl: Option<Name>,
    pub(crate) pitr: bool,
    pub(crate) stream: Option<Name>,
    pub(crate) deletion_protection: Option<bool>,
    pub(crate) billing: Option<Billing>,
    pub(crate) tags: Vec<Tag>,
    pub(crate) span: Span,
}

/// How a table is paid for: `"on_demand"`, or `{ read = 5, write = 5 }`.
#[derive(Clone, Debug)]
pub(crate) enum Billing {
    Word(Name),
    Units {
        read: Option<Spanned<usize>>,
        write: Option<Spanned<usize>>,
        span: Span,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct Tag {
    pub(crate) key: Name,
    pub(crate) value: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) name: Name,
    /// The attributes of the partition key and of the sort key.
    pub(crate) key: Vec<Vec<Name>>,
    pub(crate) physical: Option<String>,
    pub(crate) project: Option<Spanned<Vec<Name>>>,
    pub(crate) local: bool,
    pub(crate) span: Span,
}

impl Table {
    pub(crate) fn read(name: Name, section: &mut Section<'_>, findings: &mut Findings) -> Self {
        let span = section.header();
        let notes = Notes::read(section, findings);
        let table = Self {
            name,
            notes,
            key: section.required_names("key", findings),
            physical: section.text("name", findings).map(|text| text.value),
            ttl: section.name("ttl", findings),
            pitr: section
                .flag("pitr", findings)
                .is_some_and(|flag| flag.value),
            stream: section.name("stream", findings),
            deletion_protection: section
                .flag("deletion_protection", findings)
                .map(|flag| flag.value),
            billing: Billing::read(section, findings),
            tags: tags(section, findings),
            indexes: Vec::new(),
            span,
        };
        // What is left and can be an index is one; the rest is reported.
        let mut indexes = Vec::new();
        for (name, value) in section.take_rest() {
            if !value.is_key() && !value.is_table() {
                section.unknown(&name, findings);
                continue;
            }
            indexes.extend(Index::read(name, value, findings));
        }
        Self { indexes, ..table }
    }
}

impl Billing {
    fn read(section: &mut Section<'_>, findings: &mut Findings) -> Option<Self> {
        let (_, value) = section.take("billing")?;
        if let Some(word) = value.text() {
            return Some(Self::Word(word.name()));
        }
        let Some(mut units) = value.section("billing") else {
            let wanted = "\"on_demand\", or units per second such as { read = 5, write = 5 }";
            value.wrong_kind("billing", wanted, findings);
            return None;
        };
        for key in ["read", "write"] {
            if !units.has(key) {
                units.missing(key, findings);
            }
        }
        let read = units.count("read", findings);
        let write = units.count("write", findings);
        units.finish(findings);
        Some(Self::Units {
            read,
            write,
            span: value.span(),
        })
    }
}

fn tags(section: &mut Section<'_>, findings: &mut Findings) -> Vec<Tag> {
    let Some(mut section) = section.section("tags", findings) else {
        return Vec::new();
    };
    let mut tags = Vec::new();
    for (key, value) in section.take_rest() {
        match value.text() {
            Some(text) => tags.push(Tag {
                key,
                value: text.value,
            }),
            None => value.wrong_kind(&key.value, "the text of a tag", findings),
        }
    }
    tags
}

impl Index {
    fn read(name: Name, value: Value<'_>, findings: &mut Findings) -> Option<Self> {
        let span = value.span();
        let Some(mut section) = value.section(&name.value) else {
            if value.elements().is_none() {
                value.wrong_kind(
                    &name.value,
                    "the key of an index, such as [\"GSI1PK\", \"GSI1SK\"]",
                    findings,
                );
                return None;
            }
            let key = text_lists(&name.value, value, findings)?;
            return Some(Self {
                name,
                key: names(&key),
                physical: None,
                project: None,
                local: false,
                span,
            });
        };
        let key = section.take("key");
        if key.is_none() {
            section.missing("key", findings);
        }
        let key = key.and_then(|(_, value)| text_lists("key", value, findings));
        let index = Self {
            key: names(&key.unwrap_or_default()),
            physical: section.text("name", findings).map(|text| text.value),
            project: project(&mut section, findings),
            local: section
                .flag("local", findings)
                .is_some_and(|flag| flag.value),
            name,
            span,
        };
        section.finish(findings);
        Some(index)
    }
}

fn names(lists: &[Vec<Text>]) -> Vec<Vec<Name>> {
    let names = |texts: &Vec<Text>| texts.iter().map(Text::name).collect();
    lists.iter().map(names).collect()
}

fn project(section: &mut Section<'_>, findings: &mut Findings) -> Option<Spanned<Vec<Name>>> {
    let (_, value) = section.take("project")?;
    let names = texts("project", value, findings)?;
    let names = names.iter().map(Text::name).collect();
    Some(Spanned::new(names, value.span()))
}
