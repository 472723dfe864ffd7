//! DescribeTable.

use super::{Execute, description};
use crate::engine::Core;
use crate::step::Step;
use crate::wording;
use monotable_api::{DescribeTable, DescribeTableInput, DescribeTableOutput, Error, TableStatus};
use std::sync::Arc;

impl Execute for DescribeTable {
    fn start(
        core: &Arc<Core>,
        input: DescribeTableInput,
    ) -> Result<Step<DescribeTableOutput>, Error> {
        let name = input.validate()?.table;
        let catalog = core.published.catalog.load();
        let table = catalog
            .get(name.as_str())
            .ok_or_else(|| wording::named_table_not_found(name.as_str()))?;
        let description = description::describe(table, &core.region, TableStatus::Active);
        Ok(Step::Done(DescribeTableOutput {
            table: Some(description),
        }))
    }
}
