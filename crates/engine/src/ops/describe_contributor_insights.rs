//! DescribeContributorInsights.

use super::Execute;
use crate::catalog::{Index, IndexKind};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    ContributorInsightsStatus, DescribeContributorInsights, DescribeContributorInsightsInput,
    DescribeContributorInsightsOutput, Error, IndexName, TableName,
};
use std::sync::Arc;

/// Checks that there is what insights are asked of.
pub(super) fn check_subject(
    core: &Core,
    name: &TableName,
    index: Option<&IndexName>,
) -> Result<(), Error> {
    let catalog = core.published.catalog.load();
    let table = catalog
        .get(name.as_str())
        .ok_or_else(|| wording::named_table_not_found(name.as_str()))?;
    let Some(index) = index else {
        return Ok(());
    };
    // A local index has no insights of its own.
    let is_global = |known: &&Index| known.kind == IndexKind::Global;
    let mut indexes = table.indexes.iter().filter(is_global);
    if indexes.any(|known| known.name == index.as_str()) {
        Ok(())
    } else {
        Err(wording::index_not_found_for_table(
            index.as_str(),
            name.as_str(),
        ))
    }
}

impl Execute for DescribeContributorInsights {
    fn start(
        core: &Arc<Core>,
        input: DescribeContributorInsightsInput,
    ) -> Result<Step<DescribeContributorInsightsOutput>, Error> {
        let valid = input.validate()?;
        check_subject(core, &valid.table, valid.index.as_ref())?;
        Ok(Step::Done(DescribeContributorInsightsOutput {
            table_name: Some(valid.table.as_str().to_owned()),
            index_name: valid.index.map(|index| index.as_str().to_owned()),
            contributor_insights_status: Some(ContributorInsightsStatus::Disabled.into()),
            ..DescribeContributorInsightsOutput::default()
        }))
    }
}
