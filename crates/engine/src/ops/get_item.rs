//! GetItem.

use super::Execute;
use crate::capacity::{Kind, Tally, item_read_units};
use crate::engine::Core;
use crate::schema;
use crate::step::Step;
use crate::wording;
use monotable_api::{
    ConsumedCapacity, Error, GetItem, GetItemInput, GetItemOutput, ReturnConsumedCapacity,
    ValidGetItem,
};
use monotable_expr::Projection;
use monotable_item::EncodedItem;
use std::sync::Arc;

impl Execute for GetItem {
    fn start(core: &Arc<Core>, input: GetItemInput) -> Result<Step<GetItemOutput>, Error> {
        run(core, &input.validate()?).map(Step::Done)
    }
}

/// Carries out a request that was checked.
pub(super) fn run(core: &Core, valid: &ValidGetItem) -> Result<GetItemOutput, Error> {
    let catalog = core.published.catalog.load();
    let table = catalog.table(valid.table.as_str())?;
    let key = schema::check_key(table, valid.key.view())?;
    schema::check_paths(table, valid.projection.iter().flat_map(Projection::paths))?;
    let item = core.published.read_item(&key.0);
    let item = item.map_err(|fault| wording::internal(&fault))?;
    let item = item.map(EncodedItem::from_stored);
    Ok(GetItemOutput {
        consumed_capacity: capacity(valid, item.as_ref()),
        item: item.map(|item| projected(item, valid.projection.as_ref())),
    })
}

fn capacity(valid: &ValidGetItem, item: Option<&EncodedItem>) -> Option<ConsumedCapacity> {
    if valid.capacity == ReturnConsumedCapacity::None {
        return None;
    }
    let mut tally = Tally::default();
    tally.add_table(item_read_units(item, valid.consistent));
    tally.describe(valid.table.given(), valid.capacity, Kind::Plain)
}

/// The item, or what a projection leaves of it.
pub(super) fn projected(item: EncodedItem, projection: Option<&Projection>) -> EncodedItem {
    match projection {
        None => item,
        Some(projection) => projection.project(item.view()),
    }
}
