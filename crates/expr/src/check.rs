//! AWS's rules on expressions, in AWS's order, and the step from what was written to what is meant.
//!
//! A wrong expression usually breaks several rules, and which one AWS reports is part of its behaviour.
//! The order differs between conditions and updates, so each has a function that reads as that order:
//! [`check_condition`], [`check_update`], [`check_projection`].

mod condition;
mod function;
mod new_value;
mod paths;
mod projection;
mod simple_condition;
mod update;
mod words;

pub(crate) use condition::check_condition;
pub(crate) use paths::tree_of;
pub(crate) use projection::check_projection;
pub(crate) use update::check_update;
