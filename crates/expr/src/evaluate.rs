//! Predicates on items, read where they are stored.
//!
//! AWS's rules in short: a comparison with something that is missing, or of two types, is false; only
//! `<>` is true then. Numbers compare by value, strings and bytes by their bytes, sets without order,
//! maps and lists in depth.

mod datum;
mod predicate;

pub(crate) use datum::{Datum, size};
pub(crate) use predicate::{compare, is_true};
