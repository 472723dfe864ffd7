//! What fuzzing checks. Each target is a function of bytes: whatever they are, nothing panics, and what is read is written and
//! read again the same.
//!
//! - `fuzz/` is the folder of `cargo fuzz`, outside of the workspace: its programs call one target each, for hours;
//! - `tests/short.rs` runs every target on its corpus and on changed copies of it, with an ordinary compiler
//!   (`MONOTABLE_FUZZ` says on how many);
//! - `cargo run -p monotable-fuzz` writes the corpora (`corpus.rs`) from golden scripts, models and scenarios.
//!
//! Layout: [`TARGETS`] is the list; `target/` has one file for each; [`mutate`] changes inputs; `template.rs` is the small
//! store whose files are damaged.

pub mod corpus;
mod flaw;
pub mod mutate;
mod target;
mod template;

pub use flaw::Flaw;

use target::{
    cursor, expression, item, journal, model, partiql, policy, request, rest, signature, table_file,
};

/// One thing that is fuzzed.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, which is that of its program and of its corpus.
    pub name: &'static str,
    /// Looks at an input; an error is a property that does not hold.
    pub check: fn(&[u8]) -> Result<(), Flaw>,
    /// How much an input costs, as a multiple of the cheapest.
    pub cost: u32,
}

const fn target(name: &'static str, check: fn(&[u8]) -> Result<(), Flaw>, cost: u32) -> Target {
    Target { name, check, cost }
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("request", request::check, 1),
    target("expression", expression::check, 1),
    target("partiql", partiql::check, 4),
    target("item", item::check, 1),
    target("journal", journal::check, 100),
    target("table_file", table_file::check, 100),
    target("signature", signature::check, 10),
    target("policy", policy::check, 1),
    target("model", model::check, 20),
    target("cursor", cursor::check, 10),
    target("rest", rest::check, 4),
];

/// The target of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
