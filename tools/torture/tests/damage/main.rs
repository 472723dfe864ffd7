//! Files of a closed store that hold something else than was written: opening or `verify` says so, and
//! nothing acknowledged is lost in silence.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "helpers of tests fail like tests"
)]

mod directory;
mod journal;
mod metadata;
mod outcome;
mod store;
mod table_files;
