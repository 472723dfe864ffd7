//! The tables that there are, and the streams and backups, some of which outlive their tables.
//!
//! Readers take the catalog from an atomic pointer; only the committer replaces it, after the change is
//! durable. Each version has a number, so that a write prepared with one version is noticed in another.

mod backup;
mod bulk;
mod definition;
mod export;
mod ids;
mod import;
mod origin;
mod row;
mod stream;
mod table;
mod vector;

pub(crate) use backup::{BackupDefinition, BackupId, BackupRows, BackupState};
pub(crate) use bulk::{
    BulkCounts, BulkDefinition, BulkId, BulkObject, BulkRequest, BulkState, ReportLine,
};
pub(crate) use definition::{
    AddedIndex, BillingState, IndexDefinition, PolicyState, TableDefinition, ThroughputState,
};
pub(crate) use export::{
    ExportDefinition, ExportId, ExportRequest, ExportState, ExportedFile, RequestedPeriod,
    TransferFailure,
};
pub(crate) use ids::Ids;
pub(crate) use import::{ImportCounts, ImportDefinition, ImportId, ImportRequest, ImportState};
pub(crate) use origin::{Recovery, TableOrigin};
pub(crate) use row::{CatalogRows, DropJob, to_row};
pub(crate) use stream::{
    ShardDefinition, Stream, StreamDefinition, StreamId, StreamProgress, TableStream,
};
pub(crate) use table::{Counts, Index, IndexId, IndexKind, RelationId, Table, TableId};

pub(crate) use vector::VectorDefinition;

use monotable_api::Error;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One version of the set of tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalog {
    /// Grows by one with every change.
    pub(crate) version: u64,
    tables: BTreeMap<String, Arc<Table>>,
    streams: BTreeMap<StreamId, Arc<Stream>>,
    backups: BTreeMap<BackupId, Arc<BackupDefinition>>,
    exports: BTreeMap<ExportId, Arc<ExportDefinition>>,
    imports: BTreeMap<ImportId, Arc<ImportDefinition>>,
    bulk_operations: BTreeMap<BulkId, Arc<BulkDefinition>>,
}

impl Catalog {
    pub(crate) fn new(
        tables: impl IntoIterator<Item = Table>,
        streams: impl IntoIterator<Item = Stream>,
        backups: impl IntoIterator<Item = BackupDefinition>,
    ) -> Self {
        let tables = tables
            .into_iter()
            .map(|table| (table.definition.name.clone(), Arc::new(table)));
        Self {
            version: 1,
            tables: tables.collect(),
            streams: streams
                .into_iter()
                .map(|stream| (stream.definition.id, Arc::new(stream)))
                .collect(),
            backups: backups
                .into_iter()
                .map(|backup| (backup.id, Arc::new(backup)))
                .collect(),
            ..Self::default()
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Arc<Table>> {
        self.tables.get(name)
    }

    /// A table to read or write items of. One that is being filled is none yet.
    pub(crate) fn table(&self, name: &str) -> Result<&Arc<Table>, Error> {
        let whole = self.get(name).filter(|table| table.is_filled());
        whole.ok_or_else(crate::wording::table_not_found)
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

    /// The streams, in the order in which they were made.
    pub(crate) fn streams(&self) -> impl Iterator<Item = &Arc<Stream>> {
        self.streams.values()
    }

    pub(crate) fn stream(&self, id: StreamId) -> Option<&Arc<Stream>> {
        self.streams.get(&id)
    }

    /// The next version, with this stream in place of the one with its id.
    pub(crate) fn with_stream(&self, stream: Stream) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.streams.insert(stream.definition.id, Arc::new(stream));
        next
    }

    /// The next version, without this stream.
    pub(crate) fn without_stream(&self, id: StreamId) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.streams.remove(&id);
        next
    }

    /// The backups, in the order in which they were made.
    pub(crate) fn backups(&self) -> impl Iterator<Item = &Arc<BackupDefinition>> {
        self.backups.values()
    }

    pub(crate) fn backup(&self, id: BackupId) -> Option<&Arc<BackupDefinition>> {
        self.backups.get(&id)
    }

    /// The next version, with this backup in place of the one with its id.
    pub(crate) fn with_backup(&self, backup: BackupDefinition) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.backups.insert(backup.id, Arc::new(backup));
        next
    }

    /// The next version, without this backup.
    pub(crate) fn without_backup(&self, id: BackupId) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.backups.remove(&id);
        next
    }

    /// With these exports, imports and bulk operations, which are known when a store is opened.
    pub(crate) fn with_transfers(
        mut self,
        exports: Vec<ExportDefinition>,
        imports: Vec<ImportDefinition>,
        bulk_operations: Vec<BulkDefinition>,
    ) -> Self {
        let exports = exports.into_iter();
        self.exports = exports
            .map(|export| (export.id, Arc::new(export)))
            .collect();
        let imports = imports.into_iter();
        self.imports = imports
            .map(|import| (import.id, Arc::new(import)))
            .collect();
        let bulk_operations = bulk_operations.into_iter();
        self.bulk_operations = bulk_operations
            .map(|operation| (operation.id, Arc::new(operation)))
            .collect();
        self
    }

    /// The exports, in the order in which they were asked for.
    pub(crate) fn exports(&self) -> impl DoubleEndedIterator<Item = &Arc<ExportDefinition>> {
        self.exports.values()
    }

    /// The next version, with this export in place of the one with its id.
    pub(crate) fn with_export(&self, export: ExportDefinition) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.exports.insert(export.id, Arc::new(export));
        next
    }

    /// The imports, in the order in which they were asked for.
    pub(crate) fn imports(&self) -> impl DoubleEndedIterator<Item = &Arc<ImportDefinition>> {
        self.imports.values()
    }

    /// The next version, with this import in place of the one with its id.
    pub(crate) fn with_import(&self, import: ImportDefinition) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.imports.insert(import.id, Arc::new(import));
        next
    }

    /// The bulk operations, in the order in which they were asked for.
    pub(crate) fn bulk_operations(&self) -> impl DoubleEndedIterator<Item = &Arc<BulkDefinition>> {
        self.bulk_operations.values()
    }

    pub(crate) fn bulk_operation(&self, id: BulkId) -> Option<&Arc<BulkDefinition>> {
        self.bulk_operations.get(&id)
    }

    /// The next version, with this bulk operation in place of the one with its id.
    pub(crate) fn with_bulk_operation(&self, operation: BulkDefinition) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.bulk_operations
            .insert(operation.id, Arc::new(operation));
        next
    }

    /// The next version, without this bulk operation.
    pub(crate) fn without_bulk_operation(&self, id: BulkId) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.bulk_operations.remove(&id);
        next
    }

    /// Whether a table is being filled from this backup.
    pub(crate) fn is_restored(&self, id: BackupId) -> bool {
        let is_it = |origin: &TableOrigin| matches!(origin, TableOrigin::Backup { id: source, .. } if *source == id);
        self.origins().any(is_it)
    }

    /// What tables are being filled from, those of exports too.
    pub(crate) fn origins(&self) -> impl Iterator<Item = &TableOrigin> {
        let exports = self.exports().filter_map(|export| export.scratch.as_ref());
        let exports = exports.filter_map(|scratch| scratch.origin.as_ref());
        let tables = self
            .tables()
            .filter_map(|table| table.definition.origin.as_ref());
        tables.chain(exports)
    }

    /// The next version, without this table.
    pub(crate) fn without(&self, name: &str) -> Self {
        let mut next = self.clone();
        next.version += 1;
        next.tables.remove(name);
        next
    }
}
