//! BatchGetItem.

use super::Execute;
use super::get_item::projected;
use crate::capacity::{Kind, Tally, item_read_units};
use crate::catalog::Table;
use crate::engine::Core;
use crate::keys::ItemKey;
use crate::step::Step;
use crate::store::Snapshot;
use crate::{schema, wording};
use monotable_api::{BatchGetItem, BatchGetItemInput, BatchGetItemOutput, BatchGetTable, Error};
use monotable_expr::Projection;
use monotable_item::EncodedItem;
use monotable_item::limits::MAX_BATCH_GET_BYTES;
use std::collections::HashSet;
use std::sync::Arc;

impl Execute for BatchGetItem {
    fn start(
        core: &Arc<Core>,
        input: BatchGetItemInput,
    ) -> Result<Step<BatchGetItemOutput>, Error> {
        let valid = input.validate()?;
        let catalog = core.published.catalog.load();
        let mut reads = Vec::with_capacity(valid.tables.len());
        for request in valid.tables {
            let table = catalog.table(request.table.as_str())?;
            let keys = check_keys(table, &request.keys)?;
            schema::check_paths(table, request.projection.iter().flat_map(Projection::paths))?;
            reads.push((request, keys));
        }
        let snapshot = core.published.snapshot();
        // A hundred items may be 16 MB: a long read.
        Ok(Step::Read(Box::new(move || {
            let mut output = BatchGetItemOutput::default();
            let mut consumed = Vec::new();
            let mut left = MAX_BATCH_GET_BYTES;
            for (request, keys) in reads {
                let read = read_table(&snapshot, &request, keys, &mut left)?;
                consumed.extend(read.tally.describe(
                    &request.given_name,
                    valid.capacity,
                    Kind::Plain,
                ));
                if !read.unprocessed.is_empty() {
                    let unprocessed = request.unprocessed(read.unprocessed);
                    output
                        .unprocessed_keys
                        .insert(request.given_name.clone(), unprocessed);
                }
                output.responses.insert(request.given_name, read.items);
            }
            output.consumed_capacity = (!consumed.is_empty()).then_some(consumed);
            Ok(output)
        })))
    }
}

fn check_keys(table: &Table, keys: &[EncodedItem]) -> Result<Vec<ItemKey>, Error> {
    let keys: Result<Vec<_>, _> = keys
        .iter()
        .map(|key| schema::check_key(table, key.view()))
        .collect();
    let keys = keys?;
    let mut seen = HashSet::new();
    if keys.iter().all(|key| seen.insert(key)) {
        Ok(keys)
    } else {
        Err(wording::duplicate_keys())
    }
}

/// What was read of one table.
struct TableRead {
    items: Vec<EncodedItem>,
    unprocessed: Vec<EncodedItem>,
    tally: Tally,
}

fn read_table(
    snapshot: &Snapshot,
    request: &BatchGetTable,
    keys: Vec<ItemKey>,
    left: &mut usize,
) -> Result<TableRead, Error> {
    let mut read = TableRead {
        items: Vec::with_capacity(keys.len()),
        unprocessed: Vec::new(),
        tally: Tally::default(),
    };
    for (key, given) in keys.into_iter().zip(&request.keys) {
        if *left == 0 {
            read.unprocessed.push(given.clone());
            continue;
        }
        let item = Core::read_item(snapshot, &key)?;
        let size = item.as_ref().map_or(0, |item| item.size());
        if size > *left {
            // From here on everything waits for the next request.
            *left = 0;
            read.unprocessed.push(given.clone());
            continue;
        }
        *left -= size;
        read.tally
            .add_table(item_read_units(item.as_ref(), request.consistent));
        read.items
            .extend(item.map(|item| projected(item, request.projection.as_ref())));
    }
    Ok(read)
}
