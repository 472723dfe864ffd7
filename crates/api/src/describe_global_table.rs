//! DescribeGlobalTable: a table with replicas in other regions. No table here has any.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, TableName};

structure! {
    /// A DescribeGlobalTable request.
    pub struct DescribeGlobalTableInput {
        /// The table.
        global_table_name: String,
    }

    /// A DescribeGlobalTable answer. No table has replicas, so there is never one.
    pub struct DescribeGlobalTableOutput {}
}

/// A DescribeGlobalTable request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeGlobalTable {
    /// The table.
    pub table: TableName,
}

impl DescribeGlobalTableInput {
    /// Of this table.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            global_table_name: Some(table.into()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDescribeGlobalTable, Error> {
        let mut constraints = Constraints::default();
        let path = Path::Root("globalTableName");
        let table = TableName::require(&mut constraints, path, &self.global_table_name);
        Ok(ValidDescribeGlobalTable {
            table: constraints.finish(table)?,
        })
    }
}
