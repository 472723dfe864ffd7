//! DynamoDB's JSON: written from the views, read straight into the stored encoding.

mod allowance;
mod read;
mod write;

pub use allowance::{charge, read_within};
pub use read::{GivenItem, GivenValue};
