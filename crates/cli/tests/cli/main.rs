//! The binary as users run it: what it prints, its exit codes, and what is in the store afterwards.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]
#![cfg(unix)]

mod check;
mod completions;
mod describe;
mod doctor;
mod endpoint;
mod examples;
mod exit_codes;
mod export;
mod exposed;
mod first_minute;
mod forms;
mod generate;
mod histories;
mod hostile;
mod http;
mod input;
mod kept_apart;
mod keys;
mod killed;
mod links;
mod pages;
mod pasted;
mod pictures;
mod policies;
mod regions;
mod rows;
mod sandbox;
mod serving;
mod signals;
mod spellings;
mod system_pages;
mod versions;
