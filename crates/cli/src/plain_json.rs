//! Items as plain JSON: `{"Artist": "Nina Simone", "Released": 1965}`.
//!
//! Strings, numbers, booleans, null, lists and maps are what they look like. Numbers are taken as their
//! text, never as floats, so that all 38 digits survive both ways. Sets and binary values have no plain
//! form: a set prints as an array, a binary value as a base64 string, and reading that back gives a list
//! or a string. DynamoDB's own JSON (`--ddb-json`) keeps every type.

mod read;
mod write;

pub(crate) use read::{read_item, read_value};
pub(crate) use write::{PlainItem, PlainValue, is_reversible};
