//! Heads, logs, snapshots and intents.

pub(crate) mod verify;
