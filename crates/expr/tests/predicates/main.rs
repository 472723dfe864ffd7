//! Predicates of a model: what they accept, refuse, mean and become.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod decisions;
mod errors;
mod evaluation;
mod limits;
mod parsing;
mod translation;
mod walking;
