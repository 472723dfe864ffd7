//! Moves of whole collections while others write: each race that was once lost, request by request.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod late_change;
mod late_path;
mod purged_anew;
