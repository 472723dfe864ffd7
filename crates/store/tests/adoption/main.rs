//! Tables that have rows which another program wrote, before they are adopted: nothing is decided as if these were not there.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod claims;
mod counters;
mod layouts;
mod relations;
mod times;
mod times_of_several;
mod world;
