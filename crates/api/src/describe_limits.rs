//! DescribeLimits: how many units an account may provision.

use crate::Error;
use crate::structure::structure;

structure! {
    /// A DescribeLimits request.
    pub struct DescribeLimitsInput {}

    /// A DescribeLimits answer.
    pub struct DescribeLimitsOutput {
        /// Read units of all tables together.
        account_max_read_capacity_units: u64,
        /// Write units of all tables together.
        account_max_write_capacity_units: u64,
        /// Read units of one table.
        table_max_read_capacity_units: u64,
        /// Write units of one table.
        table_max_write_capacity_units: u64,
    }
}

/// A DescribeLimits request, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValidDescribeLimits;

impl DescribeLimitsInput {
    /// There is nothing to check.
    pub fn validate(self) -> Result<ValidDescribeLimits, Error> {
        Ok(ValidDescribeLimits)
    }
}
