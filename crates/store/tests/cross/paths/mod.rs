//! The ways, by what things are on them.

pub(crate) mod links;
pub(crate) mod moves;
pub(crate) mod origins;
pub(crate) mod rows;
pub(crate) mod snapshots;
pub(crate) mod whole;
