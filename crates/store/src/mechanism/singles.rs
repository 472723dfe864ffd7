//! Patterns that find one row at most.

pub(crate) mod verify;
