//! DynamoDB's JSON: written from the views, read straight into the stored encoding.

mod read;
mod write;

pub use read::{GivenItem, GivenValue};
