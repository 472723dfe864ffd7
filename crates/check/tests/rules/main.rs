//! Every rule: a minimal model that breaks it, and the mistake of a real design that it would have caught.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod minimal;
mod mistakes;
mod repositories;
mod several_attributes;

use monotable_check::check;
use monotable_model::diagnostic::{Code, Diagnostic};
use monotable_model::span::position;

/// What a diagnostic shows, all in one text.
fn shown(text: &str, diagnostic: &Diagnostic) -> String {
    let at = position(text, diagnostic.span.start);
    let examples: Vec<_> = diagnostic
        .counterexample
        .iter()
        .map(|example| format!("{}: {}", example.what, example.text))
        .collect();
    format!(
        "{}:{} {} {} {:?} {} | {}",
        at.line,
        at.column,
        diagnostic.severity,
        diagnostic.code,
        text.get(diagnostic.span.range()).unwrap_or_default(),
        diagnostic.message,
        examples.join("; ")
    )
}

/// Checks that a model breaks one rule and no other, at this text, and that the counterexample says this.
#[track_caller]
fn breaks(text: &str, code: Code, at: &str, example: &str) {
    let diagnostics = check(text).diagnostics;
    contains(text, &diagnostics, code, at, example);
    let others = diagnostics.iter().filter(|found| found.code != code);
    let others: Vec<_> = others.map(|found| shown(text, found)).collect();
    assert!(others.is_empty(), "beside {code}:\n{}", others.join("\n"));
}

/// Checks that a model breaks a rule, perhaps among others.
#[track_caller]
fn reports(text: &str, code: Code, at: &str, example: &str) {
    contains(text, &check(text).diagnostics, code, at, example);
}

#[track_caller]
fn contains(text: &str, diagnostics: &[Diagnostic], code: Code, at: &str, example: &str) {
    let found = diagnostics.iter().any(|found| {
        let spot = text.get(found.span.range()).unwrap_or_default();
        found.code == code && spot.contains(at) && shown(text, found).contains(example)
    });
    let all: Vec<_> = diagnostics.iter().map(|found| shown(text, found)).collect();
    assert!(
        found,
        "no {code} at {at:?} with {example:?}; found:\n{}",
        all.join("\n")
    );
}

/// Checks that a model has no findings.
#[track_caller]
fn passes(text: &str) {
    let reading = check(text);
    let all: Vec<_> = reading
        .diagnostics
        .iter()
        .map(|found| shown(text, found))
        .collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
    assert!(reading.model.is_some());
}
