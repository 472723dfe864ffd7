//! DescribeContinuousBackups: to which points in time a table can be restored.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{ContinuousBackupsDescription, Error, TableName};

structure! {
    /// A DescribeContinuousBackups request.
    pub struct DescribeContinuousBackupsInput {
        /// The table, by name or ARN.
        table_name: String,
    }

    /// A DescribeContinuousBackups answer.
    pub struct DescribeContinuousBackupsOutput {
        /// How it is.
        continuous_backups_description: ContinuousBackupsDescription,
    }
}

/// A DescribeContinuousBackups request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeContinuousBackups {
    /// The table.
    pub table: TableName,
}

impl DescribeContinuousBackupsInput {
    /// Describes this table's.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDescribeContinuousBackups, Error> {
        let mut constraints = Constraints::default();
        let path = Path::Root("tableName");
        let table = TableName::require(&mut constraints, path, &self.table_name);
        let table = constraints.finish(table)?;
        Ok(ValidDescribeContinuousBackups { table })
    }
}
