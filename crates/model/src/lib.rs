//! The model language: a single-table design as a file.

mod check;
pub mod compiled;
pub mod diagnostic;
mod document;
pub mod language;
pub mod model;
mod resolve;
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

/// Reads and resolves a model, without proving anything about it.
#[must_use]
pub fn read(text: &str) -> Reading {
    let mut findings = Findings::default();
    let file = syntax::file::File::parse(text, &mut findings);
    let model = match findings.has_errors() {
        true => None,
        false => file.and_then(|file| resolve::resolve(&file, &mut findings)),
    };
    Reading {
        model,
        diagnostics: findings.into_sorted(),
    }
}

/// Reads, resolves and proves a model.
#[must_use]
pub fn check(text: &str) -> Reading {
    let mut findings = Findings::default();
    let file = syntax::file::File::parse(text, &mut findings);
    let model = match findings.has_errors() {
        true => None,
        false => file.and_then(|file| resolve::resolve(&file, &mut findings)),
    };
    if let Some(model) = &model {
        check::check(model, &mut findings);
    }
    Reading {
        model: model.filter(|_| !findings.has_errors()),
        diagnostics: findings.into_sorted(),
    }
}
