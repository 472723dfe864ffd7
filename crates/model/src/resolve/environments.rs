//! Environments: what tables are called in other deployments.

use super::names::Names;
use super::notes;
use crate::diagnostic::{Code, Findings};
use crate::model::{Environment, EnvironmentTable, Model, TableId};
use crate::syntax;
use crate::syntax::file::File;

pub(super) fn resolve(
    file: &File,
    names: &Names,
    model: &Model,
    findings: &mut Findings,
) -> Vec<Environment> {
    let declared = file.environments.iter();
    let environments: Vec<_> = declared
        .map(|declared| environment(declared, names, findings))
        .collect();
    // Names of tables that could not be read would be compared with the wrong ones.
    if model.tables.len() == file.tables.len() {
        for environment in &environments {
            refuse_shared_name(environment, model, findings);
        }
    }
    environments
}

fn environment(
    declared: &syntax::environment::Environment,
    names: &Names,
    findings: &mut Findings,
) -> Environment {
    if declared.table_prefix.is_none() && declared.tables.is_empty() {
        let message = format!(
            "the environment `{}` says nothing: give `table_prefix`, or `tables`",
            declared.name.value
        );
        findings.error(Code::MissingKey, declared.span, message);
    }
    let tables = declared.tables.iter().filter_map(|named| {
        let position = names.tables.find(&named.table, findings)?;
        Some(EnvironmentTable {
            table: TableId(position),
            physical: named.physical.clone(),
        })
    });
    Environment {
        name: declared.name.clone(),
        notes: notes(&declared.notes),
        table_prefix: declared.table_prefix.clone(),
        tables: tables.collect(),
        span: declared.span,
    }
}

/// Two tables with one name would be one table.
fn refuse_shared_name(environment: &Environment, model: &Model, findings: &mut Findings) {
    let mut known: Vec<(String, &str)> = Vec::new();
    for (id, table) in model.tables() {
        let physical = environment.name_table(id, &table.physical);
        let name = table.name.value.as_str();
        if let Some((_, other)) = known.iter().find(|(known, _)| *known == physical) {
            let message = format!(
                "the tables `{other}` and `{name}` are both called `{physical}` in the environment `{}`",
                environment.name.value
            );
            findings.error(Code::Contradiction, environment.span, message);
        }
        known.push((physical, name));
    }
}
