//! DescribeGlobalTableSettings: the settings of replicas in other regions. No table here has any.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, TableName};

structure! {
    /// A DescribeGlobalTableSettings request.
    pub struct DescribeGlobalTableSettingsInput {
        /// The table.
        global_table_name: String,
    }

    /// A DescribeGlobalTableSettings answer. No table has replicas, so there is never one.
    pub struct DescribeGlobalTableSettingsOutput {}
}

/// A DescribeGlobalTableSettings request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeGlobalTableSettings {
    /// The table.
    pub table: TableName,
}

impl DescribeGlobalTableSettingsInput {
    /// Of this table.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            global_table_name: Some(table.into()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDescribeGlobalTableSettings, Error> {
        let mut constraints = Constraints::default();
        let path = Path::Root("globalTableName");
        let table = TableName::require(&mut constraints, path, &self.global_table_name);
        Ok(ValidDescribeGlobalTableSettings {
            table: constraints.finish(table)?,
        })
    }
}
