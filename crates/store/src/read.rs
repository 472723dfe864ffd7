//! Reads: rows by key and access patterns.

mod afterwards;
mod composite;
mod condition;
mod cursor;
mod fetch;
mod follow;
mod get;
mod parameters;
mod query;
pub(crate) mod through;
mod visible;
mod walk;

pub(crate) use get::get;
pub(crate) use query::{Ask, query, whole};

use crate::record::Record;
use monotable_item::EncodedItem;

/// A row that was read, with its item.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) record: Record,
    pub(crate) item: EncodedItem,
}
