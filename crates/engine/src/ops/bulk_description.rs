//! A bulk operation as AWS describes it.

use super::description::bulk_operation_arn;
use crate::catalog::{BulkDefinition, BulkState, Catalog, IndexKind};
use monotable_api::{
    BulkOperationBytes, BulkOperationDescription, BulkOperationStatus, BulkOperationSummary,
    BulkOperationTableDetail, BulkOperationUsage, BulkOperationVectorBytes, Timestamp,
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
    let kind_of = |name: &str| {
        let mut indexes = table.iter().flat_map(|table| &table.indexes);
        let index = indexes.find(|index| index.name == name);
        index.map_or(IndexKind::Global, |index| index.kind)
    };
    let of_kind = |kind: IndexKind| {
        let indexes = counts.index_bytes.iter();
        let indexes = indexes.filter(|(name, _)| kind_of(name) == kind);
        let bytes = indexes.map(|(name, bytes)| (name.clone(), *bytes));
        bytes.collect::<BTreeMap<String, u64>>()
    };
    let vectors = of_kind(IndexKind::Vector);
    let all: u64 = counts.index_bytes.values().sum();
    let others = all - vectors.values().sum::<u64>();
    BulkOperationUsage {
        table_name: Some(operation.request.table.clone()),
        bulk_put_bytes: Some(counts.table_bytes + others),
        table: Some(measure(counts.table_bytes)),
        local_secondary_indexes: measure_each(of_kind(IndexKind::Local)),
        global_secondary_indexes: measure_each(of_kind(IndexKind::Global)),
        vector_indexes: (!vectors.is_empty()).then(|| {
            let vectors = vectors.into_iter().map(|(name, bytes)| {
                let bytes = BulkOperationVectorBytes {
                    bulk_put_vector_bytes: Some(bytes),
                };
                (name, bytes)
            });
            vectors.collect()
        }),
    }
}

fn measure_each(bytes: BTreeMap<String, u64>) -> Option<BTreeMap<String, BulkOperationBytes>> {
    let measured = bytes
        .into_iter()
        .map(|(name, bytes)| (name, measure(bytes)));
    let measured: BTreeMap<_, _> = measured.collect();
    (!measured.is_empty()).then_some(measured)
}

const fn measure(bytes: u64) -> BulkOperationBytes {
    BulkOperationBytes {
        bulk_put_bytes: Some(bytes),
    }
}
