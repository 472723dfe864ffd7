//! What a record of an object does to its table.

use super::reports;
use crate::catalog::{BulkDefinition, BulkObject, ReportLine, Table};
use crate::commit::{Action, Change, Effect, Evaluation, Group, Refusal, WriteRequest};
use crate::import::{ReadPut, RecordPut};
use crate::store::StoreFault;
use crate::stream::Author;
use crate::{index, wording};
use monotable_api::OutputTypeEnum;
use std::io;
use std::sync::Arc;

/// Carries out a record; what there is to report of it.
pub(super) fn execute(
    group: &mut Group<'_>,
    table: &Arc<Table>,
    operation: &mut BulkDefinition,
    (object, record): (&BulkObject, ReadPut),
) -> Result<Option<ReportLine>, StoreFault> {
    let place = (object, operation.records);
    let error = match record.put {
        Ok(put) => match execute_put(group, table, &put)? {
            Evaluation::Done { effects, .. } => {
                for effect in &effects {
                    note_usage(operation, table, effect);
                }
                return Ok(None);
            }
            Evaluation::Refused(refusals) => match refusals.into_iter().flatten().next() {
                Some(Refusal::Condition { item }) => {
                    let line = reports::condition_failed(place, &put.item, item.as_ref());
                    let types = &operation.request.output_types;
                    return Ok(Some(line).filter(|line| types.contains(&line.kind)));
                }
                Some(Refusal::Invalid(error)) => error,
                None => wording::no_outcome(),
            },
            Evaluation::TableGone(error) => error,
            Evaluation::Repeated | Evaluation::TokenTaken => wording::no_outcome(),
        },
        Err(error) => error,
    };
    operation.counts.failed += 1;
    let line = reports::refused(place, &record.line, &error);
    let types = &operation.request.output_types;
    Ok(Some(line).filter(|line| types.contains(&line.kind)))
}

fn execute_put(
    group: &mut Group<'_>,
    table: &Arc<Table>,
    put: &RecordPut,
) -> Result<Evaluation, StoreFault> {
    let action = Action {
        table: Arc::clone(table),
        key: put.key.clone(),
        change: Change::Put(put.item.clone()),
        condition: put.condition.clone(),
        wants_old: false,
    };
    let request = WriteRequest {
        actions: vec![action],
        token: None,
        author: Author::Client,
    };
    group.execute_now(&request)
}

/// Adds the sizes of an item and of its entries in indexes.
fn note_usage(operation: &mut BulkDefinition, table: &Table, effect: &Effect) {
    let Some(item) = &effect.new else { return };
    let counts = &mut operation.counts;
    counts.table_bytes += item.size() as u64;
    for index in table.indexes.iter().filter(|index| index.is_kept()) {
        if index::entry(table, index, item).is_some() {
            let bytes = index::project(index, item).size() as u64;
            *counts.index_bytes.entry(index.name.clone()).or_default() += bytes;
        }
    }
}

/// Notes the end of an object, also of one whose rest cannot be read: that counts as one record that failed.
pub(super) fn finish_object(
    operation: &mut BulkDefinition,
    object: &BulkObject,
    is_end: bool,
    broken: Option<&io::Error>,
) {
    if !is_end && broken.is_none() {
        return;
    }
    if let Some(error) = broken {
        operation.counts.processed += 1;
        operation.counts.failed += 1;
        let line = reports::unreadable(object, operation.records, error);
        if operation
            .request
            .output_types
            .contains(&OutputTypeEnum::Error)
        {
            operation.pending.push(line);
        }
    }
    operation.counts.input_bytes += object.bytes;
    operation.records = 0;
    if let Some(rest) = &mut operation.rest {
        rest.pop();
    }
}
