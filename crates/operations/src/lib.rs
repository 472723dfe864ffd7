//! What is done with whole stores, on any DynamoDB: rows in and out of files, backups, copies.
//!
//! Layout:
//! - `load.rs`, `load/`: rows of files through the model, resumable;
//! - `dump.rs`: rows of a store as lines of JSON or as CSV, such as `load` takes;
//! - `backup.rs`, `backup/`: backups in AWS's export layout, written, checked and restored;
//! - `generate.rs`, `generate/`: rows that are made up;
//! - `copy.rs`, `copy/`: from one DynamoDB to another, and what changes meanwhile;
//! - `migrate.rs`, `migrate/`: a store taken from one version of its model to another;
//! - `identity.rs`: what tells a store from another one at the same place, for files that say how far something is;
//! - `error.rs`: why an operation on a store ended.
//!
//! Tables themselves are the store's business (`Store::setup`), because programs make them, too.

mod backup;
mod copy;
mod dump;
mod error;
mod generate;
mod identity;
mod load;
mod migrate;

pub use backup::{
    BackedUpTable, BackupFolder, BackupReport, BackupWriter, ItemDifference, ItemSum, ItemWatch,
    RestoreReport, Restorer,
};
pub use copy::{Copier, CopyOptions, CopyPlace, CopyWatch, Follower};
pub use dump::{DumpReport, Dumper, RowFormat};
pub use error::Error;
pub use generate::{GenerateReport, Generator};
pub use identity::StoreIdentity;
pub use load::{
    InputRow, InputRows, LoadFate, LoadReport, LoadSink, Loader, RefusalCause, RefusedRow, Resume,
    UnreadableCause, UnreadableRow,
};
pub use migrate::{
    Journal, MigrationInspection, MigrationOptions, MigrationReport, MigrationWatch, Migrator,
    OldPrograms,
};
