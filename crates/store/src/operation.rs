//! What a store can be asked to do: one struct for each operation, with what it answers.
//!
//! `table.rs` has the list of operations, which is the public contract of the product: the command line, REST and clients
//! of other languages are made from it. Each operation is also JSON, and looks like a line of a change set:
//! `{"create": "Person", "values": {"FirstName": "Ann"}}`. `wire.rs` has values as plain JSON, `schema.rs` the JSON Schema
//! of all operations.

mod commit;
mod differences;
mod output;
mod purge_report;
mod revisions;
mod rows;
mod schema;
mod snapshot;
mod sweep_report;
mod table;

pub use commit::{At, Commit, Committed, Parent};
pub use differences::{Difference, Differences};
pub use output::{AnyOutput, Page};
pub use purge_report::{PurgeReason, PurgeReport, PurgedPartition};
pub(crate) use revisions::CommitObject;
pub use revisions::{Carry, CommitAll, Diff, Log, Purge, Revert, Rollback, Show, Sweep};
pub use rows::{
    Attach, CheckSecret, Create, Delete, Detach, Get, MoveRow, Put, Query, Transact, Update,
};
pub use schema::operations_schema;
pub use snapshot::{Link, Snapshot};
pub use sweep_report::{
    KeepReason, KeptRevision, SweepMode, SweepReason, SweepReport, SweptRevision,
};
pub use table::{
    AnyOperation, CONTRACT_VERSION, Conditional, Mode, OPERATIONS, OperationEntry, Read, Write,
};

use monotable_item::Item;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// An operation on the rows of a model.
pub trait Operation: Serialize + DeserializeOwned + Into<AnyOperation> {
    /// What it answers.
    type Output;

    /// Its name: the first member of its JSON, and the verb of the command line.
    const NAME: &'static str;

    /// Takes the operation's own output out of any; none if it is that of another operation.
    fn take_output(output: AnyOutput) -> Option<Self::Output>;
}

/// How an operation is carried out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Values that the row must have; null for absent. Else there is a conflict.
    pub expected: Item,
    /// A name of this call: said again by the same caller within a day, nothing happens again.
    pub token: Option<String>,
    /// What tells whether a call with the same token is the same call, if the operation and `expected` do not.
    pub identity: Option<Box<CallIdentity>>,
    /// See every write that was acknowledged, where the target can.
    pub consistent: bool,
    /// Read and decide, but write nothing.
    pub dry_run: bool,
    /// Where the call comes from, for audits.
    pub request: RequestFacts,
}

/// What a caller asked for, where the operation and the values that it expects were made from that and from what was stored at
/// the time. When the call comes again, other values are stored, and only this is still equal.
#[derive(Clone, Debug, PartialEq)]
pub struct CallIdentity {
    /// The operation as the caller said it.
    pub operation: AnyOperation,
    /// The values that the caller said the row must have.
    pub expected: Item,
    /// What else the caller demands, such as an entity tag.
    pub condition: String,
}

/// Where a call comes from: what an audit can note of it beside who made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestFacts {
    /// The address that it was sent from.
    pub ip: Option<String>,
    /// What sent it: a program, a service, a page.
    pub source: Option<String>,
}

impl RequestFacts {
    /// These facts, and others where they say nothing.
    pub(crate) fn or(self, others: &Self) -> Self {
        Self {
            ip: self.ip.or_else(|| others.ip.clone()),
            source: self.source.or_else(|| others.source.clone()),
        }
    }
}
