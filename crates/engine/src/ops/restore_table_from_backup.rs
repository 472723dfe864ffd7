//! RestoreTableFromBackup.

use super::restored_table::{self, NewTable};
use super::{Execute, backup_description, create_table, description};
use crate::catalog::{
    BackupDefinition, BackupState, Catalog, CatalogRows, Table, TableDefinition, TableOrigin,
    to_row,
};
use crate::commit::Group;
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Space, StoreFault};
use crate::wording;
use monotable_api::{
    Error, RestoreTableFromBackup, RestoreTableFromBackupInput, RestoreTableFromBackupOutput,
    TableDescription, TableStatus, ValidRestoreTableFromBackup,
};
use std::sync::Arc;

impl Execute for RestoreTableFromBackup {
    /// The table is there at once, and can be used when the background has filled it.
    fn start(
        core: &Arc<Core>,
        input: RestoreTableFromBackupInput,
    ) -> Result<Step<RestoreTableFromBackupOutput>, Error> {
        let valid = input.validate()?;
        let uuid = create_table::uuid(core.entropy.next());
        let now = core.now_millis();
        let region = core.region.clone();
        let housekeeper = core.housekeeper.clone();
        let pending = core.committer.submit(move |group| {
            let backup = match restorable(group.catalog(), &valid) {
                Ok(backup) => backup,
                Err(error) => return Ok(Err(error)),
            };
            let new = NewTable {
                name: valid.target.as_str().to_owned(),
                uuid,
                now,
                origin: TableOrigin::Backup {
                    id: backup.id,
                    label: backup.label.clone(),
                    table: backup.table.name.clone(),
                    created: backup.created,
                },
            };
            match restored_table::define(group, &backup.table, &valid.overrides, new)? {
                Ok(definition) => {
                    let description = add_table(group, definition, &region)?;
                    housekeeper.wake();
                    Ok(Ok(RestoreTableFromBackupOutput {
                        table_description: Some(description),
                    }))
                }
                Err(error) => Ok(Err(error)),
            }
        });
        Ok(Step::Table(pending))
    }
}

fn restorable(
    catalog: &Catalog,
    valid: &ValidRestoreTableFromBackup,
) -> Result<Arc<BackupDefinition>, Error> {
    let backup = backup_description::find(catalog, &valid.backup)?;
    check_target(catalog, valid.target.as_str())?;
    if catalog.is_restored(backup.id) {
        return Err(wording::backup_is_restored_elsewhere(valid.backup.as_str()));
    }
    if backup.state == BackupState::Creating {
        return Err(wording::backup_is_created(valid.backup.as_str()));
    }
    restored_table::check(&backup.table, &valid.overrides)?;
    Ok(Arc::clone(backup))
}

/// A table can only be restored under a name that no table has.
pub(super) fn check_target(catalog: &Catalog, name: &str) -> Result<(), Error> {
    match catalog.get(name) {
        None => Ok(()),
        Some(table) if table.is_filled() => Err(wording::restore_target_exists(name)),
        Some(_) => Err(wording::table_is_being_restored(name)),
    }
}

/// Puts a table that is to be filled into the catalog.
pub(super) fn add_table(
    group: &mut Group<'_>,
    definition: TableDefinition,
    region: &str,
) -> Result<TableDescription, StoreFault> {
    let row = CatalogRows::table(&definition.name);
    group.write(Space::Meta, row, Some(to_row(&definition)?));
    let table = Table::new(definition);
    let description = description::describe(&table, region, TableStatus::Creating);
    let catalog = group.catalog().with(table);
    group.set_catalog(catalog);
    Ok(description)
}
