//! ListContributorInsights: the tables and indexes that insights were ever asked for.

use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{ContributorInsightsMode, ContributorInsightsStatus, Error, TableName};

/// Most entries of a page.
const MAX_RESULTS: i64 = 100;

structure! {
    /// A ListContributorInsights request.
    pub struct ListContributorInsightsInput {
        /// Of this table only, by name or ARN.
        table_name: String,
        /// Where to go on.
        next_token: String,
        /// How many entries to return at most.
        max_results: i64,
    }

    /// A ListContributorInsights answer.
    pub struct ListContributorInsightsOutput {
        /// The entries.
        contributor_insights_summaries: Vec<ContributorInsightsSummary>,
        /// Where to go on.
        next_token: String,
    }

    /// A table or an index that has insights.
    pub struct ContributorInsightsSummary {
        /// The table.
        table_name: String,
        /// The index.
        index_name: String,
        /// Whether insights are made.
        contributor_insights_status: Chosen<ContributorInsightsStatus>,
        /// Which requests are counted.
        contributor_insights_mode: Chosen<ContributorInsightsMode>,
    }
}

/// A ListContributorInsights request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidListContributorInsights {
    /// Of this table only.
    pub table: Option<TableName>,
}

impl ListContributorInsightsInput {
    /// Of all tables.
    pub fn new() -> Self {
        Self::default()
    }

    /// Checks everything that can be judged without the tables.
    pub fn validate(self) -> Result<ValidListContributorInsights, Error> {
        let mut constraints = Constraints::default();
        let table = self
            .table_name
            .as_ref()
            .map(|name| TableName::constrain(&mut constraints, Path::Root("tableName"), name));
        if let Some(limit) = self.max_results {
            constraints.range(Path::Root("maxResults"), limit, i64::MIN..=MAX_RESULTS);
        }
        constraints.finish(Some(()))?;
        Ok(ValidListContributorInsights { table })
    }
}
