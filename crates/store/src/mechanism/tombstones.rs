//! Rows that are deleted by a mark.

pub(crate) mod verify;
