//! `[environment.N]`

use super::Notes;
use crate::diagnostic::Findings;
use crate::document::Section;
use crate::span::{Name, Span};

#[derive(Clone, Debug)]
pub(crate) struct Environment {
    pub(crate) name: Name,
    pub(crate) notes: Notes,
    pub(crate) table_prefix: Option<Name>,
    pub(crate) tables: Vec<EnvironmentTable>,
    pub(crate) span: Span,
}

/// A table and what it is called there.
#[derive(Clone, Debug)]
pub(crate) struct EnvironmentTable {
    pub(crate) table: Name,
    pub(crate) physical: Name,
}

impl Environment {
    pub(crate) fn read(name: Name, mut section: Section<'_>, findings: &mut Findings) -> Self {
        let span = section.header();
        let environment = Self {
            name,
            notes: Notes::read(&mut section, findings),
            table_prefix: section.name("table_prefix", findings),
            tables: read_tables(&mut section, findings),
            span,
        };
        section.finish(findings);
        environment
    }
}

/// `tables = { Main = "main-of-staging" }`.
fn read_tables(section: &mut Section<'_>, findings: &mut Findings) -> Vec<EnvironmentTable> {
    let Some(mut named) = section.section("tables", findings) else {
        return Vec::new();
    };
    let mut tables = Vec::new();
    for (table, value) in named.take_rest() {
        match value.text() {
            Some(text) => tables.push(EnvironmentTable {
                physical: text.name(),
                table,
            }),
            None => value.wrong_kind(&table.value, "the name of the table in DynamoDB", findings),
        }
    }
    tables
}
