//! Tests of the whole module: against brute force, and cases taken from real designs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests stop at the first surprise"
)]

mod cases;
mod languages;
mod pairs;
mod patterns;
mod regexes;
mod tree;
