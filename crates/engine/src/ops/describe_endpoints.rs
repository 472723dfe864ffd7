//! DescribeEndpoints.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{
    DescribeEndpoints, DescribeEndpointsInput, DescribeEndpointsOutput, Endpoint, Error,
};
use std::sync::Arc;

/// How long a client may keep the answer, in minutes.
const CACHE_MINUTES: u64 = 1440;

impl Execute for DescribeEndpoints {
    fn start(
        core: &Arc<Core>,
        input: DescribeEndpointsInput,
    ) -> Result<Step<DescribeEndpointsOutput>, Error> {
        input.validate()?;
        let endpoint = Endpoint {
            address: Some(format!("dynamodb.{}.amazonaws.com", core.region)),
            cache_period_in_minutes: Some(CACHE_MINUTES),
        };
        Ok(Step::Done(DescribeEndpointsOutput {
            endpoints: vec![endpoint],
        }))
    }
}
