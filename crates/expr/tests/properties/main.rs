//! Random expressions on random items, against evaluators written for these tests alone.
//!
//! `ast` has expressions of its own and prints them; `naive` evaluates those on value trees. The crate
//! only ever sees the text and the stored bytes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod ast;
mod conditions;
mod decisions;
mod naive;
mod predicates;
mod projections;
mod strategies;
mod texts;
mod updates;
