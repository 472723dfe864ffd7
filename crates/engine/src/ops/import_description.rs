//! An import as AWS describes it.

use super::description::{import_arn, table_arn};
use crate::catalog::{ImportDefinition, ImportState};
use monotable_api::{ImportStatus, ImportSummary, ImportTableDescription, Timestamp};

pub(super) fn describe(import: &ImportDefinition, region: &str) -> ImportTableDescription {
    let request = &import.request;
    let failure = match &import.state {
        ImportState::Failed(failure) => Some(failure),
        ImportState::InProgress | ImportState::Completed => None,
    };
    ImportTableDescription {
        import_arn: Some(import_arn(region, &import.table, &import.label)),
        import_status: Some(status(import)),
        table_arn: Some(table_arn(region, &import.table)),
        table_id: Some(import.table_uuid.clone()),
        client_token: request.token.clone(),
        s3_bucket_source: Some(request.source.clone()),
        error_count: Some(import.counts.errors),
        // There is no CloudWatch here.
        cloud_watch_log_group_arn: None,
        input_format: Some(request.format),
        input_format_options: request.options.clone(),
        input_compression_type: Some(request.compression),
        table_creation_parameters: Some(request.parameters.clone()),
        start_time: Some(Timestamp::from_millis(import.started)),
        end_time: import.ended.map(Timestamp::from_millis),
        processed_size_bytes: Some(import.counts.bytes),
        processed_item_count: Some(import.counts.processed),
        imported_item_count: Some(import.counts.imported),
        failure_code: failure.map(|failure| failure.code.clone()),
        failure_message: failure.map(|failure| failure.message.clone()),
    }
}

pub(super) fn summarize(import: &ImportDefinition, region: &str) -> ImportSummary {
    ImportSummary {
        import_arn: Some(import_arn(region, &import.table, &import.label)),
        import_status: Some(status(import)),
        table_arn: Some(table_arn(region, &import.table)),
        s3_bucket_source: Some(import.request.source.clone()),
        cloud_watch_log_group_arn: None,
        input_format: Some(import.request.format),
        start_time: Some(Timestamp::from_millis(import.started)),
        end_time: import.ended.map(Timestamp::from_millis),
    }
}

const fn status(import: &ImportDefinition) -> ImportStatus {
    match import.state {
        ImportState::InProgress => ImportStatus::InProgress,
        ImportState::Completed => ImportStatus::Completed,
        ImportState::Failed(_) => ImportStatus::Failed,
    }
}
