//! DeleteBackup.

use super::{Execute, backup_description};
use crate::backup;
use crate::catalog::{BackupDefinition, BackupState, Catalog};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    BackupArn, BackupStatus, BackupType, DeleteBackup, DeleteBackupInput, DeleteBackupOutput, Error,
};
use std::sync::Arc;

impl Execute for DeleteBackup {
    /// The backup goes at once; its rows follow in the background.
    fn start(
        core: &Arc<Core>,
        input: DeleteBackupInput,
    ) -> Result<Step<DeleteBackupOutput>, Error> {
        let valid = input.validate()?;
        let region = core.region.clone();
        let housekeeper = core.housekeeper.clone();
        let pending = core.committer.submit(move |group| {
            let backup = match deletable(group.catalog(), &valid.backup) {
                Ok(backup) => backup,
                Err(error) => return Ok(Err(error)),
            };
            backup::remove(group, &backup)?;
            housekeeper.wake();
            let description = backup_description::describe(&backup, &region, BackupStatus::Deleted);
            Ok(Ok(DeleteBackupOutput {
                backup_description: Some(description),
            }))
        });
        Ok(Step::Table(pending))
    }
}

fn deletable(catalog: &Catalog, arn: &BackupArn) -> Result<Arc<BackupDefinition>, Error> {
    let backup = backup_description::find(catalog, arn)?;
    if backup.kind == BackupType::System {
        return Err(wording::system_backup_stays(
            arn.as_str(),
            backup.expires.unwrap_or_default(),
        ));
    }
    if catalog.is_restored(backup.id) {
        return Err(wording::backup_is_restored(arn.as_str()));
    }
    match backup.state {
        BackupState::Creating => Err(wording::backup_is_created(arn.as_str())),
        BackupState::Available => Ok(Arc::clone(backup)),
    }
}
