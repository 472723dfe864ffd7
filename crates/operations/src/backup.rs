//! Backups in AWS's export layout: a folder with an export of each table.
//!
//! A backup is a folder such as S3 shows an export: `AWSDynamoDB/ID/manifest-summary.json`, the list of data files beside it, and
//! items as gzipped lines of DynamoDB's JSON below `data/`. So AWS imports ours, and we restore AWS's. The summary is written
//! last: a folder without it is a backup that was cut off.

mod folder;
mod read;
mod restore;
mod table_items;
mod write;

pub(crate) use folder::write_file;
pub(crate) use restore::sum_table;
pub(crate) use table_items::{read_page, scan_table};

pub use read::{BackedUpTable, BackupFolder};
pub use restore::{ItemDifference, RestoreReport, Restorer};
pub use table_items::ItemSum;
pub use write::{BackupReport, BackupWriter};

/// Is told how many items were read or written.
pub type ItemWatch<'w> = &'w (dyn Fn(u64) + Send + Sync);
