//! UpdateContributorInsights.

use super::Execute;
use super::describe_contributor_insights::check_subject;
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    ContributorInsightsAction, ContributorInsightsStatus, Error, UpdateContributorInsights,
    UpdateContributorInsightsInput, UpdateContributorInsightsOutput,
};
use std::sync::Arc;

impl Execute for UpdateContributorInsights {
    fn start(
        core: &Arc<Core>,
        input: UpdateContributorInsightsInput,
    ) -> Result<Step<UpdateContributorInsightsOutput>, Error> {
        let valid = input.validate()?;
        check_subject(core, &valid.table, valid.index.as_ref())?;
        match valid.action {
            ContributorInsightsAction::Enable => Err(wording::no_insights()),
            ContributorInsightsAction::Disable => Ok(Step::Done(UpdateContributorInsightsOutput {
                table_name: Some(valid.table.as_str().to_owned()),
                index_name: valid.index.map(|index| index.as_str().to_owned()),
                contributor_insights_status: Some(ContributorInsightsStatus::Disabled.into()),
                ..UpdateContributorInsightsOutput::default()
            })),
        }
    }
}
