//! DeleteTable: removes a table with all of its items.

use crate::structure::structure;
use crate::{Error, TableDescription, TableName};

structure! {
    /// A DeleteTable request.
    pub struct DeleteTableInput {
        /// The table, by name or ARN.
        table_name: String,
    }

    /// A DeleteTable answer.
    pub struct DeleteTableOutput {
        /// The table, as it is being deleted.
        table_description: TableDescription,
    }
}

/// A DeleteTable request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDeleteTable {
    /// The table.
    pub table: TableName,
}

impl DeleteTableInput {
    /// Removes this table.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDeleteTable, Error> {
        Ok(ValidDeleteTable {
            table: TableName::of_table_operation(&self.table_name)?,
        })
    }
}
