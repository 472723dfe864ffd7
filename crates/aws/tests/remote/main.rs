//! The client against a server that answers as a script says.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests"
)]

mod answers;
mod attempts;
mod credential_sources;
mod requests;
mod scripted;
mod surroundings;
