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
mod complaints;
mod completions;
mod describe;
mod doctor;
mod endpoint;
mod examples;
mod exit_codes;
mod export;
mod exposed;
mod faults;
mod first_minute;
mod forms;
mod generate;
mod histories;
mod hostile;
mod http;
mod import;
mod infer;
mod input;
mod kept_apart;
mod keys;
mod killed;
mod links;
mod operations;
mod pages;
mod pasted;
mod pictures;
mod policies;
mod regions;
mod roles;
mod rows;
mod sandbox;
mod served_models;
mod serving;
mod setup;
mod signals;
mod spellings;
mod system_pages;
mod versions;
