//! What a batch calls the exceptions that a statement alone would fail with.

use crate::Error;
use crate::choice::choices;

choices! {
    /// The kind of an error of one statement.
    pub enum BatchStatementErrorCode {
        /// Its condition did not hold.
        ConditionalCheckFailed = "ConditionalCheckFailed",
        /// Its item collection is full.
        ItemCollectionSizeLimitExceeded = "ItemCollectionSizeLimitExceeded",
        /// The account's throughput is used up for the moment.
        RequestLimitExceeded = "RequestLimitExceeded",
        /// The statement breaks a rule.
        ValidationError = "ValidationError",
        /// The table's provisioned throughput is used up for the moment.
        ProvisionedThroughputExceeded = "ProvisionedThroughputExceeded",
        /// A transaction is at work on its item.
        TransactionConflict = "TransactionConflict",
        /// Too many requests for the moment.
        ThrottlingError = "ThrottlingError",
        /// The service failed.
        InternalServerError = "InternalServerError",
        /// Its table does not exist.
        ResourceNotFound = "ResourceNotFound",
        /// A policy does not allow the statement.
        AccessDenied = "AccessDenied",
        /// An INSERT met an item with the same key.
        DuplicateItem = "DuplicateItem",
    }
}

impl BatchStatementErrorCode {
    /// What an exception is called.
    pub(super) const fn from_error(error: &Error) -> Self {
        match error {
            Error::ConditionalCheckFailedException { .. } => Self::ConditionalCheckFailed,
            Error::ItemCollectionSizeLimitExceededException { .. } => {
                Self::ItemCollectionSizeLimitExceeded
            }
            Error::RequestLimitExceeded { .. } => Self::RequestLimitExceeded,
            Error::ValidationException { .. } => Self::ValidationError,
            Error::ProvisionedThroughputExceededException { .. } => {
                Self::ProvisionedThroughputExceeded
            }
            Error::TransactionConflictException { .. } => Self::TransactionConflict,
            Error::ThrottlingException { .. } => Self::ThrottlingError,
            Error::ResourceNotFoundException { .. } => Self::ResourceNotFound,
            Error::AccessDeniedException { .. } => Self::AccessDenied,
            Error::DuplicateItemException { .. } => Self::DuplicateItem,
            _ => Self::InternalServerError,
        }
    }
}
