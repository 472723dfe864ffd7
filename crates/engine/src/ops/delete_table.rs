//! DeleteTable.

use super::{Execute, description};
use crate::backup;
use crate::catalog::{
    BackupDefinition, BackupId, BackupRows, BackupState, Catalog, CatalogRows, DropJob, Ids, Table,
    TableOrigin, to_row,
};
use crate::commit::Group;
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Space, StoreFault};
use crate::stream;
use crate::wording;
use monotable_api::{BackupType, DeleteTable, DeleteTableInput, DeleteTableOutput, Error};
use std::sync::Arc;

/// How long the backup of a deleted table is kept, in milliseconds: 35 days.
const SYSTEM_BACKUP_MILLIS: u64 = 35 * 24 * 60 * 60 * 1000;

impl Execute for DeleteTable {
    /// The definition goes at once; the rows follow in the background. A stream can be read for another day.
    fn start(core: &Arc<Core>, input: DeleteTableInput) -> Result<Step<DeleteTableOutput>, Error> {
        let valid = input.validate()?;
        let region = core.region.clone();
        let now = core.now_millis();
        // Not the core itself: the committer must never be the last to hold it.
        let housekeeper = core.housekeeper.clone();
        let pending = core.committer.submit(move |group| {
            let name = valid.table.as_str();
            let Some(table) = group.catalog().get(name).map(Arc::clone) else {
                return Ok(Err(wording::named_table_not_found(name)));
            };
            if table.definition.deletion_protection {
                return Ok(Err(wording::table_is_protected()));
            }
            if table.changing_index().is_some() {
                return Ok(Err(wording::indexes_are_changing()));
            }
            if !table.is_filled() {
                return Ok(Err(wording::table_is_created(name)));
            }
            if is_restored(group.catalog(), &table) {
                return Ok(Err(wording::table_is_restored(name)));
            }
            let job = drop_rows(group, &table, now)?;
            if table.stream.is_some() {
                stream::disable(group, &mut table.definition.clone(), now)?;
            }
            group.write(Space::Meta, CatalogRows::table(name), None);
            group.write(
                Space::Meta,
                CatalogRows::dropped(job.table),
                Some(to_row(&job)?),
            );
            let catalog = group.catalog().without(name);
            group.set_catalog(catalog);
            housekeeper.wake();
            Ok(Ok(DeleteTableOutput {
                table_description: Some(description::describe_deleted(&table, &region)),
            }))
        });
        Ok(Step::Table(pending))
    }
}

/// Whether another table is being filled from this one.
fn is_restored(catalog: &Catalog, table: &Table) -> bool {
    let is_it =
        |origin: &TableOrigin| matches!(origin, TableOrigin::Table { id, .. } if *id == table.id);
    catalog.origins().any(is_it)
}

/// The rows that go with a table. A table with point-in-time recovery leaves its items to a backup of the system's own.
fn drop_rows(group: &mut Group<'_>, table: &Table, now: u64) -> Result<DropJob, StoreFault> {
    let indexes = table.indexes.iter().map(|index| index.id).collect();
    let Some(log) = table.recovery_log() else {
        return Ok(DropJob {
            table: table.id,
            indexes,
        });
    };
    let mut ids = Ids::load(group)?;
    let id = BackupId(ids.take());
    ids.store(group);
    let backup = BackupDefinition {
        id,
        // The eight zeros are AWS's.
        label: format!("{now:014}-00000000"),
        name: format!("{}$DeletedTableBackup", table.name()),
        kind: BackupType::System,
        created: now,
        expires: Some(now + SYSTEM_BACKUP_MILLIS),
        state: BackupState::Available,
        items: table.counts.rows(),
        bytes: table.counts.bytes(),
        rows: BackupRows::Kept,
        table: table.definition.clone(),
    };
    backup::store(group, backup)?;
    let job = DropJob::of_log(log);
    Ok(DropJob {
        indexes: job.indexes.into_iter().chain(indexes).collect(),
        ..job
    })
}
