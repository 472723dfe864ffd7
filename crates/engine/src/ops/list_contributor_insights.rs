//! ListContributorInsights.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    Error, ListContributorInsights, ListContributorInsightsInput, ListContributorInsightsOutput,
};
use std::sync::Arc;

impl Execute for ListContributorInsights {
    fn start(
        core: &Arc<Core>,
        input: ListContributorInsightsInput,
    ) -> Result<Step<ListContributorInsightsOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        if let Some(name) = valid.table
            && catalog.get(name.as_str()).is_none()
        {
            return Err(wording::named_table_not_found(name.as_str()));
        }
        Ok(Step::Done(ListContributorInsightsOutput {
            contributor_insights_summaries: Some(Vec::new()),
            next_token: None,
        }))
    }
}
