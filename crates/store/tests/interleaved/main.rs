//! Two clients, switched at every request: whatever the order, the model's promises hold afterwards.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod documents;
mod families;
mod schedule;
