//! Operations on whole tables: making them, loading and copying them out, and holding them against the model.

mod adopt;
mod bulk;
mod convert;
mod finish;
mod image;
mod repair;
mod scan;
mod settlement;
mod setup;
mod sweep;
mod table_settings;
mod verify;

pub use adopt::Adoption;
pub use bulk::LoadReport;
pub use image::Image;
pub use repair::{RepairMode, RepairScope, Repaired};
pub use setup::SetupReport;
pub use verify::VerifyOptions;
