//! ImportTable: makes a table of what is in a bucket.

use crate::billing::ProvisionedThroughput;
use crate::bucket::{
    S3BucketSource, constrain_bucket, constrain_owner, constrain_prefix, constrain_token,
    stays_inside,
};
use crate::choice::Chosen;
use crate::constraint::{Constraints, Path, Quoted};
use crate::create_table::{CreateTableInput, ValidCreateTable};
use crate::import_description::{
    CsvOptions, ImportTableDescription, InputCompressionType, InputFormat, InputFormatOptions,
    TableCreationParameters,
};
use crate::key_schema::{KeyWidth, constrain_definitions, constrain_schema};
use crate::structure::structure;
use crate::{Error, TableName, wording};

const HEADERS: std::ops::RangeInclusive<usize> = 1..=255;

structure! {
    /// An ImportTable request.
    pub struct ImportTableInput {
        /// Makes the request count once, however often it is sent.
        client_token: String,
        /// Where it comes from.
        s3_bucket_source: S3BucketSource,
        /// How items are written.
        input_format: Chosen<InputFormat>,
        /// More about the format.
        input_format_options: InputFormatOptions,
        /// How the objects are compressed.
        input_compression_type: Chosen<InputCompressionType>,
        /// The table that it makes.
        table_creation_parameters: TableCreationParameters,
    }

    /// An ImportTable answer.
    pub struct ImportTableOutput {
        /// The import, which goes on.
        import_table_description: ImportTableDescription,
    }
}

/// An ImportTable request, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidImportTable {
    /// The token of the request.
    pub token: Option<String>,
    /// Where it comes from, as it was given.
    pub source: S3BucketSource,
    /// The bucket.
    pub bucket: String,
    /// How items are written.
    pub format: ImportFormat,
    /// More about the format, as it was given.
    pub options: Option<InputFormatOptions>,
    /// How the objects are compressed.
    pub compression: InputCompressionType,
    /// The table that it makes, as it was given.
    pub parameters: TableCreationParameters,
    /// The table that it makes.
    pub table: ValidCreateTable,
}

/// A format that can be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImportFormat {
    /// DynamoDB's JSON, one item a line.
    DynamodbJson,
    /// Values with a delimiter between them.
    Csv {
        /// What stands between two values.
        delimiter: u8,
        /// The attributes of each line; the first line of each object names them without.
        headers: Option<Vec<String>>,
    },
}

impl ImportTableInput {
    /// Checks everything that can be judged without the bucket and other tables.
    pub fn validate(self) -> Result<ValidImportTable, Error> {
        let mut constraints = Constraints::default();
        if let Some(token) = &self.client_token {
            constrain_token(&mut constraints, token);
        }
        let path = Path::Root("s3BucketSource");
        let source = constraints.required(path, &self.s3_bucket_source);
        let bucket = source.and_then(|source| constrain_source(&mut constraints, path, source));
        let path = Path::Root("inputFormat");
        constraints.required(path, &self.input_format);
        let format = constraints.choice(path, &self.input_format);
        let path = Path::Root("inputFormatOptions");
        let csv = self.input_format_options.as_ref();
        let csv = csv.and_then(|options| options.csv.as_ref());
        if let Some(csv) = csv {
            constrain_csv(&mut constraints, path.field("csv"), csv);
        }
        let path = Path::Root("inputCompressionType");
        let compression = constraints.choice(path, &self.input_compression_type);
        let path = Path::Root("tableCreationParameters");
        let parameters = constraints.required(path, &self.table_creation_parameters);
        if let Some(parameters) = parameters {
            constrain_parameters(&mut constraints, path, parameters);
        }
        let ((bucket, format), (source, parameters)) =
            constraints.finish(bucket.zip(format).zip(source.zip(parameters)))?;
        let format = import_format(format, csv)?;
        let compression = compression.unwrap_or(InputCompressionType::None);
        if compression == InputCompressionType::Zstd {
            return Err(Error::validation(wording::ZSTD_IMPORT));
        }
        if !source.s3_key_prefix.as_deref().is_none_or(stays_inside) {
            return Err(Error::validation(wording::PREFIX_LEAVES_BUCKET));
        }
        let table = creation(parameters.clone()).validate()?;
        Ok(ValidImportTable {
            bucket,
            format,
            compression,
            table,
            source: source.clone(),
            parameters: parameters.clone(),
            token: self.client_token,
            options: self.input_format_options,
        })
    }
}

