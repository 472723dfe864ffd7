//! DeleteBackup: removes a backup.

use crate::backup_arn::BackupArn;
use crate::constraint::Constraints;
use crate::structure::structure;
use crate::{BackupDescription, Error};

structure! {
    /// A DeleteBackup request.
    pub struct DeleteBackupInput {
        /// The backup.
        backup_arn: String,
    }

    /// A DeleteBackup answer.
    pub struct DeleteBackupOutput {
        /// The backup, which is gone.
        backup_description: BackupDescription,
    }
}

/// A DeleteBackup request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDeleteBackup {
    /// The backup.
    pub backup: BackupArn,
}

impl DeleteBackupInput {
    /// Removes this backup.
    pub fn new(backup_arn: impl Into<String>) -> Self {
        Self {
            backup_arn: Some(backup_arn.into()),
        }
    }

    /// Checks everything that can be judged without the backup.
    pub fn validate(self) -> Result<ValidDeleteBackup, Error> {
        let mut constraints = Constraints::default();
        let arn = BackupArn::require(&mut constraints, &self.backup_arn);
        let backup = BackupArn::parse(constraints.finish(arn)?)?;
        Ok(ValidDeleteBackup { backup })
    }
}
