//! Operations on whole tables: making them, loading and copying them out, and holding them against the model.

mod backfill;
mod bulk;
mod convert;
mod ownership;
mod repair;
mod scan;
mod settlement;
mod setup;
mod sweep;
mod verify;

pub use bulk::LoadReport;
pub use repair::Repaired;
pub use setup::SetupReport;
pub use verify::{Verification, Violation, ViolationKind};
