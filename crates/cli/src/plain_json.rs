//! Items as plain JSON for people: `{"Artist": "Nina Simone", "Released": 1965}`.
//!
//! Strings, numbers, booleans, null, lists and maps are what they look like, and all 38 digits of a number are shown. A set is
//! shown as an array and a binary value as a base64 string, so reading them back gives a list or a string; DynamoDB's own
//! JSON (`--ddb-json`) keeps every type. What is read is the data layer's JSON (`monotable_store::wire`), which also
//! takes its marks: `{"$set": [..]}`, `{"$bytes": ".."}`.

mod rendering;

pub(crate) use monotable_store::wire::{read_item, read_value};
pub(crate) use rendering::{PlainItem, PlainValue, is_reversible};
