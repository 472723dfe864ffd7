//! A store taken from one version of its model to another, phase by phase.
//!
//! Every phase can be done twice without harm: rows are written only if the new version would write them otherwise, and only if they are what
//! was read. So the journal, which says how far a run is, only spares work; a run that was killed at any request is run again.

mod journal;
mod run;

pub use journal::Journal;
pub use run::{
    MigrationInspection, MigrationOptions, MigrationReport, MigrationWatch, Migrator, OldPrograms,
};
