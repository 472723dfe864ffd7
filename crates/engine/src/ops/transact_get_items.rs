//! TransactGetItems.

use super::Execute;
use super::get_item::projected;
use super::transact_write_items::cancelled;
use crate::capacity::{Kind, TRANSACTIONAL, Tally, item_read_units};
use crate::engine::Core;
use crate::step::Step;
use crate::{schema, wording};
use monotable_api::{
    CancellationReason, Error, ItemResponse, ReturnConsumedCapacity, TransactGetItems,
    TransactGetItemsInput, TransactGetItemsOutput, ValidTransactGetItems,
};
use monotable_expr::Projection;
use monotable_item::limits::MAX_TRANSACTION_BYTES;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

impl Execute for TransactGetItems {
    fn start(
        core: &Arc<Core>,
        input: TransactGetItemsInput,
    ) -> Result<Step<TransactGetItemsOutput>, Error> {
        run(core, &input.validate()?).map(Step::Done)
    }
}

/// Carries out a request that was checked.
pub(super) fn run(
    core: &Core,
    valid: &ValidTransactGetItems,
) -> Result<TransactGetItemsOutput, Error> {
    let catalog = core.published.catalog.load();
    let mut keys = Vec::with_capacity(valid.gets.len());
    let mut seen = HashSet::new();
    let mut reasons: Vec<Option<CancellationReason>> = Vec::with_capacity(valid.gets.len());
    for get in &valid.gets {
        let table = catalog.table(get.table.as_str())?;
        schema::check_paths(table, get.projection.iter().flat_map(Projection::paths))?;
        match schema::check_key(table, get.key.view()) {
            Ok(key) if !seen.insert(key.clone()) => return Err(wording::same_item_twice()),
            Ok(key) => {
                let conflict = core.conflicts(table.name(), get.key.view());
                reasons.push(conflict.then(CancellationReason::conflict));
                keys.push(key);
            }
            Err(error) => {
                reasons.push(Some(CancellationReason::validation(error.message())));
            }
        }
    }
    if reasons.iter().any(Option::is_some) {
        return Err(cancelled(reasons));
    }
    // One snapshot: all items as they were at one moment.
    let snapshot = core.published.snapshot();
    let mut bytes = 0;
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut responses = Vec::with_capacity(keys.len());
    for (get, key) in valid.gets.iter().zip(&keys) {
        let item = Core::read_item(&snapshot, key)?;
        bytes += item.as_ref().map_or(0, |item| item.size());
        if bytes > MAX_TRANSACTION_BYTES {
            return Err(wording::transaction_too_large());
        }
        let units = item_read_units(item.as_ref(), true) * TRANSACTIONAL;
        tallies
            .entry(get.table.given())
            .or_default()
            .add_table(units);
        responses.push(ItemResponse {
            item: item.map(|item| projected(item, get.projection.as_ref())),
        });
    }
    let consumed = tallies.into_iter().filter_map(|(table, tally)| {
        tally.describe(table, valid.capacity, Kind::TransactionalRead)
    });
    Ok(TransactGetItemsOutput {
        consumed_capacity: (valid.capacity != ReturnConsumedCapacity::None)
            .then(|| consumed.collect()),
        responses: Some(responses),
    })
}
