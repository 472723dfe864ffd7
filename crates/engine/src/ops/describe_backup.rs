//! DescribeBackup.

use super::{Execute, backup_description};
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{DescribeBackup, DescribeBackupInput, DescribeBackupOutput, Error};
use std::sync::Arc;

impl Execute for DescribeBackup {
    fn start(
        core: &Arc<Core>,
        input: DescribeBackupInput,
    ) -> Result<Step<DescribeBackupOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let backup = backup_description::find(&catalog, &valid.backup)?;
        let status = backup_description::status(backup);
        let description = backup_description::describe(backup, &core.region, status);
        Ok(Step::Done(DescribeBackupOutput {
            backup_description: Some(description),
        }))
    }
}
