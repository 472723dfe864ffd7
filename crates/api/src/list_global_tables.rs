//! ListGlobalTables: the tables with replicas in other regions. No table here has any.

use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{Error, TableName};

structure! {
    /// A ListGlobalTables request.
    pub struct ListGlobalTablesInput {
        /// The name to go on after.
        exclusive_start_global_table_name: String,
        /// How many names to return at most.
        limit: i64,
        /// Only tables with a replica there.
        region_name: String,
    }

    /// A ListGlobalTables answer.
    pub struct ListGlobalTablesOutput {
        /// The tables.
        global_tables: Vec<GlobalTable>,
        /// The name to go on after.
        last_evaluated_global_table_name: String,
    }

    /// A table with replicas.
    pub struct GlobalTable {
        /// The table.
        global_table_name: String,
        /// Its replicas.
        replication_group: Vec<Replica>,
    }

    /// A replica.
    pub struct Replica {
        /// Where it is.
        region_name: String,
    }
}

/// A ListGlobalTables request, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidListGlobalTables;

impl ListGlobalTablesInput {
    /// All of them.
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks everything that can be judged without the tables.
    pub fn validate(self) -> Result<ValidListGlobalTables, Error> {
        let mut constraints = Constraints::default();
        if let Some(name) = &self.exclusive_start_global_table_name {
            let path = Path::Root("exclusiveStartGlobalTableName");
            TableName::constrain(&mut constraints, path, name);
        }
        constraints.limit(self.limit);
        constraints.finish(Some(ValidListGlobalTables))
    }
}
