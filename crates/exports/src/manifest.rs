//! The manifests of an export: a summary, and a list of the data files, each with a checksum beside it.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use md5::{Digest, Md5};
use monotable_api::ExportViewType;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt;

/// The folder of all exports of a bucket; each has one of its own in it.
pub const FOLDER: &str = "AWSDynamoDB";
/// The folder of data files in that of an export.
pub const DATA: &str = "data";
/// An empty object that is written first.
pub const STARTED: &str = "_started";
/// The names of the manifests and their checksums.
pub const SUMMARY: &str = "manifest-summary.json";
/// The checksum of the summary.
pub const SUMMARY_CHECKSUM: &str = "manifest-summary.md5";
/// The list of data files.
pub const FILES: &str = "manifest-files.json";
/// The checksum of the list.
pub const FILES_CHECKSUM: &str = "manifest-files.md5";

/// What an export is of, and what it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportSummary {
    /// The version of the layout.
    pub version: String,
    /// The export's ARN.
    pub export_arn: String,
    /// When it began.
    pub start_time: String,
    /// When it ended.
    pub end_time: String,
    /// The table's ARN.
    pub table_arn: String,
    /// The table's own id.
    pub table_id: String,
    /// The moment that it shows; none of changes in a period.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub export_time: Option<String>,
    /// The bucket.
    pub s3_bucket: String,
    /// What the keys of its objects begin with.
    #[serde(default)]
    pub s3_prefix: Option<String>,
    /// How its objects are encrypted.
    #[serde(default)]
    pub s3_sse_algorithm: Option<String>,
    /// With which key.
    #[serde(default)]
    pub s3_sse_kms_key_id: Option<String>,
    /// The key of the list of files.
    pub manifest_files_s3_key: String,
    /// The size of all items.
    pub billed_size_bytes: u64,
    /// How many items there are.
    pub item_count: u64,
    /// `DYNAMODB_JSON`.
    pub output_format: String,
    /// The period of changes; none of a whole table.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub period: Option<ExportPeriod>,
}

/// The period whose changes an export has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportPeriod {
    /// Its beginning.
    pub export_from_time: String,
    /// Its end.
    pub export_to_time: String,
    /// What is shown of each change.
    pub output_view: ExportViewType,
    /// `INCREMENTAL_EXPORT`.
    pub export_type: String,
}

/// A data file of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedFile {
    /// How many items it has.
    pub item_count: u64,
    /// Its MD5, in base64.
    pub md5_checksum: String,
    /// Its ETag in S3.
    pub etag: String,
    /// Its key.
    #[serde(rename = "dataFileS3Key")]
    pub key: String,
}

impl ListedFile {
    /// A file. The ETag is that of an object which was uploaded in one part.
    #[must_use]
    pub fn new(key: impl Into<String>, items: u64, digest: [u8; 16]) -> Self {
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Self {
            item_count: items,
            md5_checksum: BASE64_STANDARD.encode(digest),
            etag: format!("{hex}-1"),
            key: key.into(),
        }
    }

    /// Where it is below the folder of its export.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        let (_, name) = self.key.rsplit_once('/')?;
        (!name.is_empty()).then_some(name)
    }
}

/// The manifests of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    /// What it is of.
    pub summary: ExportSummary,
    /// Its data files.
    pub files: Vec<ListedFile>,
}

/// Why manifests are not those of a whole export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestError(String);

impl fmt::Display for ManifestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ManifestError {}

impl Manifest {
    /// The objects that list the export, by name, in the order in which they are written: the summary comes last.
    #[must_use]
    pub fn render(&self) -> [(&'static str, Vec<u8>); 4] {
        let mut files = String::new();
        for file in &self.files {
            files.push_str(&json!(file).to_string());
            files.push('\n');
        }
        let files = files.into_bytes();
        let summary = json!(self.summary).to_string().into_bytes();
        let checksum = |content: &[u8]| BASE64_STANDARD.encode(Md5::digest(content)).into_bytes();
        let (files_sum, summary_sum) = (checksum(&files), checksum(&summary));
        [
            (FILES, files),
            (FILES_CHECKSUM, files_sum),
            (SUMMARY_CHECKSUM, summary_sum),
            (SUMMARY, summary),
        ]
    }

    /// Reads the manifests of an export.
    pub fn parse(summary: &[u8], files: &[u8]) -> Result<Self, ManifestError> {
        let wrong =
            |name: &str, error: serde_json::Error| ManifestError(format!("{name}: {error}"));
        let summary: ExportSummary =
            serde_json::from_slice(summary).map_err(|error| wrong(SUMMARY, error))?;
        let lines = files.split(|byte| *byte == b'\n');
        let lines = lines.filter(|line| !line.trim_ascii().is_empty());
        let files: Result<Vec<ListedFile>, _> = lines.map(serde_json::from_slice).collect();
        let files = files.map_err(|error| wrong(FILES, error))?;
        let listed: u64 = files.iter().map(|file| file.item_count).sum();
        if listed != summary.item_count {
            return Err(ManifestError(format!(
                "{SUMMARY} says that there are {} items, and {FILES} lists {listed}",
                summary.item_count
            )));
        }
        Ok(Self { summary, files })
    }

    /// The name of the table.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        let (_, name) = self.summary.table_arn.rsplit_once(":table/")?;
        Some(name)
    }
}

/// Whether a content has this MD5, in base64.
#[must_use]
pub fn check_digest(content: &[u8], checksum: &str) -> bool {
    BASE64_STANDARD.encode(Md5::digest(content)) == checksum.trim()
}
