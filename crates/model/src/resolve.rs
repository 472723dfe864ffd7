//! From the syntax tree to the model: names are looked up, defaults filled in, entities made whole.
//!
//! Nothing stops at the first error: what cannot be resolved is left out, and the model is only handed on if
//! nothing was.

mod access;
mod attributes;
mod claims;
mod entities;
mod environments;
mod inherit;
mod keys;
mod kinds;
mod layouts;
mod names;
mod parameters;
mod predicates;
mod repositories;
mod sections;
mod tables;
mod templates;

use crate::diagnostic::{Code, Findings};
use crate::model::{Accept, Assigned, Assignment, Model, Notes};
use crate::suggest::did_you_mean;
use crate::syntax;
use crate::syntax::file::File;
use names::Names;

/// The model, if everything in it can be resolved.
pub(crate) fn resolve(file: &File, findings: &mut Findings) -> Option<Model> {
    let names = Names::of(file, findings);
    let kinds = kinds::Kinds::of(file, findings);
    let tables = tables::tables(file, findings);
    let tenant = sections::tenant(file, &kinds, findings);
    let whole = inherit::whole_entities(file, &names, findings);
    let mut model = Model {
        name: file.name.as_ref().map(|name| name.value.clone())?,
        about: file.about.clone(),
        open: file.open,
        layout: file.layout.clone(),
        settings: attributes::plain(&file.settings, &kinds, findings),
        principal: attributes::plain(&file.principal, &kinds, findings),
        isolation: sections::isolation(file),
        tenant,
        tables,
        environments: Vec::new(),
        entities: Vec::new(),
        access: Vec::new(),
        repositories: Vec::new(),
        derives: Vec::new(),
        checks: Vec::new(),
        grants: Vec::new(),
        moves: Vec::new(),
        paths: Vec::new(),
        carries: Vec::new(),
        audits: Vec::new(),
        archives: Vec::new(),
    };
    if model.tables.is_empty() {
        findings.error(
            Code::MissingKey,
            crate::span::Span { start: 0, end: 0 },
            "a model has at least one [table.Name]",
        );
        return None;
    }
    model.environments = environments::resolve(file, &names, &model, findings);
    entities::add(&mut model, &whole, &names, &kinds, findings);
    layouts::choose(&mut model, findings);
    if model.entities.len() != whole.len() || findings.has_errors() {
        return None;
    }
    sections::add(&mut model, file, &names, findings);
    if findings.has_errors() {
        return None;
    }
    access::add(&mut model, file, &names, findings);
    if model.access.len() != file.access.len() {
        // What others say of a pattern that is not there would be reported too.
        return None;
    }
    claims::check(&model, findings);
    templates::check(&model, findings);
    predicates::check(&model, findings);
    (!findings.has_errors()).then_some(model)
}

fn notes(notes: &syntax::Notes) -> Notes {
    Notes {
        about: notes.about.clone(),
        covers: notes.covers.clone(),
    }
}

fn assignments(assignments: &[syntax::Assignment]) -> Vec<Assignment> {
    let assigned = |value: &syntax::Assigned| match value {
        syntax::Assigned::Template(template) => Assigned::Template(template.clone()),
        syntax::Assigned::Flag(flag) => Assigned::Flag(*flag),
        syntax::Assigned::Number(number) => Assigned::Number(number.clone()),
    };
    assignments
        .iter()
        .map(|assignment| Assignment {
            name: assignment.name.clone(),
            value: assigned(&assignment.value),
        })
        .collect()
}

fn accepts(accepts: &[syntax::access::Accept], findings: &mut Findings) -> Vec<Accept> {
    let mut found = Vec::new();
    for accept in accepts {
        let code = Code::named(&accept.rule.value).filter(|code| code.is_acceptable());
        match code {
            Some(code) => found.push(Accept {
                code,
                reason: accept.reason.clone(),
                span: accept.rule.span,
            }),
            None => {
                let rules = Code::ALL.iter().filter(|code| code.is_acceptable());
                let rules: Vec<_> = rules.map(|code| code.name()).collect();
                let message = format!("there is no rule `{}`", accept.rule.value);
                let help = did_you_mean(&accept.rule.value, rules.iter().copied())
                    .unwrap_or_else(|| format!("rules: {}", rules.join(", ")));
                findings.push(
                    crate::diagnostic::Diagnostic::new(
                        Code::UnknownName,
                        accept.rule.span,
                        message,
                    )
                    .help(help),
                );
            }
        }
    }
    found
}
