//! The phases of a migration, as data.

use serde::{Deserialize, Serialize};

/// One phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Phase {
    /// Its name.
    pub name: PhaseName,
    /// Who does it.
    pub actor: Actor,
    /// What is done, in sentences.
    pub what: String,
    /// Which programs may run meanwhile, and why.
    pub programs: String,
    /// How it is checked.
    pub checked: String,
}

/// Who does a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// `migrate run`.
    Run,
    /// Whoever deploys programs.
    You,
}

/// The phases, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// All rows are looked at by the new version.
    Inspect,
    /// A backup is written.
    Backup,
    /// Tables and indexes are made.
    Prepare,
    /// Programs of the new version begin, beside those of the old one.
    Beside,
    /// Rows are written anew while both run.
    Backfill,
    /// Programs of the old version end.
    Switch,
    /// Rows are written that the old version has written since, and everything that needs it to be gone.
    Complete,
    /// Everything is held against the new version.
    Verify,
    /// What only the old version knows goes.
    CleanUp,
}

impl PhaseName {
    /// As people read it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inspect => "inspect",
            Self::Backup => "backup",
            Self::Prepare => "prepare",
            Self::Beside => "side by side",
            Self::Backfill => "backfill",
            Self::Switch => "switch",
            Self::Complete => "complete",
            Self::Verify => "verify",
            Self::CleanUp => "clean up",
        }
    }
}
