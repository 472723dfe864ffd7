//! The REST API in memory: requests as a server parses them, on the five models.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod client;
mod document;
mod every_operation;
mod preconditions;
mod rows;
mod signed;
mod tokens;
