//! DescribeLimits.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{DescribeLimits, DescribeLimitsInput, DescribeLimitsOutput, Error};
use std::sync::Arc;

/// The limits of a new AWS account. Nothing is limited here; programs that plan by them still work.
const ACCOUNT_UNITS: u64 = 80_000;
const TABLE_UNITS: u64 = 40_000;

impl Execute for DescribeLimits {
    fn start(
        _: &Arc<Core>,
        input: DescribeLimitsInput,
    ) -> Result<Step<DescribeLimitsOutput>, Error> {
        input.validate()?;
        Ok(Step::Done(DescribeLimitsOutput {
            account_max_read_capacity_units: Some(ACCOUNT_UNITS),
            account_max_write_capacity_units: Some(ACCOUNT_UNITS),
            table_max_read_capacity_units: Some(TABLE_UNITS),
            table_max_write_capacity_units: Some(TABLE_UNITS),
        }))
    }
}
