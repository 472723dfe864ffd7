//! An export as AWS describes it.

use super::description::{export_arn, table_arn};
use crate::catalog::{ExportDefinition, ExportState};
use monotable_api::{
    ExportDescription, ExportFormat, ExportStatus, ExportSummary, IncrementalExportSpecification,
    Timestamp,
};

pub(super) fn describe(export: &ExportDefinition, region: &str) -> ExportDescription {
    let request = &export.request;
    let failure = match &export.state {
        ExportState::Failed(failure) => Some(failure),
        ExportState::Copying | ExportState::Writing | ExportState::Completed => None,
    };
    let is_completed = export.state == ExportState::Completed;
    let sum = |count: fn(&crate::catalog::ExportedFile) -> u64| {
        is_completed.then(|| export.files.iter().map(count).sum())
    };
    ExportDescription {
        export_arn: Some(export_arn(region, &request.table, &export.label)),
        export_status: Some(status(export)),
        start_time: Some(Timestamp::from_millis(export.started)),
        end_time: export.ended.map(Timestamp::from_millis),
        export_manifest: is_completed.then(|| export.key("manifest-summary.json")),
        table_arn: Some(table_arn(region, &request.table)),
        table_id: Some(export.table_uuid.clone()),
        export_time: request
            .period
            .is_none()
            .then_some(Timestamp::from_millis(export.time)),
        client_token: request.token.clone(),
        s3_bucket: Some(request.bucket.clone()),
        s3_bucket_owner: request.owner.clone(),
        s3_prefix: request.prefix.clone(),
        s3_sse_algorithm: Some(request.encryption),
        s3_sse_kms_key_id: request.encryption_key.clone(),
        failure_code: failure.map(|failure| failure.code.clone()),
        failure_message: failure.map(|failure| failure.message.clone()),
        export_format: Some(ExportFormat::DynamodbJson),
        billed_size_bytes: sum(|file| file.bytes),
        item_count: sum(|file| file.items),
        export_type: request.export_type,
        incremental_export_specification: request.period.map(|period| {
            IncrementalExportSpecification {
                export_from_time: Some(Timestamp::from_millis(period.from)),
                export_to_time: Some(Timestamp::from_millis(export.period_end())),
                export_view_type: Some(period.view.into()),
            }
        }),
        filter_specification: request.filter.clone(),
    }
}

pub(super) fn summarize(export: &ExportDefinition, region: &str) -> ExportSummary {
    ExportSummary {
        export_arn: Some(export_arn(region, &export.request.table, &export.label)),
        export_status: Some(status(export)),
        export_type: export.request.export_type,
    }
}

const fn status(export: &ExportDefinition) -> ExportStatus {
    match export.state {
        ExportState::Copying | ExportState::Writing => ExportStatus::InProgress,
        ExportState::Completed => ExportStatus::Completed,
        ExportState::Failed(_) => ExportStatus::Failed,
    }
}
