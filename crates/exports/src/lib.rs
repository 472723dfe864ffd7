//! AWS's layout of an exported table, which the engine writes into buckets and backups are kept in.
//!
//! - `data_file.rs`: files of items, written and read;
//! - `manifest.rs`: what lists the files, with counts and checksums, written and read.
//!
//! Nothing here touches a file: contents are bytes.

mod data_file;
mod manifest;

pub use data_file::{ExportFile, ItemChange, read_items};
pub use manifest::{
    DATA, ExportPeriod, ExportSummary, FILES, FILES_CHECKSUM, FOLDER, ListedFile, Manifest,
    ManifestError, STARTED, SUMMARY, SUMMARY_CHECKSUM, check_digest,
};
