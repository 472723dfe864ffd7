//! Every operation against policies of every kind: what was written down by hand, what a naive evaluator says that was
//! written from AWS's documentation and shares no code with the crate, and what the crate says must be the same.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod by_hand;
mod facts;
mod generated;
mod judge;
mod key_conditions;
mod naive;
mod statement_text;
mod table;
