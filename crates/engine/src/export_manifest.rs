//! The manifests of an export of a bucket.

use crate::catalog::ExportDefinition;
use crate::ops::{export_arn, table_arn};
use crate::stream::label;
use monotable_exports::{ExportPeriod, ExportSummary, FILES, ListedFile, Manifest};

/// The manifests and their checksums, by name.
pub(crate) fn manifests(export: &ExportDefinition, region: &str) -> [(&'static str, Vec<u8>); 4] {
    let files = export.files.iter();
    let files = files.map(|file| ListedFile::new(&file.key, file.items, file.digest));
    let manifest = Manifest {
        summary: summarize(export, region),
        files: files.collect(),
    };
    manifest.render()
}

fn summarize(export: &ExportDefinition, region: &str) -> ExportSummary {
    let request = &export.request;
    let time = |millis: u64| format!("{}Z", label(millis));
    let period = request.period.map(|period| ExportPeriod {
        export_from_time: time(period.from),
        export_to_time: time(export.period_end()),
        output_view: period.view,
        export_type: "INCREMENTAL_EXPORT".to_owned(),
    });
    let version = if period.is_some() {
        "2023-08-01"
    } else {
        "2020-06-30"
    };
    ExportSummary {
        version: version.to_owned(),
        export_arn: export_arn(region, &request.table, &export.label),
        start_time: time(export.started),
        end_time: time(export.ended.unwrap_or(export.started)),
        table_arn: table_arn(region, &request.table),
        table_id: export.table_uuid.clone(),
        export_time: period.is_none().then(|| time(export.time)),
        s3_bucket: request.bucket.clone(),
        s3_prefix: request.prefix.clone(),
        s3_sse_algorithm: Some(request.encryption.to_string()),
        s3_sse_kms_key_id: request.encryption_key.clone(),
        manifest_files_s3_key: export.key(FILES),
        billed_size_bytes: export.files.iter().map(|file| file.bytes).sum(),
        item_count: export.files.iter().map(|file| file.items).sum(),
        output_format: "DYNAMODB_JSON".to_owned(),
        period,
    }
}
