//! DeleteItem.

use super::Execute;
use super::item_write::{self, Asked};
use crate::commit::{Action, Change};
use crate::engine::Core;
use crate::schema;
use crate::step::Step;
use monotable_api::{DeleteItem, DeleteItemInput, DeleteItemOutput, Error, ValidDeleteItem};
use monotable_expr::Condition;
use std::sync::Arc;

impl Execute for DeleteItem {
    fn start(core: &Arc<Core>, input: DeleteItemInput) -> Result<Step<DeleteItemOutput>, Error> {
        run(core, input.validate()?)
    }
}

/// Carries out a request that was checked.
pub(super) fn run(core: &Core, valid: ValidDeleteItem) -> Result<Step<DeleteItemOutput>, Error> {
    let catalog = core.published.catalog.load();
    let table = catalog.table(valid.table.as_str())?;
    let key = schema::check_key(table, valid.key.view())?;
    schema::check_paths(table, valid.condition.iter().flat_map(Condition::paths))?;
    let asked = Asked {
        table: valid.table,
        old_on_failure: valid.return_old_on_failure,
        capacity: valid.capacity,
        metrics: valid.metrics,
    };
    let action = Action {
        table: Arc::clone(table),
        key,
        change: Change::Delete,
        condition: valid.condition,
        wants_old: valid.return_old || asked.needs_old(),
    };
    item_write::start(core, action, valid.key, asked, move |written| {
        DeleteItemOutput {
            consumed_capacity: written.capacity,
            item_collection_metrics: written.metrics,
            attributes: written.effect.old.filter(|_| valid.return_old),
        }
    })
}
