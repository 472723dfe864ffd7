//! DescribeTableReplicaAutoScaling.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    DescribeTableReplicaAutoScaling, DescribeTableReplicaAutoScalingInput,
    DescribeTableReplicaAutoScalingOutput, Error,
};
use std::sync::Arc;

impl Execute for DescribeTableReplicaAutoScaling {
    fn start(
        _core: &Arc<Core>,
        input: DescribeTableReplicaAutoScalingInput,
    ) -> Result<Step<DescribeTableReplicaAutoScalingOutput>, Error> {
        let name = input.validate()?.table;
        Err(wording::no_replicas(name.as_str()))
    }
}
