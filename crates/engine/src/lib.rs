//! The embedded DynamoDB.
//!
//! [`Engine`] is a database in this process: tables, items, secondary indexes, transactions, durable on
//! disk or in memory, with DynamoDB's own requests, answers and errors (`monotable_api`).
//!
//! Layout, in the order of a write:
//! - `engine.rs`: the handle; `dispatch.rs`: a method per operation, and `trait Dynamo`;
//! - `ops/`: one file per operation, named as in `monotable_api`;
//! - `schema.rs`, `keys.rs`, `index.rs`: items held against a table, as row keys, and in its indexes;
//! - `commit/`: the one way to write, and a watch over writes that do not end; `page.rs`: the one way to read a range;
//! - `item_cache.rs`: items read lately;
//! - `regions.rs`, `region_name.rs`: an engine for each region;
//! - `store/`: ordered rows, on disk (fjall) or in memory; `store/compactor.rs` says how fjall is kept going;
//! - `stream/`: records of what happened to items; `backup.rs`: tables as they were;
//! - `bucket.rs`, `export_manifest.rs`, `import/`: a folder in the place of S3, what is written there and what is read;
//! - `frozen.rs`: an engine as it is at one moment;
//! - `health.rs`: whether writes are taken, and why not; `doctor/`: damaged stores, examined and copied;
//!   `placement.rs`: exchanged files;
//! - `catalog/`: the tables; `housekeeping/`: what is done in the background; `verify.rs`: everything
//!   read and compared.

mod backup;
mod bucket;
mod capacity;
mod catalog;
mod clock;
mod commit;
mod dispatch;
#[cfg(feature = "disk")]
mod doctor;
mod engine;
mod export_manifest;
mod frozen;
mod health;
mod housekeeping;
mod import;
mod index;
mod item_cache;
mod keys;
mod moment;
mod ops;
mod options;
mod page;
#[cfg(feature = "disk")]
mod placement;
mod pool;
mod region_name;
#[cfg(feature = "disk")]
mod regions;
mod resource_scope;
mod schema;
mod statistics;
mod step;
mod store;
mod stream;
mod vector;
mod verify;
mod wording;

pub use clock::{Clock, Entropy, ManualClock, SeededEntropy, SystemClock, SystemEntropy};
#[cfg(feature = "disk")]
pub use doctor::{Damage, DataLoss, Doctor, DoctorError, Examination, LostRange, UnknownRows};
pub use engine::Engine;
pub use frozen::FrozenEngine;
pub use health::{Health, Impediment};
pub use options::{ConflictInjector, EngineOptions, StallInjector};
pub use region_name::RegionName;
#[cfg(feature = "disk")]
pub use regions::{RegionError, Regions};
pub use statistics::{Statistics, TableStatistics};
#[cfg(feature = "disk")]
pub use store::StoreExposure;
pub use store::{
    CommitStage, Crowding, DamagedFile, Durability, OpenError, ScrubPass, ScrubProgress,
    StoreFailure, StoreFault,
};
pub use verify::Verification;
