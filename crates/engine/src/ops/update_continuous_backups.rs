//! UpdateContinuousBackups.

use super::{Execute, continuous_backups};
use crate::catalog::{
    Catalog, CatalogRows, DropJob, Ids, Recovery, StreamId, Table, TableId, to_row,
};
use crate::commit::Group;
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Space, StoreFault};
use crate::wording;
use monotable_api::{
    Error, RecoveryChange, UpdateContinuousBackups, UpdateContinuousBackupsInput,
    UpdateContinuousBackupsOutput, ValidUpdateContinuousBackups,
};
use monotable_item::limits::MAX_RECOVERY_DAYS;
use std::sync::Arc;

impl Execute for UpdateContinuousBackups {
    /// What is written from here on can be undone. Switched off, all that is known of the past is forgotten.
    fn start(
        core: &Arc<Core>,
        input: UpdateContinuousBackupsInput,
    ) -> Result<Step<UpdateContinuousBackupsOutput>, Error> {
        let valid = input.validate()?;
        let now = core.now_millis();
        let housekeeper = core.housekeeper.clone();
        let pending = core.committer.submit(move |group| {
            let table = match changeable(group.catalog(), &valid) {
                Ok(table) => table,
                Err(error) => return Ok(Err(error)),
            };
            let before = table.definition.recovery;
            let recovery = change(group, before, valid.change, now)?;
            if recovery != before {
                let mut definition = table.definition.clone();
                definition.recovery = recovery;
                let row = to_row(&definition)?;
                group.write(Space::Meta, CatalogRows::table(table.name()), Some(row));
                let catalog = group.catalog().with(table.redefined(definition));
                group.set_catalog(catalog);
                housekeeper.wake();
            }
            Ok(Ok(UpdateContinuousBackupsOutput {
                continuous_backups_description: Some(continuous_backups::describe(recovery, now)),
            }))
        });
        Ok(Step::Table(pending))
    }
}

fn changeable(
    catalog: &Catalog,
    valid: &ValidUpdateContinuousBackups,
) -> Result<Arc<Table>, Error> {
    let name = valid.table.as_str();
    let table = catalog.get(name).filter(|table| table.is_filled());
    let table = table.ok_or_else(|| wording::source_table_not_found(name))?;
    let log = table.recovery_log();
    let is_read = catalog
        .origins()
        .any(|origin| log.is_some() && origin.log() == log);
    match (valid.change, is_read) {
        (RecoveryChange::Disable, true) => Err(wording::recovery_is_used(name)),
        _ => Ok(Arc::clone(table)),
    }
}

fn change(
    group: &mut Group<'_>,
    before: Option<Recovery>,
    change: RecoveryChange,
    now: u64,
) -> Result<Option<Recovery>, StoreFault> {
    match (change, before) {
        (RecoveryChange::Enable(days), Some(recovery)) => Ok(Some(Recovery {
            days: days.unwrap_or(recovery.days),
            ..recovery
        })),
        (RecoveryChange::Enable(days), None) => {
            let mut ids = Ids::load(group)?;
            let log = StreamId(ids.take());
            ids.store(group);
            Ok(Some(Recovery {
                log,
                since: now,
                days: days.unwrap_or(MAX_RECOVERY_DAYS),
            }))
        }
        (RecoveryChange::Disable, Some(recovery)) => {
            let job = to_row(&DropJob::of_log(recovery.log))?;
            let row = CatalogRows::dropped(TableId(recovery.log.0));
            group.write(Space::Meta, row, Some(job));
            Ok(None)
        }
        (RecoveryChange::Disable, None) => Ok(None),
    }
}
