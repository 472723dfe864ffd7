//! DescribeTable: a table's schema and state.

use crate::structure::structure;
use crate::{Error, TableDescription, TableName};

structure! {
    /// A DescribeTable request.
    pub struct DescribeTableInput {
        /// The table, by name or ARN.
        table_name: String,
    }

    /// A DescribeTable answer.
    pub struct DescribeTableOutput {
        /// The table.
        table: TableDescription,
    }
}

/// A DescribeTable request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeTable {
    /// The table.
    pub table: TableName,
}

impl DescribeTableInput {
    /// Describes this table.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDescribeTable, Error> {
        Ok(ValidDescribeTable {
            table: TableName::of_table_operation(&self.table_name)?,
        })
    }
}
