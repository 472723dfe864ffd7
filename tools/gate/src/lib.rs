//! The dependency gate: the rules about dependencies, of crates and of modules, that the compiler does not check.
//!
//! | module         | rule                                                                       |
//! |----------------|----------------------------------------------------------------------------|
//! | [`layers`]     | the crates below `crates/` see only what the architecture lets them see    |
//! | [`licences`]   | every dependency can be used under a licence on the list                   |
//! | [`duplicates`] | one version of each crate, with a short list of explained exceptions       |
//! | [`refused`]    | no crate that nobody maintains any more                                    |
//! | [`modules`]    | the modules of the store use only those above them, in one order           |
//! | [`callers`]    | functions that are doors are called in one file only                       |
//! | [`guide`]      | the files that ARCHITECTURE.md leads to are there                          |
//! | [`planted_lists`] | the bugs of `tests/planted` can still be planted                       |
//!
//! Each rule is a function from [`Metadata`] to [`Problem`]s, so that a test can plant a broken
//! workspace. The workspace itself is checked by `tests/workspace.rs`, hence by
//! `cargo test --workspace`; `cargo run -p monotable-gate` checks it alone.

mod graph;
mod metadata;
mod problem;
mod sources;
mod uses;

pub mod callers;
pub mod duplicates;
pub mod guide;
pub mod layers;
pub mod licences;
pub mod modules;
pub mod planted_lists;
pub mod refused;

#[cfg(test)]
mod planted;

pub use metadata::{Metadata, MetadataError};
pub use problem::Problem;

/// Applies every rule.
///
/// ```no_run
/// let metadata = monotable_gate::Metadata::of_workspace()?;
/// assert_eq!(monotable_gate::check(&metadata), []);
/// # Ok::<(), monotable_gate::MetadataError>(())
/// ```
#[must_use]
pub fn check(metadata: &Metadata) -> Vec<Problem> {
    [
        layers::check(metadata),
        licences::check(metadata),
        duplicates::check(metadata),
        refused::check(metadata),
        modules::check(metadata),
        callers::check(metadata),
        guide::check(metadata),
        planted_lists::check(metadata),
    ]
    .concat()
}