fn constrain_source(
    constraints: &mut Constraints,
    path: Path<'_>,
    source: &S3BucketSource,
) -> Option<String> {
    if let Some(owner) = &source.s3_bucket_owner {
        constrain_owner(constraints, path.field("s3BucketOwner"), owner);
    }
    if let Some(prefix) = &source.s3_key_prefix {
        constrain_prefix(constraints, path.field("s3KeyPrefix"), prefix);
    }
    let path = path.field("s3Bucket");
    let bucket = constraints.required(path, &source.s3_bucket)?;
    constrain_bucket(constraints, path, bucket);
    Some(bucket.clone())
}

fn constrain_csv(constraints: &mut Constraints, path: Path<'_>, csv: &CsvOptions) {
    if let Some(delimiter) = &csv.delimiter {
        let path = path.field("delimiter");
        if ![",", ";", ":", "|", "\t", " "].contains(&delimiter.as_str()) {
            let rule = r"Member must satisfy regular expression pattern: [,;:|\t ]";
            constraints.report(Quoted(delimiter), path, rule);
        }
        constraints.text_length(path, delimiter, 1..=1);
    }
    if let Some(headers) = &csv.header_list {
        let path = path.field("headerList");
        constraints.list_length(path, headers, HEADERS);
        for (at, header) in headers.iter().enumerate() {
            let path = path.element(at);
            constraints.text_length(path, header, 1..=65_536);
            let is_plain = |sign: u8| (b' '..=b'~').contains(&sign) && !b",\"".contains(&sign);
            if !header.bytes().all(is_plain) {
                let rule = r"Member must satisfy regular expression pattern: [\x20-\x21\x23-\x2B\x2D-\x7E]*";
                constraints.report(Quoted(header), path, rule);
            }
        }
    }
}

/// What CreateTable would report at paths and in words of its own.
fn constrain_parameters(
    constraints: &mut Constraints,
    path: Path<'_>,
    parameters: &TableCreationParameters,
) {
    let name = path.field("tableName");
    TableName::require_plain(constraints, name, &parameters.table_name);
    let definitions = path.field("attributeDefinitions");
    let given = constraints.required(definitions, &parameters.attribute_definitions);
    constrain_definitions(given.map_or(&[], Vec::as_slice), constraints, definitions);
    let schema = path.field("keySchema");
    constrain_schema(
        &parameters.key_schema,
        KeyWidth::Single,
        constraints,
        schema,
    );
    constraints.choice(path.field("billingMode"), &parameters.billing_mode);
    let units = path.field("provisionedThroughput");
    ProvisionedThroughput::constrain(&parameters.provisioned_throughput, constraints, units);
    let indexes = path.field("globalSecondaryIndexes");
    let given = parameters.global_secondary_indexes.iter().flatten();
    for (at, index) in given.enumerate() {
        index.constrain(constraints, indexes.element(at));
    }
    let indexes = path.field("vectorIndexes");
    let given = parameters.vector_indexes.iter().flatten();
    for (at, index) in given.enumerate() {
        index.constrain(constraints, indexes.element(at));
    }
    if let Some(encryption) = &parameters.sse_specification {
        let path = path.field("sseSpecification");
        constraints.choice(path.field("sseType"), &encryption.sse_type);
    }
}

fn import_format(format: InputFormat, csv: Option<&CsvOptions>) -> Result<ImportFormat, Error> {
    match (format, csv) {
        (InputFormat::Ion, _) => Err(Error::validation(wording::ION_IMPORT)),
        (InputFormat::DynamodbJson, Some(_)) => {
            Err(Error::validation(wording::options_of_other_format(format)))
        }
        (InputFormat::DynamodbJson, None) => Ok(ImportFormat::DynamodbJson),
        (InputFormat::Csv, csv) => {
            let delimiter = csv.and_then(|csv| csv.delimiter.as_ref());
            let delimiter = delimiter.and_then(|delimiter| delimiter.bytes().next());
            Ok(ImportFormat::Csv {
                delimiter: delimiter.unwrap_or(b','),
                headers: csv.and_then(|csv| csv.header_list.clone()),
            })
        }
    }
}

fn creation(parameters: TableCreationParameters) -> CreateTableInput {
    CreateTableInput {
        table_name: parameters.table_name,
        attribute_definitions: parameters.attribute_definitions,
        key_schema: parameters.key_schema,
        billing_mode: parameters.billing_mode,
        provisioned_throughput: parameters.provisioned_throughput,
        on_demand_throughput: parameters.on_demand_throughput,
        sse_specification: parameters.sse_specification,
        global_secondary_indexes: parameters.global_secondary_indexes,
        vector_indexes: parameters.vector_indexes,
        ..CreateTableInput::default()
    }
}
