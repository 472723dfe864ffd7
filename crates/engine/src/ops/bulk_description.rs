//! A bulk operation as AWS describes it.

use super::description::bulk_operation_arn;
use crate::catalog::{BulkDefinition, BulkState, Catalog, IndexKind};
use monotable_api::{
    BulkOperationBytes, BulkOperationDescription, BulkOperationStatus, BulkOperationSummary,
    BulkOperationTableDetail, BulkOperationUsage, Timestamp,
};
use std::collections::BTreeMap;

pub(super) fn describe(
    operation: &BulkDefinition,
    catalog: &Catalog,
    region: &str,
) -> BulkOperationDescription {
    let request = &operation.request;
    let counts = &operation.counts;
    let failure = match &operation.state {
        BulkState::Failed(failure) | BulkState::Cancelled(failure) => Some(failure),
        BulkState::InProgress | BulkState::Cancelling | BulkState::Completed => None,
    };
    BulkOperationDescription {
        bulk_operation_arn: Some(bulk_operation_arn(region, &request.table, &operation.label)),
        bulk_operation_status: Some(status(operation)),
        table_details: Some(vec![BulkOperationTableDetail {
            table_name: Some(request.table.clone()),
            table_id: Some(operation.table_uuid.clone()),
        }]),
        client_token: request.token.clone(),
        input_s3_configuration: Some(request.input.clone()),
        output_s3_configuration: Some(request.output.clone()),
        start_time: Some(Timestamp::from_millis(operation.started)),
        end_time: operation.ended.map(Timestamp::from_millis),
        processed_item_count: Some(counts.processed),
        processed_input_bytes: Some(counts.input_bytes),
        total_input_bytes: counts.total_bytes,
        bulk_operation_usage: Some(vec![usage(operation, catalog)]),
        failed_item_count: Some(counts.failed),
        failure_code: failure.map(|failure| failure.code.clone()),
        failure_message: failure.map(|failure| failure.message.clone()),
        max_write_request_units: request.most_units,
        performance_tier: Some(request.tier),
    }
}

pub(super) fn summarize(operation: &BulkDefinition, region: &str) -> BulkOperationSummary {
    let arn = bulk_operation_arn(region, &operation.request.table, &operation.label);
    BulkOperationSummary {
        bulk_operation_arn: Some(arn),
        bulk_operation_status: Some(status(operation)),
        start_time: Some(Timestamp::from_millis(operation.started)),
        end_time: operation.ended.map(Timestamp::from_millis),
    }
}

pub(super) const fn status(operation: &BulkDefinition) -> BulkOperationStatus {
    match operation.state {
        BulkState::InProgress => BulkOperationStatus::InProgress,
        BulkState::Cancelling => BulkOperationStatus::Cancelling,
        BulkState::Completed if operation.counts.failed == 0 => BulkOperationStatus::Completed,
        BulkState::Completed => BulkOperationStatus::CompletedWithErrors,
        BulkState::Cancelled(_) => BulkOperationStatus::Cancelled,
        BulkState::Failed(_) => BulkOperationStatus::Failed,
    }
}

/// An index whose kind nobody knows any more counts as a global one: a local one goes with its table only.
fn usage(operation: &BulkDefinition, catalog: &Catalog) -> BulkOperationUsage {
    let counts = &operation.counts;
    let table = catalog.get(&operation.request.table);
    let table = table.filter(|table| table.id == operation.table_id);
    let is_local = |name: &str| {
        let mut indexes = table.iter().flat_map(|table| &table.indexes);
        indexes.any(|index| index.name == name && index.kind == IndexKind::Local)
    };
    let of_kind = |local: bool| {
        let indexes = counts.index_bytes.iter();
        let indexes = indexes.filter(|(name, _)| is_local(name) == local);
        let bytes: BTreeMap<String, BulkOperationBytes> = indexes
            .map(|(name, bytes)| (name.clone(), measure(*bytes)))
            .collect();
        (!bytes.is_empty()).then_some(bytes)
    };
    BulkOperationUsage {
        table_name: Some(operation.request.table.clone()),
        bulk_put_bytes: Some(counts.table_bytes + counts.index_bytes.values().sum::<u64>()),
        table: Some(measure(counts.table_bytes)),
        local_secondary_indexes: of_kind(true),
        global_secondary_indexes: of_kind(false),
        vector_indexes: None,
    }
}

const fn measure(bytes: u64) -> BulkOperationBytes {
    BulkOperationBytes {
        bulk_put_bytes: Some(bytes),
    }
}
