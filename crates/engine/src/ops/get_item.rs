//! GetItem.

use super::Execute;
use crate::capacity::{Kind, Tally, item_read_units};
use crate::engine::Core;
use crate::schema;
use crate::step::Step;
use monotable_api::{Error, GetItem, GetItemInput, GetItemOutput};
use monotable_expr::Projection;
use monotable_item::EncodedItem;
use std::sync::Arc;

impl Execute for GetItem {
    fn start(core: &Arc<Core>, input: GetItemInput) -> Result<Step<GetItemOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let table = catalog.table(valid.table.as_str())?;
        let key = schema::check_key(table, valid.key.view())?;
        schema::check_paths(table, valid.projection.iter().flat_map(Projection::paths))?;
        // A plain get of the store can see half a commit; a snapshot cannot.
        let item = Core::read_item(&core.published.snapshot(), &key)?;
        let units = item_read_units(item.as_ref(), valid.consistent);
        Ok(Step::Done(GetItemOutput {
            consumed_capacity: Tally::table(units).describe(
                valid.table.given(),
                valid.capacity,
                Kind::Plain,
            ),
            item: item.map(|item| projected(item, valid.projection.as_ref())),
        }))
    }
}

/// The item, or what a projection leaves of it.
pub(super) fn projected(item: EncodedItem, projection: Option<&Projection>) -> EncodedItem {
    match projection {
        None => item,
        Some(projection) => projection.project(item.view()),
    }
}
