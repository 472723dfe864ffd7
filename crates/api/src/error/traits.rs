//! What each exception means to HTTP and to a client that may try again.

use super::Error;

/// Where AWS's `__type` says that an exception was raised.
const SERVICE: &str = "com.amazonaws.dynamodb.v20120810";
const VALIDATE: &str = "com.amazon.coral.validate";
const CORAL: &str = "com.amazon.coral.service";
const AVAILABILITY: &str = "com.amazon.coral.availability";

impl Error {
    /// The HTTP status of the answer.
    pub const fn status(&self) -> u16 {
        match self {
            Self::InternalServerError { .. } => 500,
            Self::ServiceUnavailable { .. } => 503,
            Self::ConditionalCheckFailedException { .. }
            | Self::TransactionCanceledException { .. }
            | Self::ValidationException { .. }
            | Self::ResourceNotFoundException { .. }
            | Self::ResourceInUseException { .. }
            | Self::TransactionConflictException { .. }
            | Self::TransactionInProgressException { .. }
            | Self::IdempotentParameterMismatchException { .. }
            | Self::ItemCollectionSizeLimitExceededException { .. }
            | Self::ProvisionedThroughputExceededException { .. }
            | Self::RequestLimitExceeded { .. }
            | Self::ThrottlingException { .. }
            | Self::LimitExceededException { .. }
            | Self::ReplicatedWriteConflictException { .. }
            | Self::TableNotFoundException { .. }
            | Self::TableAlreadyExistsException { .. }
            | Self::TableInUseException { .. }
            | Self::IndexNotFoundException { .. }
            | Self::GlobalTableNotFoundException { .. }
            | Self::DuplicateItemException { .. }
            | Self::BackupNotFoundException { .. }
            | Self::BackupInUseException { .. }
            | Self::ContinuousBackupsUnavailableException { .. }
            | Self::PointInTimeRecoveryUnavailableException { .. }
            | Self::InvalidRestoreTimeException { .. }
            | Self::ExportNotFoundException { .. }
            | Self::ExportConflictException { .. }
            | Self::InvalidExportTimeException { .. }
            | Self::ImportNotFoundException { .. }
            | Self::ImportConflictException { .. }
            | Self::TrimmedDataAccessException { .. }
            | Self::ExpiredIteratorException { .. }
            | Self::PolicyNotFoundException { .. }
            | Self::AccessDeniedException { .. }
            | Self::UnrecognizedClientException { .. }
            | Self::MissingAuthenticationTokenException { .. }
            | Self::IncompleteSignatureException { .. }
            | Self::InvalidSignatureException { .. }
            | Self::ExpiredTokenException { .. }
            | Self::SerializationException { .. }
            | Self::UnknownOperationException { .. } => 400,
        }
    }

