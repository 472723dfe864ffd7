//! DescribeContributorInsights: whether there are insights of a table or an index.

use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{
    ContributorInsightsMode, ContributorInsightsStatus, Error, IndexName, TableName, Timestamp,
};

structure! {
    /// A DescribeContributorInsights request.
    pub struct DescribeContributorInsightsInput {
        /// The table, by name or ARN.
        table_name: String,
        /// The index instead of the table.
        index_name: String,
    }

    /// A DescribeContributorInsights answer.
    pub struct DescribeContributorInsightsOutput {
        /// The table.
        table_name: String,
        /// The index.
        index_name: String,
        /// The rules that make the insights.
        contributor_insights_rule_list: Vec<String>,
        /// Whether there are any.
        contributor_insights_status: Chosen<ContributorInsightsStatus>,
        /// When that was last changed.
        last_update_date_time: Timestamp,
        /// Why there are none.
        failure_exception: FailureException,
        /// Which requests are counted.
        contributor_insights_mode: Chosen<ContributorInsightsMode>,
    }

    /// Why there are no insights.
    pub struct FailureException {
        /// The name of the error.
        exception_name: String,
        /// In words.
        exception_description: String,
    }
}

/// A DescribeContributorInsights request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidDescribeContributorInsights {
    /// The table.
    pub table: TableName,
    /// The index instead of the table.
    pub index: Option<IndexName>,
}

impl DescribeContributorInsightsInput {
    /// Of this table.
    pub fn new(table: impl Into<String>) -> Self {
        Self {
            table_name: Some(table.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidDescribeContributorInsights, Error> {
        let mut constraints = Constraints::default();
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        let index = self
            .index_name
            .as_ref()
            .map(|name| IndexName::constrain(&mut constraints, Path::Root("indexName"), name));
        Ok(ValidDescribeContributorInsights {
            table: constraints.finish(table)?,
            index,
        })
    }
}
