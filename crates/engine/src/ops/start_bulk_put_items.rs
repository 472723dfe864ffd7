//! StartBulkPutItems.

use super::create_backup::label;
use super::{Execute, bulk_description};
use crate::catalog::{
    AddedIndex, BulkCounts, BulkDefinition, BulkId, BulkRequest, BulkState, Catalog, CatalogRows,
    Ids, Table, to_row,
};
use crate::commit::Group;
use crate::engine::Core;
use crate::step::Step;
use crate::store::{Space, StoreFault};
use crate::wording;
use monotable_api::{
    Error, StartBulkPutItems, StartBulkPutItemsInput, StartBulkPutItemsOutput,
    ValidStartBulkPutItems,
};
use std::sync::Arc;

/// How long a token is honoured, in milliseconds.
const TOKEN_MILLIS: u64 = 8 * 60 * 60 * 1000;

impl Execute for StartBulkPutItems {
    /// The background reads the objects.
    fn start(
        core: &Arc<Core>,
        input: StartBulkPutItemsInput,
    ) -> Result<Step<StartBulkPutItemsOutput>, Error> {
        let valid = input.validate()?;
        if core.published.buckets.is_none() {
            return Err(wording::no_buckets());
        }
        let now = core.now_millis();
        let random = core.entropy.next();
        let region = core.region.clone();
        let housekeeper = core.housekeeper.clone();
        let request = request(valid);
        let pending = core.committer.submit(move |group| {
            let answer = |operation: &BulkDefinition, catalog: &Catalog| StartBulkPutItemsOutput {
                bulk_operation_description: Some(bulk_description::describe(
                    operation, catalog, &region,
                )),
            };
            match known(group.catalog(), &request, now) {
                Ok(None) => {}
                Ok(Some(operation)) => return Ok(Ok(answer(&operation, group.catalog()))),
                Err(error) => return Ok(Err(error)),
            }
            let table = match writable(group.catalog(), &request.table) {
                Ok(table) => Arc::clone(table),
                Err(error) => return Ok(Err(error)),
            };
            let operation = define(group, &table, request, (now, random))?;
            housekeeper.wake();
            let answer = answer(&operation, group.catalog());
            store(group, operation)?;
            Ok(Ok(answer))
        });
        Ok(Step::Table(pending))
    }
}

fn request(valid: ValidStartBulkPutItems) -> BulkRequest {
    BulkRequest {
        table: valid.table.as_str().to_owned(),
        token: valid.token,
        input: valid.input,
        bucket: valid.bucket,
        compression: valid.compression,
        output: valid.output,
        output_bucket: valid.output_bucket,
        output_types: valid.reports,
        most_units: valid.most_units,
        tier: valid.tier,
    }
}

/// The operation that the same request began before.
fn known(
    catalog: &Catalog,
    request: &BulkRequest,
    now: u64,
) -> Result<Option<Arc<BulkDefinition>>, Error> {
    let Some(token) = &request.token else {
        return Ok(None);
    };
    let mut honoured = catalog
        .bulk_operations()
        .filter(|operation| now < operation.started.saturating_add(TOKEN_MILLIS));
    match honoured.find(|operation| operation.request.token.as_ref() == Some(token)) {
        None => Ok(None),
        Some(operation) if operation.request == *request => Ok(Some(Arc::clone(operation))),
        Some(_) => Err(wording::bulk_token_taken()),
    }
}

/// A table that can be written to. AWS begins no operation while an index is being filled.
fn writable<'a>(catalog: &'a Catalog, name: &str) -> Result<&'a Arc<Table>, Error> {
    let table = catalog.table(name)?;
    let mut indexes = table.indexes.iter();
    if indexes.any(|index| index.added == Some(AddedIndex::Creating)) {
        return Err(wording::bulk_while_index_is_filled(name));
    }
    Ok(table)
}

fn define(
    group: &mut Group<'_>,
    table: &Table,
    request: BulkRequest,
    (now, random): (u64, u128),
) -> Result<BulkDefinition, StoreFault> {
    let mut ids = Ids::load(group)?;
    let id = BulkId(ids.take());
    ids.store(group);
    Ok(BulkDefinition {
        id,
        label: label(now, random),
        request,
        table_id: table.id,
        table_uuid: table.definition.uuid.clone(),
        started: now,
        ended: None,
        state: BulkState::InProgress,
        rest: None,
        records: 0,
        counts: BulkCounts::default(),
        pending: Vec::new(),
        reports: Vec::new(),
    })
}

/// Writes the definition of an operation, and puts it into the group's catalog.
pub(super) fn store(group: &mut Group<'_>, operation: BulkDefinition) -> Result<(), StoreFault> {
    let row = CatalogRows::bulk(operation.id);
    group.write(Space::Meta, row, Some(to_row(&operation)?));
    let catalog = group.catalog().with_bulk_operation(operation);
    group.set_catalog(catalog);
    Ok(())
}
