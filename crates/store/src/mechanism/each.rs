//! Items that are stored as several rows.

pub(crate) mod verify;
