//! ListTables.

use super::Execute;
use crate::engine::Core;
use crate::step::Step;
use monotable_api::{Error, ListTables, ListTablesInput, ListTablesOutput};
use std::sync::Arc;

impl Execute for ListTables {
    fn start(core: &Arc<Core>, input: ListTablesInput) -> Result<Step<ListTablesOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let after = |name: &&str| valid.start.as_deref().is_none_or(|start| *name > start);
        let mut names = catalog.names().filter(after).map(str::to_owned);
        let table_names: Vec<String> = names.by_ref().take(valid.limit).collect();
        let more = names.next().is_some();
        Ok(Step::Done(ListTablesOutput {
            last_evaluated_table_name: table_names.last().filter(|_| more).cloned(),
            table_names,
        }))
    }
}
