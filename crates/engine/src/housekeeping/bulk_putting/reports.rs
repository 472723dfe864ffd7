//! What a bulk operation reports of single records: lines of JSON in the output bucket, and a manifest that lists the files.

use crate::bucket::Bucket;
use crate::catalog::{BulkDefinition, BulkObject, ReportLine};
use monotable_api::{Error, OutputTypeEnum};
use monotable_item::EncodedItem;
use serde_json::json;
use std::io;

/// An object, and the number of a record in it, counted from 1.
type Place<'a> = (&'a BulkObject, u64);

/// A record that cannot be read, or that the table cannot take.
pub(super) fn refused((object, number): Place<'_>, line: &[u8], error: &Error) -> ReportLine {
    let line = json!({
        "S3Key": object.key,
        "RecordNumber": number,
        "ErrorCode": error.code(),
        "ErrorMessage": error.message(),
        "Record": String::from_utf8_lossy(line),
    });
    ReportLine {
        kind: OutputTypeEnum::Error,
        text: line.to_string(),
    }
}

/// An object that cannot be read behind so many records.
pub(super) fn unreadable(object: &BulkObject, records: u64, error: &io::Error) -> ReportLine {
    let line = json!({
        "S3Key": object.key,
        "RecordNumber": records + 1,
        "ErrorCode": "S3ObjectUnreadable",
        "ErrorMessage": error.to_string(),
    });
    ReportLine {
        kind: OutputTypeEnum::Error,
        text: line.to_string(),
    }
}

/// A record whose condition did not hold for the item that is there.
pub(super) fn condition_failed(
    (object, number): Place<'_>,
    item: &EncodedItem,
    existing: Option<&EncodedItem>,
) -> ReportLine {
    let mut line = json!({
        "S3Key": object.key,
        "RecordNumber": number,
        "Item": item,
    });
    if let (Some(existing), Some(members)) = (existing, line.as_object_mut()) {
        members.insert("ExistingItem".into(), json!(existing));
    }
    ReportLine {
        kind: OutputTypeEnum::ConditionCheckFailure,
        text: line.to_string(),
    }
}

/// Writes the lines that are in no file yet; the keys of their files.
pub(super) fn write(bucket: &Bucket, operation: &BulkDefinition) -> io::Result<Vec<String>> {
    let mut written = Vec::new();
    for (kind, folder) in [
        (OutputTypeEnum::Error, "errors"),
        (
            OutputTypeEnum::ConditionCheckFailure,
            "condition-check-failures",
        ),
    ] {
        let lines = operation.pending.iter().filter(|line| line.kind == kind);
        let content: String = lines.map(|line| format!("{}\n", line.text)).collect();
        if content.is_empty() {
            continue;
        }
        // A file that is written again after a crash has the same number.
        let number = operation.reports.len() + written.len();
        let key = operation.key(&format!("{folder}/{number:06}.json"));
        bucket.write(&key, content.as_bytes())?;
        written.push(key);
    }
    Ok(written)
}

/// Writes which reports there are, and what the operation has done.
pub(super) fn write_manifest(
    bucket: &Bucket,
    operation: &BulkDefinition,
    now: u64,
) -> io::Result<()> {
    let time = |millis: u64| format!("{}Z", crate::stream::label(millis));
    let manifest = json!({
        "tableName": operation.request.table,
        "startTime": time(operation.started),
        "endTime": time(now),
        "processedItemCount": operation.counts.processed,
        "failedItemCount": operation.counts.failed,
        "reports": operation.reports,
    });
    let key = operation.key("manifest.json");
    bucket.write(&key, manifest.to_string().as_bytes())
}
