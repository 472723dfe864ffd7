//! ExportTableToPointInTime: writes a table as it was into a bucket.

use crate::bucket::{
    constrain_bucket, constrain_owner, constrain_prefix, constrain_token, is_path, stays_inside,
};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::export_description::{ExportDescription, ExportFormat, ExportType, S3SseAlgorithm};
use crate::filter_specification::FilterSpecification;
use crate::incremental_export::{ExportPeriod, IncrementalExportSpecification};
use crate::structure::structure;
use crate::{Error, TableName, Timestamp, wording};

structure! {
    /// An ExportTableToPointInTime request.
    pub struct ExportTableToPointInTimeInput {
        /// The table, by ARN.
        table_arn: String,
        /// The table is written as it was at this time; as it is now without.
        export_time: Timestamp,
        /// Makes the request count once, however often it is sent.
        client_token: String,
        /// The bucket.
        s3_bucket: String,
        /// The account that owns the bucket.
        s3_bucket_owner: String,
        /// What the keys of the objects begin with.
        s3_prefix: String,
        /// Who encrypts them. A folder is as encrypted as its disk.
        s3_sse_algorithm: Chosen<S3SseAlgorithm>,
        /// With which key.
        s3_sse_kms_key_id: String,
        /// How items are written.
        export_format: Chosen<ExportFormat>,
        /// What is written.
        export_type: Chosen<ExportType>,
        /// Which changes are written.
        incremental_export_specification: IncrementalExportSpecification,
        /// Which items are written, and what of them; everything without.
        filter_specification: FilterSpecification,
    }

    /// An ExportTableToPointInTime answer.
    pub struct ExportTableToPointInTimeOutput {
        /// The export, which goes on.
        export_description: ExportDescription,
    }
}

/// An ExportTableToPointInTime request, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidExportTableToPointInTime {
    /// The table; the request gave its ARN.
    pub table: TableName,
    /// The table is written as it was at this time; as it is now without.
    pub time: Option<Timestamp>,
    /// The token of the request.
    pub token: Option<String>,
    /// The bucket.
    pub bucket: String,
    /// The account that owns the bucket.
    pub owner: Option<String>,
    /// What the keys of the objects begin with.
    pub prefix: Option<String>,
    /// Who encrypts them.
    pub encryption: S3SseAlgorithm,
    /// With which key.
    pub encryption_key: Option<String>,
    /// What is written, if the request said so.
    pub export_type: Option<ExportType>,
    /// The period whose changes are written; the whole table without.
    pub period: Option<ExportPeriod>,
    /// Which items are written, and what of them. Its expressions are read again whenever the export goes on, so they are kept
    /// as they were given.
    pub filter: Option<FilterSpecification>,
}

impl ExportTableToPointInTimeInput {
    /// Writes this table, by ARN, as it is now into this bucket.
    pub fn new(table_arn: impl Into<String>, bucket: impl Into<String>) -> Self {
        Self {
            table_arn: Some(table_arn.into()),
            s3_bucket: Some(bucket.into()),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the table.
    pub fn validate(self) -> Result<ValidExportTableToPointInTime, Error> {
        let mut constraints = Constraints::default();
        let path = Path::Root("tableArn");
        let table = constraints.required(path, &self.table_arn);
        if let Some(table) = table {
            constraints.text_length(path, table, 1..=1024);
        }
        let path = Path::Root("s3Bucket");
        let bucket = constraints.required(path, &self.s3_bucket);
        if let Some(bucket) = bucket {
            constrain_bucket(&mut constraints, path, bucket);
        }
        if let Some(owner) = &self.s3_bucket_owner {
            constrain_owner(&mut constraints, Path::Root("s3BucketOwner"), owner);
        }
        if let Some(prefix) = &self.s3_prefix {
            constrain_prefix(&mut constraints, Path::Root("s3Prefix"), prefix);
        }
        if let Some(token) = &self.client_token {
            constrain_token(&mut constraints, token);
        }
        if let Some(key) = &self.s3_sse_kms_key_id {
            constraints.text_length(Path::Root("s3SseKmsKeyId"), key, 1..=2048);
        }
        let encryption = constraints.choice(Path::Root("s3SseAlgorithm"), &self.s3_sse_algorithm);
        let format = constraints.choice(Path::Root("exportFormat"), &self.export_format);
        let export_type = constraints.choice(Path::Root("exportType"), &self.export_type);
        let specification = self.incremental_export_specification.as_ref();
        IncrementalExportSpecification::constrain(specification, &mut constraints);
        let (table, bucket) = constraints.finish(table.zip(bucket))?;
        let period = match (export_type, specification) {
            (Some(ExportType::IncrementalExport), Some(_)) if self.export_time.is_some() => {
                return Err(Error::validation(wording::TIME_AND_PERIOD));
            }
            (Some(ExportType::IncrementalExport), Some(given)) => Some(given.check()?),
            (Some(ExportType::IncrementalExport), None) => {
                return Err(Error::validation(wording::CHANGES_WITHOUT_PERIOD));
            }
            (Some(ExportType::FullExport), Some(_)) => {
                return Err(Error::validation(wording::PERIOD_OF_FULL_EXPORT));
            }
            (None, Some(_)) => return Err(Error::validation(wording::PERIOD_WITHOUT_TYPE)),
            (Some(ExportType::FullExport) | None, None) => None,
        };
        if format == Some(ExportFormat::Ion) {
            return Err(Error::validation(wording::ION_EXPORT));
        }
        if self.s3_sse_kms_key_id.is_some() && encryption != Some(S3SseAlgorithm::Kms) {
            return Err(Error::validation(wording::KEY_WITHOUT_KMS));
        }
        if !self.s3_prefix.as_deref().is_none_or(is_path) {
            return Err(Error::validation(wording::PREFIX_IS_NO_PATH));
        }
        if !self.s3_prefix.as_deref().is_none_or(stays_inside) {
            return Err(Error::validation(wording::PREFIX_LEAVES_BUCKET));
        }
        if let Some(filter) = &self.filter_specification {
            filter.validate()?;
        }
        let not_an_arn = || Error::validation(wording::INVALID_TABLE_ARN);
        Ok(ValidExportTableToPointInTime {
            table: TableName::parse_arn(table).ok_or_else(not_an_arn)?,
            time: self.export_time,
            token: self.client_token,
            bucket: bucket.clone(),
            owner: self.s3_bucket_owner,
            prefix: self.s3_prefix,
            encryption: encryption.unwrap_or(S3SseAlgorithm::Aes256),
            encryption_key: self.s3_sse_kms_key_id,
            export_type,
            period,
            filter: self.filter_specification,
        })
    }
}
