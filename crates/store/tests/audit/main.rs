//! Audits, archives, and rows that a time tells apart.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod formkiq;
mod kept;
mod noted;
mod world;
