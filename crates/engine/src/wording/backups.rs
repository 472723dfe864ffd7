//! AWS's words about backups and recovery. They were recorded on AWS in October 2026, in the notes of a controller for Kubernetes;
//! the others are marked as ours.

use super::indexes::STILL_IN_USE;
use crate::stream::label;
use monotable_api::Error;

/// The table of a backup or a restore does not exist, or is still being created.
pub(crate) fn source_table_not_found(name: &str) -> Error {
    Error::TableNotFoundException {
        message: format!("Table not found: {name}"),
    }
}

pub(crate) fn backup_not_found(arn: &str) -> Error {
    Error::BackupNotFoundException {
        message: format!("Backup not found: {arn}"),
    }
}

/// DeleteBackup.
pub(crate) fn backup_is_restored(arn: &str) -> Error {
    Error::BackupInUseException {
        message: format!("Backup is being used to restore table: {arn}"),
    }
}

/// RestoreTableFromBackup.
pub(crate) fn backup_is_restored_elsewhere(arn: &str) -> Error {
    Error::BackupInUseException {
        message: format!("Backup is being used to restore another table: {arn}"),
    }
}

/// Ours: nobody has met a backup of AWS that was still being created.
pub(crate) fn backup_is_created(arn: &str) -> Error {
    Error::BackupInUseException {
        message: format!("Backup is being created: {arn}"),
    }
}

pub(crate) fn system_backup_stays(arn: &str, expires: u64) -> Error {
    Error::validation(format_args!(
        "User is not allowed to delete the system backup with arn {arn}. It will automatically expire on {}Z",
        label(expires)
    ))
}

/// RestoreTableFromBackup and RestoreTableToPointInTime (moto).
pub(crate) fn restore_target_exists(name: &str) -> Error {
    Error::TableAlreadyExistsException {
        message: format!("Table already exists: {name}"),
    }
}

/// The end of the sentence was recorded, its beginning is ours.
pub(crate) fn table_is_being_restored(name: &str) -> Error {
    Error::TableInUseException {
        message: format!("Table {name} is already being restored"),
    }
}

pub(crate) fn index_not_in_source(name: &str) -> Error {
    Error::validation(format_args!(
        "Index {name} does not match a secondary index that existed in the source table and cannot be created during the restore operation"
    ))
}

pub(crate) fn units_of_restored_on_demand_table() -> Error {
    Error::validation("Cannot override ProvisionedThroughput unless BillingMode is PROVISIONED")
}

/// Ours, after the one before.
pub(crate) fn limits_of_restored_provisioned_table() -> Error {
    Error::validation("Cannot override OnDemandThroughput unless BillingMode is PAY_PER_REQUEST")
}

pub(crate) fn recovery_is_off(table: &str) -> Error {
    Error::PointInTimeRecoveryUnavailableException {
        message: format!("Point in time recovery is not enabled for table '{table}'"),
    }
}

/// AWS's sentence names both bounds; how it writes the times is ours.
pub(crate) fn restore_time_outside(time: u64, earliest: u64, latest: u64) -> Error {
    Error::InvalidRestoreTimeException {
        message: format!(
            "RestoreDateTime {}Z must be within EarliestRestorableDateTime {}Z and LatestRestorableDateTime {}Z",
            label(time),
            label(earliest),
            label(latest)
        ),
    }
}

/// Ours.
pub(crate) fn recovery_is_used(table: &str) -> Error {
    Error::ContinuousBackupsUnavailableException {
        message: format!(
            "Table {table} is being restored to a point in time or exported. Please retry when that has ended"
        ),
    }
}

/// A change of a table that is being filled (recorded by dynalite for one that is being created).
pub(crate) fn table_is_created(table: &str) -> Error {
    Error::in_use(format_args!(
        "{STILL_IN_USE} Table is being created: {table}"
    ))
}

/// Ours: DeleteTable of a table that is being restored under another name, or exported. AWS would delete it.
pub(crate) fn table_is_restored(table: &str) -> Error {
    Error::in_use(format_args!(
        "{STILL_IN_USE} Table is being restored to a point in time or exported: {table}"
    ))
}

// Exports and imports.

/// Ours: AWS has S3.
pub(crate) fn no_buckets() -> Error {
    Error::validation(
        "Exports, imports and bulk operations need a folder in the place of S3: start the server with --buckets FOLDER, or open the engine with EngineOptions::buckets",
    )
}

/// AWS has another sentence for a time in the last minutes, which can be exported here.
pub(crate) fn export_time_outside() -> Error {
    Error::InvalidExportTimeException {
        message: "Export Time is invalid".into(),
    }
}

/// The time as AWS writes it in sentences about periods.
fn in_seconds(time: u64) -> String {
    let text = label(time);
    let seconds = text.split('.').next().unwrap_or_default();
    format!("{seconds}Z")
}

pub(crate) fn period_begins_before_table(from: u64) -> Error {
    Error::InvalidExportTimeException {
        message: format!(
            "Incremental export period from time cannot be less than the table creation time : {}",
            in_seconds(from)
        ),
    }
}

pub(crate) fn period_ends_in_future(to: u64) -> Error {
    Error::InvalidExportTimeException {
        message: format!(
            "Incremental export period to time cannot be greater than the current time : {}",
            in_seconds(to)
        ),
    }
}

pub(crate) fn period_is_short() -> Error {
    Error::InvalidExportTimeException {
        message: "Difference between export period from time and export period to time is less than 15 minutes"
            .into(),
    }
}

/// The rule is AWS's, the sentence is made after the one before.
pub(crate) fn period_is_long() -> Error {
    Error::InvalidExportTimeException {
        message: "Difference between export period from time and export period to time is more than 24 hours"
            .into(),
    }
}

pub(crate) fn export_not_found(arn: &str) -> Error {
    Error::ExportNotFoundException {
        message: format!("Export not found: Export not found: {arn}"),
    }
}

/// The form is that of AWS's other resources.
pub(crate) fn import_not_found(arn: &str) -> Error {
    Error::ImportNotFoundException {
        message: format!("Import not found: {arn}"),
    }
}

pub(crate) fn export_token_taken() -> Error {
    Error::ExportConflictException {
        message: "Export conflict: Duplicate request detected with conflicting parameters".into(),
    }
}

/// The sentence of AWS's guide.
pub(crate) fn import_token_taken() -> Error {
    Error::ImportConflictException {
        message: "There was a conflict when importing from the specified S3 source. This can occur when the current import conflicts with a previous import request that had the same client token.".into(),
    }
}

// Bulk operations: the codes are AWS's, the sentences are ours.

pub(crate) fn bulk_operation_not_found(arn: &str) -> Error {
    Error::ResourceNotFoundException {
        message: format!("Bulk operation not found: {arn}"),
    }
}

pub(crate) fn bulk_operation_has_ended(arn: &str) -> Error {
    Error::validation(format_args!(
        "Bulk operation {arn} has ended and cannot be cancelled: only one that is in progress can"
    ))
}

pub(crate) fn bulk_token_taken() -> Error {
    Error::IdempotentParameterMismatchException {
        message: "The ClientToken was used by another StartBulkPutItems request with other parameters within the last 8 hours"
            .into(),
    }
}

pub(crate) fn bulk_while_index_is_filled(table: &str) -> Error {
    Error::in_use(format_args!(
        "{STILL_IN_USE} An index of the table is being created: {table}"
    ))
}

pub(crate) fn invalid_list_token(token: &str) -> Error {
    Error::validation(format_args!(
        "Invalid Request: Provided nextToken is invalid: {token}"
    ))
}
