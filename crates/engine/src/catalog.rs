//! The tables that there are.
//!
//! Readers take the catalog from an atomic pointer; only the committer replaces it, after the change is
//! durable. Each version has a number, so that a write prepared with one version is noticed in another.

mod definition;
mod row;
mod table;

pub(crate) use definition::{BillingState, IndexDefinition, TableDefinition, ThroughputState};
pub(crate) use row::{CatalogRows, DropJob, to_row};
pub(crate) use table::{Counts, Index, IndexId, IndexKind, RelationId, Table, TableId};

use monotable_api::Error;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One version of the set of tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalog {
    /// Grows by one with every change.
    pub(crate) version: u64,
    tables: BTreeMap<String, Arc<Table>>,
}

impl Catalog {
    pub(crate) fn with_tables(tables: impl IntoIterator<Item = Table>) -> Self {
        let tables = tables
            .into_iter()
            .map(|table| (table.definition.name.clone(), Arc::new(table)));
        Self {
            version: 1,
            tables: tables.collect(),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Table>> {
        self.tables.get(name)
    }

    /// A table to read or write items of.
    pub(crate) fn table(&self, name: &str) -> Result<&Arc<Table>, Error> {
        self.get(name).ok_or_else(crate::wording::table_not_found)
    }

    pub(crate) fn tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.tables.values()
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.tables.keys().map(String::as_str)
    }

    /// The next version, with this table in place of one with its name.
    pub(crate) fn with(&self, table: Table) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.tables
            .insert(table.definition.name.clone(), Arc::new(table));
        next
    }

    /// The next version, without this table.
    pub(crate) fn without(&self, name: &str) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.tables.remove(name);
        next
    }
}
