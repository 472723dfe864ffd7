//! CreateBackup.

use super::{Execute, backup_description};
use crate::backup::{self, BackupSource};
use crate::catalog::{
    BackupDefinition, BackupId, BackupRows, BackupState, CatalogRows, Ids, TableDefinition,
};
use crate::engine::Core;
use crate::step::Step;
use crate::store::Snapshot;
use crate::wording;
use monotable_api::{
    BackupStatus, BackupType, CreateBackup, CreateBackupInput, CreateBackupOutput, Error,
};
use std::sync::Arc;

impl Execute for CreateBackup {
    /// The backup holds what was acknowledged before the request; the background copies it from the snapshot that is taken here.
    fn start(
        core: &Arc<Core>,
        input: CreateBackupInput,
    ) -> Result<Step<CreateBackupOutput>, Error> {
        let valid = input.validate()?;
        let snapshot = core.published.snapshot();
        let table = source_table(&snapshot, valid.table.as_str())?;
        let now = core.now_millis();
        let label = label(now, core.entropy.next());
        let region = core.region.clone();
        let housekeeper = core.housekeeper.clone();
        let published = Arc::clone(&core.published);
        let pending = core.committer.submit(move |group| {
            let mut ids = Ids::load(group)?;
            let backup = BackupDefinition {
                id: BackupId(ids.take()),
                label,
                name: valid.name,
                kind: BackupType::User,
                created: now,
                expires: None,
                state: BackupState::Creating,
                items: 0,
                bytes: 0,
                rows: BackupRows::Copied,
                table,
            };
            ids.store(group);
            backup::store(group, backup.clone())?;
            let details = backup_description::details(&backup, &region, BackupStatus::Creating);
            published.backups.push(BackupSource { backup, snapshot });
            housekeeper.wake();
            Ok(Ok(CreateBackupOutput {
                backup_details: Some(details),
            }))
        });
        Ok(Step::Table(pending))
    }
}

/// The table as it was in the very state whose items are copied.
fn source_table(snapshot: &Snapshot, name: &str) -> Result<TableDefinition, Error> {
    let table = CatalogRows::read_table(snapshot, name);
    let table = table.map_err(|fault| wording::internal(&fault))?;
    let whole = table.filter(|table| table.origin.is_none());
    whole.ok_or_else(|| wording::source_table_not_found(name))
}

/// The end of an ARN: AWS writes the time in milliseconds with 14 digits, and eight hexadecimal digits behind it.
pub(super) fn label(now: u64, random: u128) -> String {
    format!("{now:014}-{:08x}", random as u32)
}
