//! The requests to DynamoDB that an access pattern becomes.
//!
//! Values are texts with places: `{TreeId}` is a parameter of the pattern, `<read 1: TreeId>` what request 1
//! answered. Everything else is sent as it stands.

mod afterwards;
mod condition;
mod filter;
mod given;
mod json;
mod pattern_request;
mod plan;
mod reach;
mod segments;
mod snapshots;
mod through;
mod walk;
mod ways;

pub use pattern_request::{Operation, PatternRequest, Repeat, RequestValue, ValueKind, Variant};
pub use plan::{PatternPlan, requests};

pub(crate) use json::text as json_text;
pub(crate) use reach::finder;
