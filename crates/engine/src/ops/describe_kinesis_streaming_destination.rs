//! DescribeKinesisStreamingDestination.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    DescribeKinesisStreamingDestination, DescribeKinesisStreamingDestinationInput,
    DescribeKinesisStreamingDestinationOutput, Error,
};
use std::sync::Arc;

impl Execute for DescribeKinesisStreamingDestination {
    fn start(
        core: &Arc<Core>,
        input: DescribeKinesisStreamingDestinationInput,
    ) -> Result<Step<DescribeKinesisStreamingDestinationOutput>, Error> {
        let name = input.validate()?.table;
        let catalog = core.published.catalog.load();
        if catalog.get(name.as_str()).is_none() {
            return Err(wording::named_table_not_found(name.as_str()));
        }
        Ok(Step::Done(DescribeKinesisStreamingDestinationOutput {
            table_name: Some(name.as_str().to_owned()),
            kinesis_data_stream_destinations: Some(Vec::new()),
        }))
    }
}
