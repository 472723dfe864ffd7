//! AWS's rules on expressions, in AWS's order, and the step from what was written to what is meant.
//!
//! A wrong expression usually breaks several rules, and which one AWS reports is part of its behaviour.
//! The order differs between conditions and updates, so each has a function that reads as that order:
//! [`check_condition`], [`check_update`], [`check_projection`].

mod assemble;
mod condition;
mod function;
mod new_value;
mod paths;
mod projection;
mod simple_condition;
mod update;
mod words;

pub(crate) use assemble::{Operator, Place, assemble, predicate};
pub(crate) use condition::{check_condition, check_function, join};
pub(crate) use function::Function;
pub(crate) use paths::tree_of;
pub(crate) use projection::check_projection;
pub(crate) use simple_condition::{check_operand_count, operands};
pub(crate) use update::check_update;
pub(crate) use words::{check_operator_count, index};
