//! Operations on whole tables: making them, loading and copying them out, and holding them against the model.

mod ability;
mod adopt;
mod bulk;
mod convert;
mod finish;
mod image;
mod repair;
mod rewrite;
mod scan;
mod settlement;
mod setup;
mod sweep;
mod verify;

pub use ability::{Ability, Need, list_needs};
pub use adopt::Adoption;
pub use bulk::{BackedUpItem, LoadReport};
pub use image::Image;
pub use repair::{RepairMode, RepairScope, Repaired};
pub use rewrite::{ForgottenPage, PlannedPlace, RewrittenPage};
pub use setup::{IndexChange, IndexChangeKind, SetupProgress, SetupReport, SetupScope, SetupWatch};
pub use verify::VerifyOptions;
