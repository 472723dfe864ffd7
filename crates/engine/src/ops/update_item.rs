//! UpdateItem.

use super::Execute;
use super::item_write::{self, Asked};
use crate::catalog::Table;
use crate::commit::{Action, Change, Effect};
use crate::engine::Core;
use crate::step::Step;
use crate::{schema, wording};
use monotable_api::{
    Error, ReturnValue, UpdateItem, UpdateItemInput, UpdateItemOutput, ValidUpdateItem,
};
use monotable_expr::{Condition, Update};
use monotable_item::EncodedItem;
use std::sync::Arc;

impl Execute for UpdateItem {
    fn start(core: &Arc<Core>, input: UpdateItemInput) -> Result<Step<UpdateItemOutput>, Error> {
        run(core, input.validate()?)
    }
}

/// Carries out a request that was checked.
pub(super) fn run(core: &Core, valid: ValidUpdateItem) -> Result<Step<UpdateItemOutput>, Error> {
    let catalog = core.published.catalog.load();
    let table = catalog.table(valid.table.as_str())?;
    let key = schema::check_key(table, valid.key.view())?;
    check_update(table, valid.update.as_ref())?;
    if let Some(update) = &valid.update {
        schema::check_update_types(table, update)?;
    }
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
        change: Change::Update {
            key: valid.key.clone(),
            update: valid.update,
        },
        condition: valid.condition,
        wants_old: true,
    };
    item_write::start(core, action, valid.key, asked, move |written| {
        UpdateItemOutput {
            consumed_capacity: written.capacity,
            item_collection_metrics: written.metrics,
            attributes: returned(valid.return_values, written.effect),
        }
    })
}

/// An update may not touch the key.
pub(super) fn check_update(table: &Table, update: Option<&Update>) -> Result<(), Error> {
    let Some(update) = update else {
        return Ok(());
    };
    match table.key.attributes().find(|key| update.touches(&key.name)) {
        Some(key) => Err(wording::updates_key(&key.name)),
        None => schema::check_paths(table, update.paths()),
    }
}

fn returned(asked: ReturnValue, effect: Effect) -> Option<EncodedItem> {
    let Effect {
        old, new, updated, ..
    } = effect;
    match asked {
        ReturnValue::None => None,
        ReturnValue::AllOld => old,
        ReturnValue::AllNew => new,
        // Attributes that are not there before or after are left out; none at all is no answer.
        ReturnValue::UpdatedOld => {
            let attributes = updated?.updated_old(old?.view());
            (!attributes.is_empty()).then_some(attributes)
        }
        ReturnValue::UpdatedNew => {
            let attributes = updated?.updated_new();
            (!attributes.is_empty()).then_some(attributes)
        }
    }
}
