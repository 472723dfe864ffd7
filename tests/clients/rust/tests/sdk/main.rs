//! The official Rust SDK against the server that the environment names.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod batches;
mod credentials;
mod expressions;
mod items;
mod library;
mod queries;
mod tables;
mod transactions;
mod wire;
