//! Rotten files: what still works, what is said about them, and what `Doctor` makes of them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail like tests"
)]

mod agreement;
mod doctor;
mod exchanged;
mod journals;
mod scrub;
mod store;
