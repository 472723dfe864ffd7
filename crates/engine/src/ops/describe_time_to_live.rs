//! DescribeTimeToLive.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    DescribeTimeToLive, DescribeTimeToLiveInput, DescribeTimeToLiveOutput, Error,
    TimeToLiveDescription, TimeToLiveStatus,
};
use std::sync::Arc;

impl Execute for DescribeTimeToLive {
    fn start(
        core: &Arc<Core>,
        input: DescribeTimeToLiveInput,
    ) -> Result<Step<DescribeTimeToLiveOutput>, Error> {
        let name = input.validate()?.table;
        let catalog = core.published.catalog.load();
        let table = catalog
            .get(name.as_str())
            .ok_or_else(|| wording::named_table_not_found(name.as_str()))?;
        let attribute_name = table.definition.time_to_live.clone();
        let status = match attribute_name {
            Some(_) => TimeToLiveStatus::Enabled,
            None => TimeToLiveStatus::Disabled,
        };
        Ok(Step::Done(DescribeTimeToLiveOutput {
            time_to_live_description: Some(TimeToLiveDescription {
                time_to_live_status: Some(status),
                attribute_name,
            }),
        }))
    }
}
