//! DescribeTimeToLive: whether items of a table go by themselves, and by which attribute.

use crate::structure::structure;
use crate::{Error, TableName};
use serde::{Deserialize, Serialize};

structure! {
    /// A DescribeTimeToLive request.
    pub struct DescribeTimeToLiveInput {
        /// The table, by name or ARN.
        table_name: String,
    }

    /// A DescribeTimeToLive answer.
    pub struct DescribeTimeToLiveOutput {
        /// How it is.
        time_to_live_description: TimeToLiveDescription,
    }

    /// Whether items of a table go by themselves, and by which attribute.
    pub struct TimeToLiveDescription {
        /// Whether they go.
        time_to_live_status: TimeToLiveStatus,
        /// The attribute that holds the time; absent if they stay.
        attribute_name: String,
    }
}

/// Whether items go by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum TimeToLiveStatus {
    /// They will soon. AWS takes up to an hour for it.
    Enabling,
    /// They will soon stay.
    Disabling,
    /// They go.
    Enabled,
    /// They stay.
    Disabled,
}

/// A DescribeTimeToLive request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeTimeToLive {
    /// The table.
    pub table: TableName,
}

impl DescribeTimeToLiveInput {
    /// Describes this table's.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDescribeTimeToLive, Error> {
        Ok(ValidDescribeTimeToLive {
            table: TableName::of_table_operation(&self.table_name)?,
        })
    }
}
