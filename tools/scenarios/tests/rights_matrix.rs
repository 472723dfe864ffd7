//! Rights by matrix: every operation of the five models, by callers who may, who may not, of elsewhere, and by none.
//!
//! A *cell* is one call of one caller. Calls follow from the model: each verb of each entity (on rows that different callers
//! see), and those of a fixture for access patterns, moves and repositories; a declaration without a call fails the test,
//! and so does one that nobody is answered. Where the model has no such operation, everybody must be refused. Four of the
//! models also run in a *sharper* variant, with rules that they do not have themselves, so that every right is asked
//! somewhere.
//!
//! What must come of a cell is worked out by a naive evaluator, which has nothing of the store's code or of `expr`'s
//! evaluation: it reads raw items (`state.rs`), rules (`rule_text.rs`, `predicate.rs`) and grants (`grants.rs`), and decides
//! in three values (`evaluator.rs`). What a write would change is seen by letting the program make it and then bringing
//! every item back (`expectation.rs`, `world.rs`); each changed row is asked about, or follows from one that is (`judge.rs`,
//! `moves.rs`, `revisions.rs`). Then for each cell:
//! - the call is let through, Forbidden or NotFound as the evaluator says, and an explanation of it too;
//! - what is refused changes nothing, byte for byte, but the rows of audits; what is allowed changes the same rows as for
//!   the program, none of another tenant;
//! - answers have the rows that the caller may read, and of a row that it may only write the key;
//! - no word of a hidden row (keys included) is in an answer, an error or an explanation (`leaks.rs`);
//! - a call that is said again under its token changes nothing, and shows what a get would, also after rights were lost.
//!
//! Cells that fail today stand in `known` of a fixture, with the reason. Such a cell that holds fails the test too.
//!
//! Bugs that were planted in the store, one at a time, and how many cells found each. Those marked with * were run on
//! FormKiQ with a part of its callers and calls, the others on the four other models:
//!
//! | planted bug | cells |
//! |---|---|
//! | a right not asked of the new row | 6 |
//! | a right not asked of a cascaded row | 13 |
//! | an answer to a token said again, unasked | 3 |
//! | `old` unbound | 53 |
//! | rows that a move carries, unasked | 2 |
//! | keys in explanations | 304 |
//! | rows of a commit, unasked | 6 |
//! | the log's row of a commit, unasked | 2 |
//! | rows of queries not filtered | 404 |
//! | rows of logs not filtered | 13 |
//! | unreadable rows carried to another repository | 1 |
//! | a rule that is not known allows | 18 |
//! | a delete, unasked | 227 |
//! | Forbidden for a hidden row | 404 |
//! | an answer shows a row that may only be written | 9 |
//! | `[isolation]` forgotten | 226 |
//! | rows that come along not filtered | 1 |
//! | a grant without parameters allows * | 376 |
//! | a grant not asked of the new place * | 2 |
//! | a check made with the caller's eyes * | 1 |
//! | InUse always names what refers * | 1 |
//! | the tenant's prefix forgotten in indexes * | 112 |
//! | the bare tenant unbound * | 6 |
//! | a move to another entity, unasked * | 6 |
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
