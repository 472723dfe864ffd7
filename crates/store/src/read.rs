//! Reads: rows by key and access patterns.

mod afterwards;
mod composite;
mod condition;
mod cursor;
mod days;
mod fan_out;
mod fetch;
mod follow;
mod get;
mod omitted;
mod overlay;
mod parameters;
mod partitions;
mod pointer;
mod query;
mod resolve;
mod tenancy;
pub(crate) mod through;
mod visible;
mod walk;

pub(crate) use cursor::{Position, Question};
pub(crate) use get::{Sight, get, look};
pub(crate) use omitted::Omitted;
pub(crate) use overlay::{Overlay, whole_over};
pub(crate) use query::{PatternQuery, named, query, read_all, rows_of, whole_key};
pub(crate) use tenancy::belonging::owners_of_row;
pub(crate) use tenancy::row_tenant::{RowTenant, tenant_of_row};
pub(crate) use visible::{has_tombstone, see_alive, see_rows};

use crate::record::Record;
use monotable_item::EncodedItem;

/// A row that was read, with its item.
#[derive(Clone, Debug)]
pub(crate) struct StoredRow {
    pub(crate) record: Record,
    pub(crate) item: EncodedItem,
}

impl AsRef<Self> for StoredRow {
    fn as_ref(&self) -> &Self {
        self
    }
}
