//! Calls that are named by a token: whose they are, what they answer the second time, and what a crash leaves of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests"
)]

mod commits;
mod crashes;
mod entropy;
mod isolation;
#[path = "../repositories/player.rs"]
mod player;
mod races;
mod replays;
mod scope;
mod world;
