//! DescribeTableReplicaAutoScaling: how replicas in other regions scale. No table here has any.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, TableName};

structure! {
    /// A DescribeTableReplicaAutoScaling request.
    pub struct DescribeTableReplicaAutoScalingInput {
        /// The table, by name or ARN.
        table_name: String,
    }

    /// A DescribeTableReplicaAutoScaling answer. No table has replicas, so there is never one.
    pub struct DescribeTableReplicaAutoScalingOutput {}
}

/// A DescribeTableReplicaAutoScaling request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeTableReplicaAutoScaling {
    /// The table.
    pub table: TableName,
}

impl DescribeTableReplicaAutoScalingInput {
    /// Of this table.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDescribeTableReplicaAutoScaling, Error> {
        let mut constraints = Constraints::default();
        let path = Path::Root("tableName");
        let table = TableName::require(&mut constraints, path, &self.table_name);
        Ok(ValidDescribeTableReplicaAutoScaling {
            table: constraints.finish(table)?,
        })
    }
}
