//! ListTables: the names of all tables, in order.

use crate::Error;
use crate::constraint::{Constraints, Path};
use crate::structure::{map_only, structure};
use monotable_item::limits;
use serde::{Deserialize, Serialize};

structure! {
    /// A ListTables request.
    pub struct ListTablesInput {
        /// The name to go on after.
        exclusive_start_table_name: String,
        /// How many names to return at most.
        limit: i64,
    }
}

/// A ListTables answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "PascalCase")]
pub struct ListTablesOutput {
    /// The names.
    #[serde(default)]
    pub table_names: Vec<String>,
    /// The name to go on after; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_evaluated_table_name: Option<String>,
}

map_only!(ListTablesOutput);

/// A ListTables request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidListTables {
    /// The name to go on after; a table of that name need not exist.
    pub start: Option<String>,
    /// How many names to return at most.
    pub limit: usize,
}

impl ListTablesInput {
    /// All tables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes on after this name, the `last_evaluated_table_name` of the page before.
    pub fn start_after(mut self, name: impl Into<String>) -> Self {
        self.exclusive_start_table_name = Some(name.into());
        self
    }

    /// Checks everything that can be judged without the tables.
    pub fn validate(self) -> Result<ValidListTables, Error> {
        let mut constraints = Constraints::default();
        if let Some(limit) = self.limit {
            constraints.range(
                Path::Root("limit"),
                limit,
                1..=limits::MAX_LIST_TABLES as i64,
            );
        }
        if let Some(name) = &self.exclusive_start_table_name {
            let path = Path::Root("exclusiveStartTableName");
            constraints.name_pattern(path, name);
            constraints.text_length(path, name, limits::TABLE_NAME_CHARS);
        }
        constraints.finish(Some(()))?;
        let limit = self.limit.and_then(|limit| usize::try_from(limit).ok());
        Ok(ValidListTables {
            start: self.exclusive_start_table_name,
            limit: limit.unwrap_or(limits::MAX_LIST_TABLES),
        })
    }
}
