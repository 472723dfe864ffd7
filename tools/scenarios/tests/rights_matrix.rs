//! Rights by matrix: every operation of the five models, by callers who may, who may not, of another tenant, and by none.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "tests"
)]

mod rights_matrix {
    pub(crate) mod answers;
    pub(crate) mod cells;
    pub(crate) mod evaluator;
    pub(crate) mod expectation;
    pub(crate) mod fixture;
    pub(crate) mod grants;
    pub(crate) mod judge;
    pub(crate) mod leaks;
    pub(crate) mod moves;
    pub(crate) mod plain;
    pub(crate) mod predicate;
    pub(crate) mod replay;
    pub(crate) mod report;
    pub(crate) mod revisions;
    pub(crate) mod rule_text;
    pub(crate) mod runner;
    pub(crate) mod state;
    pub(crate) mod template;
    pub(crate) mod world;
}

use rights_matrix::fixture::Fixture;
use rights_matrix::report::Report;
use rights_matrix::runner;

/// Runs a model in each of its variants.
fn run_matrix(text: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let fixture = Fixture::parse(text);
    let variants = fixture.variants.iter();
    let reports: Vec<_> = variants
        .map(|variant| runtime.block_on(runner::run(&fixture, variant)))
        .inspect(Report::print)
        .collect();
    reports.iter().for_each(Report::assert_sound);
}

#[test]
fn yggdrasil_shows_and_changes_what_its_rules_say() {
    run_matrix(include_str!("rights_matrix/yggdrasil.json"));
}

#[test]
fn processproof_shows_and_changes_what_its_rules_say() {
    run_matrix(include_str!("rights_matrix/processproof.json"));
}

#[test]
fn authorization_shows_and_changes_what_its_rules_say() {
    run_matrix(include_str!("rights_matrix/authorization.json"));
}

#[test]
fn values_shows_and_changes_what_its_rules_say() {
    run_matrix(include_str!("rights_matrix/values.json"));
}

#[test]
fn formkiq_shows_and_changes_what_its_rules_say() {
    run_matrix(include_str!("rights_matrix/formkiq.json"));
}
