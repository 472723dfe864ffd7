//! Operations on whole stores, on engines in memory.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod backup;
mod copy;
mod faults;
mod load;
mod migrate;
mod migrate_groups;
mod migrate_models;
mod migrate_random;
mod migrate_random_groups;
mod seed;
mod shop;
