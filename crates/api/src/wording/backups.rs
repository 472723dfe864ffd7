//! AWS's words about requests for backups and recovery. They were recorded on AWS in October 2026, in the notes of a
//! controller for Kubernetes; the others are marked as ours.

pub(crate) const INVALID_BACKUP_ARN: &str = "Invalid Backup ARN";

/// ListBackups.
pub(crate) const BACKUP_RANGE_REVERSED: &str =
    "Time range lower bound must be less than or equal to upper bound";

/// A restored table that is to be paid ahead.
pub(crate) const RESTORE_WITHOUT_UNITS: &str =
    "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED";

// RestoreTableToPointInTime.

pub(crate) const TWO_RESTORE_SOURCES: &str =
    "Must provide exactly one of: sourceTableArn, sourceTableName";
pub(crate) const NO_RESTORE_SOURCE: &str = "The parameter 'TableName' is required";
pub(crate) const TWO_RESTORE_TIMES: &str =
    "Both RestoreDateTime and UseLatestRestorableTime cannot be set";
pub(crate) const NO_RESTORE_TIME: &str =
    "Either one of RestoreDateTime or UseLatestRestorableTime must be specified";
pub(crate) const INVALID_SOURCE_ARN: &str = "sourceTableArn is not a valid ARN";

/// Ours: what AWS says of a period for recovery that is off is not known.
pub(crate) const PERIOD_WITHOUT_RECOVERY: &str =
    "RecoveryPeriodInDays can only be specified when PointInTimeRecoveryEnabled is true";

// Exports and imports.

pub(crate) const INVALID_TABLE_ARN: &str = invalid!("tableArn is not a valid ARN");
pub(crate) const INVALID_EXPORT_ARN: &str = "Invalid Export ARN";
pub(crate) const INVALID_IMPORT_ARN: &str = "Invalid Import ARN";
/// The form is that of the ones before.
pub(crate) const INVALID_BULK_OPERATION_ARN: &str = "Invalid Bulk Operation ARN";

pub(crate) fn options_of_other_format(format: crate::InputFormat) -> String {
    format!("Invalid Request: Unsupported InputFormatOptions for the given input format: {format}.")
}

pub(crate) const CHANGES_WITHOUT_PERIOD: &str = "Invalid Request: Incremental Export Specification expected when \
     export type is set as Incremental Export";
pub(crate) const PERIOD_WITHOUT_TYPE: &str = "Invalid Request: Export Type expected to be Incremental Export when \
     incremental export specification is provided";
pub(crate) const PERIOD_OF_FULL_EXPORT: &str = "Invalid Request: When Export Type is Full Export , Incremental Export \
     Specification should not be provided";
pub(crate) const PERIOD_WITHOUT_BEGIN: &str =
    "Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification";
pub(crate) const KEY_WITHOUT_KMS: &str =
    "Invalid Request: KMS Key Id is not supported for this encryption type";
/// Ours: nobody has told it apart at AWS.
pub(crate) const TIME_AND_PERIOD: &str = "Invalid Request: ExportTime is not valid when ExportType is INCREMENTAL_EXPORT: \
     set ExportFromTime and ExportToTime";

// Ours: AWS would carry these out.

pub(crate) const ION_EXPORT: &str =
    "Monotable does not write Amazon Ion: leave ExportFormat out, or set it to DYNAMODB_JSON";
pub(crate) const ION_IMPORT: &str =
    "Monotable does not read Amazon Ion: set InputFormat to DYNAMODB_JSON or CSV";
pub(crate) const ZSTD_IMPORT: &str =
    "Monotable does not read zstd: set InputCompressionType to GZIP or NONE";
pub(crate) const ION_BULK: &str =
    "Monotable does not read Amazon Ion: set InputFormat to DYNAMODB_JSON";
pub(crate) const ZSTD_BULK: &str = ZSTD_IMPORT;
pub(crate) const BULK_WITHOUT_OUTPUT_BUCKET: &str = "OutputS3Configuration has no S3Bucket: name the bucket in which \
     the operation reports what it could not put";
pub(crate) const BULK_WITHOUT_OUTPUT_TYPE: &str = "OutputType of OutputS3Configuration is empty: list ERROR, \
     CONDITION_CHECK_FAILURE or both";
pub(crate) const PREFIX_LEAVES_BUCKET: &str =
    "A prefix with the parts '.' or '..' would leave the folder that stands for the bucket";
pub(crate) const PREFIX_IS_NO_PATH: &str = "S3Prefix names no file of the folder that stands for the bucket: a part of it \
     between slashes has at most 255 bytes, and none that is 0";
