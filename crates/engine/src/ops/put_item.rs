//! PutItem.

use super::Execute;
use super::item_write::{self, Asked};
use crate::commit::{Action, Change};
use crate::engine::Core;
use crate::schema;
use crate::step::Step;
use monotable_api::{Error, PutItem, PutItemInput, PutItemOutput, ValidPutItem};
use monotable_expr::Condition;
use std::sync::Arc;

impl Execute for PutItem {
    fn start(core: &Arc<Core>, input: PutItemInput) -> Result<Step<PutItemOutput>, Error> {
        run(core, input.validate()?)
    }
}

/// Carries out a request that was checked.
pub(super) fn run(core: &Core, valid: ValidPutItem) -> Result<Step<PutItemOutput>, Error> {
    let catalog = core.published.catalog.load();
    let table = catalog.table(valid.table.as_str())?;
    let key = schema::check_item(table, &valid.item)?;
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
        change: Change::Put(valid.item.clone()),
        condition: valid.condition,
        wants_old: valid.return_old || asked.needs_old(),
    };
    item_write::start(core, action, valid.item, asked, move |written| {
        PutItemOutput {
            consumed_capacity: written.capacity,
            item_collection_metrics: written.metrics,
            attributes: written.effect.old.filter(|_| valid.return_old),
        }
    })
}
