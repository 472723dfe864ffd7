//! ListGlobalTables.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{Error, ListGlobalTables, ListGlobalTablesInput, ListGlobalTablesOutput};
use std::sync::Arc;

impl Execute for ListGlobalTables {
    fn start(
        _core: &Arc<Core>,
        input: ListGlobalTablesInput,
    ) -> Result<Step<ListGlobalTablesOutput>, Error> {
        input.validate()?;
        Ok(Step::Done(ListGlobalTablesOutput {
            global_tables: Some(Vec::new()),
            ..ListGlobalTablesOutput::default()
        }))
    }
}
