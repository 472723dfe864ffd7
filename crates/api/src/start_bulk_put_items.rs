//! StartBulkPutItems: puts what is in a bucket into a table that is there.

use crate::bucket::{
    constrain_bucket, constrain_owner, constrain_prefix, constrain_token, is_path, stays_inside,
};
use crate::bulk_operation::{
    BulkOperationDescription, BulkOperationInputFormat, BulkOperationPerformanceTier,
    InputS3Configuration, OutputS3Configuration, OutputTypeEnum,
};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path};
use crate::export_description::S3SseAlgorithm;
use crate::import_description::InputCompressionType;
use crate::structure::structure;
use crate::{Error, TableName, wording};

/// The fewest write units a second that an operation can be bounded to.
const FEWEST_UNITS: i64 = 1024;

structure! {
    /// A StartBulkPutItems request.
    pub struct StartBulkPutItemsInput {
        /// Makes the request count once, however often it is sent.
        client_token: String,
        /// Where the items come from.
        input_s3_configuration: InputS3Configuration,
        /// Where it reports what it could not put.
        output_s3_configuration: OutputS3Configuration,
        /// The table, by name or ARN.
        table_name: String,
        /// How fast it may be.
        max_write_request_units: i64,
        /// How fast it is at AWS.
        performance_tier: Chosen<BulkOperationPerformanceTier>,
    }

    /// A StartBulkPutItems answer.
    pub struct StartBulkPutItemsOutput {
        /// The operation, which goes on.
        bulk_operation_description: BulkOperationDescription,
    }
}

/// A StartBulkPutItems request, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidStartBulkPutItems {
    /// The token of the request.
    pub token: Option<String>,
    /// The table.
    pub table: TableName,
    /// Where the items come from, as it was given.
    pub input: InputS3Configuration,
    /// The bucket that they come from.
    pub bucket: String,
    /// How the objects are compressed.
    pub compression: InputCompressionType,
    /// Where it reports what it could not put, as it was given.
    pub output: OutputS3Configuration,
    /// The bucket for reports.
    pub output_bucket: String,
    /// What is reported.
    pub reports: Vec<OutputTypeEnum>,
    /// How fast it may be.
    pub most_units: Option<i64>,
    /// How fast it is at AWS.
    pub tier: BulkOperationPerformanceTier,
}

/// The members of the input that have constraints, once these hold.
struct Source {
    bucket: String,
    format: BulkOperationInputFormat,
    compression: Option<InputCompressionType>,
}

/// The members of the output that have constraints, once these hold.
struct Reports {
    types: Vec<OutputTypeEnum>,
    encryption: Option<S3SseAlgorithm>,
}

impl StartBulkPutItemsInput {
    /// Puts the items of a bucket into a table, and reports into another bucket what it could not put.
    pub fn new(
        table: impl Into<String>,
        input: InputS3Configuration,
        output: OutputS3Configuration,
    ) -> Self {
        Self {
            table_name: Some(table.into()),
            input_s3_configuration: Some(input),
            output_s3_configuration: Some(output),
            ..Self::default()
        }
    }

    /// Checks everything that can be judged without the table and the buckets.
    pub fn validate(self) -> Result<ValidStartBulkPutItems, Error> {
        let mut constraints = Constraints::default();
        if let Some(token) = &self.client_token {
            constrain_token(&mut constraints, token);
        }
        let path = Path::Root("inputS3Configuration");
        let input = constraints.required(path, &self.input_s3_configuration);
        let source = input.and_then(|input| constrain_input(&mut constraints, path, input));
        let path = Path::Root("outputS3Configuration");
        let output = constraints.required(path, &self.output_s3_configuration);
        let reports = output.and_then(|output| constrain_output(&mut constraints, path, output));
        let table = TableName::require(&mut constraints, Path::Root("tableName"), &self.table_name);
        if let Some(units) = self.max_write_request_units {
            let path = Path::Root("maxWriteRequestUnits");
            constraints.range(path, units, FEWEST_UNITS..=i64::MAX);
        }
        let tier = constraints.choice(Path::Root("performanceTier"), &self.performance_tier);
        let (((input, source), (output, reports)), table) =
            constraints.finish(input.zip(source).zip(output.zip(reports)).zip(table))?;
        let compression = check_input(input, &source)?;
        let output_bucket = check_output(output, &reports)?;
        Ok(ValidStartBulkPutItems {
            table,
            bucket: source.bucket,
            compression,
            input: input.clone(),
            output: output.clone(),
            output_bucket,
            reports: reports.types,
            token: self.client_token,
            most_units: self.max_write_request_units,
            tier: tier.unwrap_or(BulkOperationPerformanceTier::Standard),
        })
    }
}

