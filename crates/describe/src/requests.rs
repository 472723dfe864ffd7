//! The requests of a read plan for people: DynamoDB's JSON, and sentences about what JSON cannot say.
//!
//! Values are texts with places: `{TreeId}` is a parameter of the pattern, `<read 1: TreeId>` what request 1 answered.
//! Everything else is sent as it stands.

mod afterwards;
mod json;
mod sentences;

pub use json::json;

pub(crate) use afterwards::list_sentences;
pub(crate) use json::json_text;
pub(crate) use sentences::{purpose, repeat};
