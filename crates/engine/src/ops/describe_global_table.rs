//! DescribeGlobalTable.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    DescribeGlobalTable, DescribeGlobalTableInput, DescribeGlobalTableOutput, Error,
};
use std::sync::Arc;

impl Execute for DescribeGlobalTable {
    fn start(
        _core: &Arc<Core>,
        input: DescribeGlobalTableInput,
    ) -> Result<Step<DescribeGlobalTableOutput>, Error> {
        let name = input.validate()?.table;
        Err(wording::no_global_table(name.as_str()))
    }
}