fn constrain_input(
    constraints: &mut Constraints,
    path: Path<'_>,
    input: &InputS3Configuration,
) -> Option<Source> {
    if let Some(owner) = &input.s3_bucket_owner {
        constrain_owner(constraints, path.field("s3BucketOwner"), owner);
    }
    let at = path.field("s3Bucket");
    let bucket = constraints.required(at, &input.s3_bucket);
    if let Some(bucket) = bucket {
        constrain_bucket(constraints, at, bucket);
    }
    if let Some(prefix) = &input.s3_key_prefix {
        constrain_prefix(constraints, path.field("s3KeyPrefix"), prefix);
    }
    let at = path.field("inputFormat");
    constraints.required(at, &input.input_format);
    let format = constraints.choice(at, &input.input_format);
    let at = path.field("inputCompressionType");
    let compression = constraints.choice(at, &input.input_compression_type);
    Some(Source {
        bucket: bucket?.clone(),
        format: format?,
        compression,
    })
}

fn constrain_output(
    constraints: &mut Constraints,
    path: Path<'_>,
    output: &OutputS3Configuration,
) -> Option<Reports> {
    if let Some(owner) = &output.s3_bucket_owner {
        constrain_owner(constraints, path.field("s3BucketOwner"), owner);
    }
    if let Some(bucket) = &output.s3_bucket {
        constrain_bucket(constraints, path.field("s3Bucket"), bucket);
    }
    if let Some(prefix) = &output.s3_key_prefix {
        constrain_prefix(constraints, path.field("s3KeyPrefix"), prefix);
    }
    let at = path.field("s3SseAlgorithm");
    let encryption = constraints.choice(at, &output.s3_sse_algorithm);
    if let Some(key) = &output.s3_sse_kms_key_id {
        constraints.text_length(path.field("s3SseKmsKeyId"), key, 1..=2048);
    }
    let at = path.field("outputType");
    let given = constraints.required(at, &output.output_type)?;
    let mut types = Vec::new();
    for (place, chosen) in given.iter().enumerate() {
        let chosen = Some(chosen.clone());
        types.extend(constraints.choice(at.element(place), &chosen));
    }
    Some(Reports { types, encryption })
}

fn check_input(
    input: &InputS3Configuration,
    source: &Source,
) -> Result<InputCompressionType, Error> {
    if source.format == BulkOperationInputFormat::Ion {
        return Err(Error::validation(wording::ION_BULK));
    }
    let compression = source.compression.unwrap_or(InputCompressionType::None);
    if compression == InputCompressionType::Zstd {
        return Err(Error::validation(wording::ZSTD_BULK));
    }
    if !input.s3_key_prefix.as_deref().is_none_or(stays_inside) {
        return Err(Error::validation(wording::PREFIX_LEAVES_BUCKET));
    }
    Ok(compression)
}

/// What AWS documents and its description of the shapes leaves open: a bucket for reports, and something to report.
fn check_output(output: &OutputS3Configuration, reports: &Reports) -> Result<String, Error> {
    let bucket = output.s3_bucket.clone();
    let bucket = bucket.ok_or_else(|| Error::validation(wording::BULK_WITHOUT_OUTPUT_BUCKET))?;
    if reports.types.is_empty() {
        return Err(Error::validation(wording::BULK_WITHOUT_OUTPUT_TYPE));
    }
    if output.s3_sse_kms_key_id.is_some() && reports.encryption != Some(S3SseAlgorithm::Kms) {
        return Err(Error::validation(wording::KEY_WITHOUT_KMS));
    }
    if !output.s3_key_prefix.as_deref().is_none_or(is_path) {
        return Err(Error::validation(wording::PREFIX_IS_NO_PATH));
    }
    if !output.s3_key_prefix.as_deref().is_none_or(stays_inside) {
        return Err(Error::validation(wording::PREFIX_LEAVES_BUCKET));
    }
    Ok(bucket)
}
