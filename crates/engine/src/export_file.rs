//! The files of an export, in AWS's layout: items as lines of JSON, packed with gzip, and manifests that list them.

use crate::catalog::ExportDefinition;
use crate::ops::{export_arn, table_arn};
use crate::stream::label;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use md5::{Digest, Md5};
use monotable_api::ExportViewType;
use monotable_item::EncodedItem;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_128;

/// A file that gets items.
pub(crate) struct ExportFile {
    content: GzEncoder<Vec<u8>>,
    items: u64,
    bytes: u64,
}

/// A line of a file.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(rename = "Item")]
    item: &'a EncodedItem,
}

/// A line of a file with changes.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct ChangeLine<'a> {
    metadata: Value,
    keys: &'a EncodedItem,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_image: Option<&'a EncodedItem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_image: Option<&'a EncodedItem>,
}

/// What became of an item in a period.
#[derive(Debug)]
pub(crate) struct ItemChange {
    /// The item's key.
    pub(crate) keys: EncodedItem,
    /// What it was at the beginning.
    pub(crate) old: Option<EncodedItem>,
    /// What it was at the end.
    pub(crate) new: Option<EncodedItem>,
    /// When it was last written, in milliseconds since 1970.
    pub(crate) time: u64,
}

impl Default for ExportFile {
    fn default() -> Self {
        Self {
            content: GzEncoder::new(Vec::new(), Compression::default()),
            items: 0,
            bytes: 0,
        }
    }
}

impl ExportFile {
    pub(crate) fn push(&mut self, item: &EncodedItem) -> io::Result<()> {
        serde_json::to_writer(&mut self.content, &Line { item })?;
        self.content.write_all(b"\n")?;
        self.items += 1;
        self.bytes += item.size() as u64;
        Ok(())
    }

    /// Adds a change, as the view shows it. Of an item that came and went in the period nothing is told.
    pub(crate) fn push_change(
        &mut self,
        change: &ItemChange,
        view: ExportViewType,
    ) -> io::Result<()> {
        if change.old.is_none() && change.new.is_none() {
            return Ok(());
        }
        let old = change.old.as_ref();
        let line = ChangeLine {
            metadata: json!({"WriteTimestampMicros": {"N": (change.time * 1000).to_string()}}),
            keys: &change.keys,
            old_image: old.filter(|_| view == ExportViewType::NewAndOldImages),
            new_image: change.new.as_ref(),
        };
        serde_json::to_writer(&mut self.content, &line)?;
        self.content.write_all(b"\n")?;
        self.items += 1;
        let images = [line.old_image, line.new_image].into_iter().flatten();
        self.bytes += images.map(|image| image.size() as u64).sum::<u64>();
        Ok(())
    }

    pub(crate) const fn items(&self) -> u64 {
        self.items
    }

    /// How large the items are.
    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Its name. A file that is written again after a crash has the same.
    pub(crate) fn name(&self, export: &str, number: usize) -> String {
        let hash = xxh3_128(format!("{export}/{number}").as_bytes());
        format!("{hash:032x}.json.gz")
    }

    /// The content of the file and its MD5.
    pub(crate) fn finish(self) -> io::Result<(Vec<u8>, [u8; 16])> {
        let content = self.content.finish()?;
        let digest = Md5::digest(&content).into();
        Ok((content, digest))
    }
}

/// The manifests and their checksums, by name.
pub(crate) fn manifests(export: &ExportDefinition, region: &str) -> [(&'static str, Vec<u8>); 4] {
    let files = list_files(export);
    let summary = summarize(export, region);
    let checksum = |content: &[u8]| BASE64_STANDARD.encode(Md5::digest(content)).into_bytes();
    let (files_sum, summary_sum) = (checksum(&files), checksum(&summary));
    [
        ("manifest-files.json", files),
        ("manifest-files.md5", files_sum),
        ("manifest-summary.json", summary),
        ("manifest-summary.md5", summary_sum),
    ]
}

/// One line for each file. The ETag is that of an object which was uploaded in one part.
fn list_files(export: &ExportDefinition) -> Vec<u8> {
    let mut lines = String::new();
    for file in &export.files {
        let hex: String = file
            .digest
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let line = json!({
            "itemCount": file.items,
            "md5Checksum": BASE64_STANDARD.encode(file.digest),
            "etag": format!("{hex}-1"),
            "dataFileS3Key": file.key,
        });
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    lines.into_bytes()
}

fn summarize(export: &ExportDefinition, region: &str) -> Vec<u8> {
    let request = &export.request;
    let time = |millis: u64| format!("{}Z", label(millis));
    let (bytes, items) = export.files.iter().fold((0, 0), |(bytes, items), file| {
        (bytes + file.bytes, items + file.items)
    });
    let mut summary = json!({
        "version": "2020-06-30",
        "exportArn": export_arn(region, &request.table, &export.label),
        "startTime": time(export.started),
        "endTime": time(export.ended.unwrap_or(export.started)),
        "tableArn": table_arn(region, &request.table),
        "tableId": export.table_uuid,
        "exportTime": time(export.time),
        "s3Bucket": request.bucket,
        "s3Prefix": request.prefix,
        "s3SseAlgorithm": request.encryption,
        "s3SseKmsKeyId": request.encryption_key,
        "manifestFilesS3Key": export.key("manifest-files.json"),
        "billedSizeBytes": bytes,
        "itemCount": items,
        "outputFormat": "DYNAMODB_JSON",
    });
    if let (Some(period), Some(members)) = (request.period, summary.as_object_mut()) {
        members.remove("exportTime");
        members.insert("version".into(), json!("2023-08-01"));
        members.insert("exportFromTime".into(), json!(time(period.from)));
        members.insert("exportToTime".into(), json!(time(export.period_end())));
        members.insert("outputView".into(), json!(period.view));
        members.insert("exportType".into(), json!("INCREMENTAL_EXPORT"));
    }
    summary.to_string().into_bytes()
}
