//! UpdateContributorInsights: asks for insights, which are not made here, or for none.

use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::structure::structure;
use crate::{
    ContributorInsightsAction, ContributorInsightsMode, ContributorInsightsStatus, Error,
    IndexName, TableName,
};

structure! {
    /// An UpdateContributorInsights request.
    pub struct UpdateContributorInsightsInput {
        /// The table, by name or ARN.
        table_name: String,
        /// The index instead of the table.
        index_name: String,
        /// What to do.
        contributor_insights_action: Chosen<ContributorInsightsAction>,
        /// Which requests to count.
        contributor_insights_mode: Chosen<ContributorInsightsMode>,
    }

    /// An UpdateContributorInsights answer.
    pub struct UpdateContributorInsightsOutput {
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

/// An UpdateContributorInsights request, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidUpdateContributorInsights {
    /// The table.
    pub table: TableName,
    /// The index instead of the table.
    pub index: Option<IndexName>,
    /// What to do.
    pub action: ContributorInsightsAction,
}

impl UpdateContributorInsightsInput {
    /// Does this about insights of a table.
    pub fn new(table: impl Into<String>, action: ContributorInsightsAction) -> Self {
        Self {
            table_name: Some(table.into()),
            contributor_insights_action: Some(action.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidUpdateContributorInsights, Error> {
        let mut constraints = Constraints::default();
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        let index = self
            .index_name
            .as_ref()
            .map(|name| IndexName::constrain(&mut constraints, Path::Root("indexName"), name));
        let path = Path::Root("contributorInsightsAction");
        constraints.required(path, &self.contributor_insights_action);
        let action = constraints.choice(path, &self.contributor_insights_action);
        constraints.choice(
            Path::Root("contributorInsightsMode"),
            &self.contributor_insights_mode,
        );
        let (table, action) = constraints.finish(table.zip(action))?;
        Ok(ValidUpdateContributorInsights {
            table,
            index,
            action,
        })
    }
}
