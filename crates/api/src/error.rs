//! DynamoDB's exceptions: one closed enum, its HTTP answer, and the way back from one.

mod body;
mod cancellation;
mod exception;
mod traits;

pub use cancellation::{CancellationCode, CancellationReason};
pub use exception::Error;

pub(crate) use cancellation::Codes;
