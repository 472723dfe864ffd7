//! Every screen, rendered as a server would.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "tests"
)]

mod activity;
mod bench;
mod budgets;
mod escaping;
mod events;
mod model_changes;
mod modes;
mod noted;
mod remote;
mod rendering;
mod witnesses;
mod wordings;
mod writes;
