//! DescribeBackup: a backup and the table that it is of.

use crate::backup_arn::BackupArn;
use crate::constraint::Constraints;
use crate::structure::structure;
use crate::{BackupDescription, Error};

structure! {
    /// A DescribeBackup request.
    pub struct DescribeBackupInput {
        /// The backup.
        backup_arn: String,
    }

    /// A DescribeBackup answer.
    pub struct DescribeBackupOutput {
        /// The backup.
        backup_description: BackupDescription,
    }
}

/// A DescribeBackup request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeBackup {
    /// The backup.
    pub backup: BackupArn,
}

impl DescribeBackupInput {
    /// Describes this backup.
    pub fn new(backup_arn: impl Into<String>) -> Self {
        Self {
            backup_arn: Some(backup_arn.into()),
        }
    }

    /// Checks everything that can be judged without the backup.
    pub fn validate(self) -> Result<ValidDescribeBackup, Error> {
        let mut constraints = Constraints::default();
        let arn = BackupArn::require(&mut constraints, &self.backup_arn);
        let backup = BackupArn::parse(constraints.finish(arn)?)?;
        Ok(ValidDescribeBackup { backup })
    }
}
