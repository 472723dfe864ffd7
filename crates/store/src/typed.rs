//! What code that `monotable generate rust` writes stands on: values, rows, calls and pages that have types.
//!
//! Generated code imports this module as `mt` and nothing else, so that its own names cannot clash with others.

mod call;
mod page;
mod range;
mod row_reader;
mod transaction;
mod value;
mod versions;

pub use call::TypedCall;
pub use page::{Listing, TypedPage};
pub use range::Range;
pub use row_reader::{FromRow, RowReader};
pub use transaction::{RowWrite, TypedWrite, TypedWrites};
pub use value::{Bytes, TypedValue, put, put_optional};
pub use versions::{TypedCommitted, TypedDifference, TypedDifferences, TypedSnapshot};

pub use crate::error::{Error, ErrorKind};
pub use crate::operation::{
    At, Attach, Carry, CheckSecret, Commit, CommitAll, Create, Delete, Detach, Diff, Get, Log,
    MoveRow, Parent, Purge, PurgeReport, Put, Query, RequestFacts, Revert, Rollback, Show, Sweep,
    SweepReport, Transact, Update,
};
pub use crate::record::Change;
pub use crate::row::Row;
pub use crate::store::Store;
pub use monotable_api::Dynamo;
pub use monotable_item::{AttributeValue, Item, Number};
pub use std::time::Duration;

/// A compiled model on a DynamoDB, with the machine's own clock, chance and timer, from the text that generated code carries.
#[cfg(feature = "native")]
pub fn open(model: &str, dynamo: impl Dynamo + 'static) -> Result<Store, Error> {
    let compiled = monotable_model::compiled::CompiledModel::from_text(model);
    let compiled = compiled.map_err(|problem| Error::usage(problem.to_string()))?;
    let host = std::sync::Arc::new(crate::host::NativeHost);
    Ok(Store::bind(compiled, dynamo, host))
}
