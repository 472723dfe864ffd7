//! ExecuteStatement.

use super::{Execute, partiql};
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{Error, ExecuteStatement, ExecuteStatementInput, ExecuteStatementOutput};
use monotable_expr::partiql::Statement;
use std::sync::Arc;

impl Execute for ExecuteStatement {
    fn start(
        core: &Arc<Core>,
        input: ExecuteStatementInput,
    ) -> Result<Step<ExecuteStatementOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let table = catalog.table(valid.prepared.table.as_str())?;
        if let Statement::Select(select) = &valid.prepared.statement {
            return partiql::start_select(core, table, select, &valid);
        }
        let step = partiql::start_write(core, table, &valid.prepared, valid.capacity)?;
        step.then(|answer| {
            let answer = answer?;
            Ok(ExecuteStatementOutput {
                items: Some(answer.item.into_iter().collect()),
                consumed_capacity: answer.capacity,
                ..ExecuteStatementOutput::default()
            })
        })
    }
}