    /// Whether the same request may succeed later without change.
    pub fn retryable(&self) -> bool {
        match self {
            Self::InternalServerError { .. }
            | Self::ServiceUnavailable { .. }
            | Self::TransactionConflictException { .. }
            | Self::TransactionInProgressException { .. }
            | Self::ProvisionedThroughputExceededException { .. }
            | Self::RequestLimitExceeded { .. }
            | Self::ThrottlingException { .. }
            | Self::LimitExceededException { .. }
            | Self::ReplicatedWriteConflictException { .. } => true,
            // One final reason is enough to make the whole transaction fail again.
            Self::TransactionCanceledException { reasons } => {
                reasons.iter().any(|reason| reason.code.retryable())
                    && !reasons.iter().any(|reason| reason.code.is_final())
            }
            Self::ConditionalCheckFailedException { .. }
            | Self::ValidationException { .. }
            | Self::ResourceNotFoundException { .. }
            | Self::ResourceInUseException { .. }
            | Self::IdempotentParameterMismatchException { .. }
            | Self::ItemCollectionSizeLimitExceededException { .. }
            | Self::TableNotFoundException { .. }
            | Self::TableAlreadyExistsException { .. }
            | Self::TableInUseException { .. }
            | Self::IndexNotFoundException { .. }
            | Self::GlobalTableNotFoundException { .. }
            | Self::DuplicateItemException { .. }
            | Self::BackupNotFoundException { .. }
            | Self::BackupInUseException { .. }
            | Self::ContinuousBackupsUnavailableException { .. }
            | Self::PointInTimeRecoveryUnavailableException { .. }
            | Self::InvalidRestoreTimeException { .. }
            | Self::ExportNotFoundException { .. }
            | Self::ExportConflictException { .. }
            | Self::InvalidExportTimeException { .. }
            | Self::ImportNotFoundException { .. }
            | Self::ImportConflictException { .. }
            | Self::TrimmedDataAccessException { .. }
            | Self::ExpiredIteratorException { .. }
            | Self::PolicyNotFoundException { .. }
            | Self::AccessDeniedException { .. }
            | Self::UnrecognizedClientException { .. }
            | Self::MissingAuthenticationTokenException { .. }
            | Self::IncompleteSignatureException { .. }
            | Self::InvalidSignatureException { .. }
            | Self::ExpiredTokenException { .. }
            | Self::SerializationException { .. }
            | Self::UnknownOperationException { .. } => false,
        }
    }

    /// The answer's `__type`.
    pub fn type_name(&self) -> String {
        let code = match self {
            // AWS documents this one without the suffix that its `__type` has.
            Self::ServiceUnavailable { .. } => "ServiceUnavailableException",
            other => other.code(),
        };
        format!("{}#{code}", self.namespace())
    }

    const fn namespace(&self) -> &'static str {
        match self {
            Self::ValidationException { .. } => VALIDATE,
            Self::AccessDeniedException { .. }
            | Self::UnrecognizedClientException { .. }
            | Self::MissingAuthenticationTokenException { .. }
            | Self::IncompleteSignatureException { .. }
            | Self::InvalidSignatureException { .. }
            | Self::ExpiredTokenException { .. }
            | Self::SerializationException { .. }
            | Self::UnknownOperationException { .. } => CORAL,
            Self::ThrottlingException { .. } | Self::ServiceUnavailable { .. } => AVAILABILITY,
            Self::ConditionalCheckFailedException { .. }
            | Self::TransactionCanceledException { .. }
            | Self::ResourceNotFoundException { .. }
            | Self::ResourceInUseException { .. }
            | Self::TransactionConflictException { .. }
            | Self::TransactionInProgressException { .. }
            | Self::IdempotentParameterMismatchException { .. }
            | Self::ItemCollectionSizeLimitExceededException { .. }
            | Self::ProvisionedThroughputExceededException { .. }
            | Self::RequestLimitExceeded { .. }
            | Self::LimitExceededException { .. }
            | Self::ReplicatedWriteConflictException { .. }
            | Self::TableNotFoundException { .. }
            | Self::TableAlreadyExistsException { .. }
            | Self::TableInUseException { .. }
            | Self::IndexNotFoundException { .. }
            | Self::GlobalTableNotFoundException { .. }
            | Self::DuplicateItemException { .. }
            | Self::BackupNotFoundException { .. }
            | Self::BackupInUseException { .. }
            | Self::ContinuousBackupsUnavailableException { .. }
            | Self::PointInTimeRecoveryUnavailableException { .. }
            | Self::InvalidRestoreTimeException { .. }
            | Self::ExportNotFoundException { .. }
            | Self::ExportConflictException { .. }
            | Self::InvalidExportTimeException { .. }
            | Self::ImportNotFoundException { .. }
            | Self::ImportConflictException { .. }
            | Self::TrimmedDataAccessException { .. }
            | Self::ExpiredIteratorException { .. }
            | Self::PolicyNotFoundException { .. }
            | Self::InternalServerError { .. } => SERVICE,
        }
    }
}
