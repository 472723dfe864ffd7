//! The data layer: what a model says, done to items.
//!
//! A [`Store`] is a model on a [`Dynamo`](monotable_api::Dynamo). Its operations are state machines without IO
//! ([`Machine`]): they ask for requests and decide from the answers; an executor sends, tries again, and is the same for
//! all of them. Layout:
//! - `store.rs`, `call.rs`, `operation/`: what callers see; `run.rs`: an operation from beginning to end;
//! - `steps.rs`: machines; `sending.rs`: retries; `execute.rs` and `host.rs`: what sends and sleeps; `errands.rs` and
//!   `driver.rs`: what lets a host of another language send and sleep;
//!   `explain.rs`: operations whose writes are only noted; `trace.rs` and `change_log.rs`: what a call has sent and changed;
//! - `record/`: rows checked, made, encoded with every key, changed and read back; nothing there talks to a database;
//! - `scope.rs`: who asks, of which tenant, when; `reader.rs`: reads; `attempt.rs`: what earlier attempts have learned;
//!   `draft.rs` and `writer.rs`: what an operation is going to write, one action for each
//!   item, with the declaration that each condition comes from;
//! - `rights/`: the gate that every row that leaves the store passes, and every change that a caller causes;
//!   `allowed.rs`, `mention.rs`: what it lets through, and what errors may say;
//! - `write/`: claims, references, relations, counters, derived rows, creates, changes, deletes, moves, archives, audits;
//! - `token.rs`: calls that are named, and answered twice; `store_item.rs`: the store's own item with the secret of cursors and the
//!   templates of keys; `reserved.rs`: where such items stand;
//! - `repository/`: versioned rows: commits, logs, snapshots, differences, sweeps; `isolation.rs`: whose partitions;
//! - `typed/`: what generated Rust code stands on;
//! - `read/`: access patterns, what comes along, walks, cursors; `whole/`: setup, load, backup, verify and repairs.
//!
//! ```
//! use monotable_item::Item;
//! use monotable_model::compiled::CompiledModel;
//! use monotable_store::record::{self, Circumstances};
//!
//! let text = include_str!("../../../models/authorization/model.toml");
//! let model = CompiledModel::new(monotable_model::read(text).model.unwrap());
//! let (tenant, _) = model.model().entity_named("Tenant").unwrap();
//!
//! // A row by itself, without a database.
//! let circumstances = Circumstances::at_micros(1_763_467_200_000_000).entropy(7);
//! let acme = record::create(&model, tenant, Item::new().with("name", "acme"), &circumstances).unwrap();
//! let item = record::encode(&model, &acme, &circumstances).unwrap();
//! assert_eq!(item.get("Type"), Some(&"Tenant".into()));
//! assert_eq!(item.get("GSI1PK"), Some(&"TENANT_NAME#acme".into()));
//! assert_eq!(item.get("PK"), item.get("SK"));
//! ```

/// The README's programs are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// So are those of the page about the library.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;

mod address;
mod allowed;
mod assignment;
mod attempt;
mod boxed_future;
mod caller;
mod change;
mod change_log;
mod circumstances;
mod clock;
mod declaration;
mod draft;
mod driver;
mod entropy;
mod errands;
mod error;
mod execute;
mod explain;
pub mod field_error;
mod find;
mod graph;
mod guard;
mod hashing;
mod host;
mod ids;
mod interrupt;
mod isolation;
mod mark;
mod mechanism;
mod mention;
mod operate;
mod operation;
mod pattern;
mod pipeline;
mod profile;
mod read;
mod reader;
pub mod record;
mod replay;
mod repository;
mod request;
mod rights;
mod row;
mod run;
mod runtime;
mod scope;
mod secret;
mod secrets;
mod sending;
mod sent;
mod spread;
mod steps;
mod store;
mod store_item;
mod template;
mod token;
mod trace;
pub mod typed;
mod value;
mod verify;
mod whole;
pub mod wire;
mod write;
mod writer;

pub use declaration::Declaration;
pub use driver::{Driver, Reply};
pub use errands::{Errand, Hashing, Report};
pub use error::{Clash, Error, ErrorKind, Failure};
pub use explain::{Explained, Explanation, PlannedRequest, Units};
pub use field_error::{FieldError, Problem};
#[cfg(feature = "native")]
pub use host::NativeHost;
pub use host::{Host, NoEntropy, Pause};
pub use operation::{
    AnyOperation, AnyOutput, At, Attach, CONTRACT_VERSION, CallIdentity, Carry, CheckSecret,
    Commit, CommitAll, Committed, Conditional, Create, Delete, Detach, Diff, Difference,
    Differences, Get, KeepReason, KeptRevision, Link, Log, Mode, MoveRow, OPERATIONS, Operation,
    OperationEntry, Options, Page, Parent, Purge, PurgeReason, PurgeReport, PurgedPartition, Put,
    Query, Read, RequestFacts, Revert, Rollback, Show, Snapshot, Sweep, SweepMode, SweepReason,
    SweepReport, SweptRevision, Transact, Update, Write, operations_schema,
};
pub use record::Change;
pub use row::Row;
pub use sending::{Answer, Delivery, Retry};
pub use sent::{decode_response, encode_request};
pub use steps::{Machine, Step};
pub use store::{Call, Sender, Store};
pub use trace::{Trace, TracedChange};
#[cfg(feature = "native")]
pub use verify::SpillFolder;
pub use verify::{
    Note, NoteKind, SpillPlace, Unfinished, UnfinishedKind, UnknownItem, Verification, Violation,
    ViolationKind,
};
pub use whole::{
    Ability, Adoption, BackedUpItem, ForgottenPage, Image, IndexChange, IndexChangeKind,
    LoadReport, Need, PlannedPlace, RepairMode, RepairScope, Repaired, RewrittenPage,
    SetupProgress, SetupReport, SetupScope, SetupWatch, VerifyOptions, list_needs,
};
