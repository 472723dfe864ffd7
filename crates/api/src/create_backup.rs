//! CreateBackup: keeps a table as it is now.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{BackupDetails, Error, TableName};
use monotable_item::limits;

structure! {
    /// A CreateBackup request.
    pub struct CreateBackupInput {
        /// The table, by name or ARN.
        table_name: String,
        /// A name for the backup. Several backups may have the same.
        backup_name: String,
    }

    /// A CreateBackup answer.
    pub struct CreateBackupOutput {
        /// The backup, which is being made.
        backup_details: BackupDetails,
    }
}

/// A CreateBackup request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidCreateBackup {
    /// The table.
    pub table: TableName,
    /// The name of the backup.
    pub name: String,
}

impl CreateBackupInput {
    /// A backup of this table with this name.
    pub fn new(table: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
            backup_name: Some(name.into()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidCreateBackup, Error> {
        let mut constraints = Constraints::default();
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        let path = Path::Root("backupName");
        if let Some(name) = constraints.required(path, &self.backup_name) {
            constraints.name_pattern(path, name);
            constraints.text_length(path, name, limits::TABLE_NAME_CHARS);
        }
        let (table, name) = constraints.finish(table.zip(self.backup_name))?;
        Ok(ValidCreateBackup { table, name })
    }
}
