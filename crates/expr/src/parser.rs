//! Tokens to [`crate::syntax`]. No function here calls itself, whatever the text nests.

mod condition;
mod cursor;
mod path;
mod projection;
mod update;

pub(crate) use condition::{Expected, Stuck, parse_condition, parse_predicate};
pub(crate) use projection::parse_projection;
pub(crate) use update::parse_update;
