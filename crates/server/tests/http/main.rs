//! The server through a real socket.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod access_logs;
mod browsers;
mod client;
mod codings;
mod crowds;
mod failures;
mod fuzz;
mod keys;
mod lanes;
mod late_table;
mod limits;
mod measurements;
mod memory;
mod policies;
mod probes;
mod protocol;
mod regions;
mod running;
mod shutdown;
mod signatures;
mod signed;
mod tls;
