//! PartiQL statements as the operations that they stand for.
//!
//! A SELECT is a Query of each partition that it names, or a Scan; what writes is PutItem, UpdateItem or DeleteItem with a
//! condition. `monotable_expr::partiql` reads statements; this is what depends on the table.

mod duplicate;
mod item_read;
mod next_token;
mod order;
mod read_range;
mod select;
mod write;

pub(super) use duplicate::name_duplicates;
pub(super) use item_read::{ReadPlace, read_key};
pub(super) use select::start as start_select;
pub(super) use write::{Answer, lower, start as start_write};

use crate::catalog::Table;
use monotable_api::Error;
use monotable_expr::partiql::StatementError;

/// The name of a table's partition key, which has one attribute.
fn partition_key(table: &Table) -> &str {
    let first = table.key.hash.first();
    first.map_or("", |key| key.name.as_str())
}

/// A statement that is refused because of what it says.
fn refuse(error: impl Into<StatementError>) -> Error {
    Error::validation(error.into())
}
