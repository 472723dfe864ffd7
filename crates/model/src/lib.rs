//! The model language: a single-table design as a file.

mod check;
pub mod compiled;
pub mod describe;
pub mod diagnostic;
mod document;
pub mod language;
pub mod model;
mod resolve;
pub mod schema;
mod shape;
pub mod span;
mod suggest;
mod syntax;

use diagnostic::{Diagnostic, Findings};
use model::Model;

/// What came of reading a model.
#[derive(Debug)]
pub struct Reading {
    /// The model, unless it has errors.
    pub model: Option<Model>,
    /// What is wrong with it, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a model into its syntax tree, and reports what is wrong with its text. Nothing is looked up yet.
#[must_use]
pub fn parse(text: &str) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    let _file = syntax::file::File::parse(text, &mut findings);
    findings.into_sorted()
}

/// Reads and resolves a model, without proving anything about it.
#[must_use]
pub fn read(text: &str) -> Reading {
    let mut findings = Findings::default();
    let model = resolved(text, &mut findings);
    Reading {
        model,
        diagnostics: findings.into_sorted(),
    }
}

/// Reads, resolves and proves a model.
#[must_use]
pub fn check(text: &str) -> Reading {
    let mut findings = Findings::default();
    let model = resolved(text, &mut findings);
    if let Some(model) = &model {
        check::check(model, &mut findings);
    }
    Reading {
        model: model.filter(|_| !findings.has_errors()),
        diagnostics: findings.into_sorted(),
    }
}

fn resolved(text: &str, findings: &mut Findings) -> Option<Model> {
    let file = syntax::file::File::parse(text, findings)?;
    // Names of what could not be read would be reported as unknown.
    match findings.has_errors() {
        true => None,
        false => resolve::resolve(&file, findings),
    }
}
